"""Deciding requests, which need the agreement of all other people."""

from domain.errors import Refused
from domain.instants import after
from domain.match.commands import (
    AnswerRequest,
    AskToEnd,
    Context,
    LapseRequest,
    WithdrawRequest,
)
from domain.match.decide_play import playing
from domain.match.decide_table import require_seat
from domain.match.decide_undo import REQUEST_SECONDS, asked_people, require_still_playing
from domain.match.events import (
    MatchAbandoned,
    MoveUndone,
    RequestAnswered,
    RequestLapsed,
    RequestMade,
)
from domain.match.state import Match, Request
from domain.sealing import Event


def ask_to_end(state: Match, command: AskToEnd, context: Context) -> tuple[Event, ...]:
    """Ask the others to end the match without a result."""
    playing(state)
    require_seat(state, command.seat)
    require_still_playing(state, command.seat)
    if any(request.kind == "end" for request in state.requests):
        raise Refused("request.already_made", "requests", seat=command.seat)
    if not asked_people(state, command.seat):
        return (MatchAbandoned("agreed"),)
    return (RequestMade(command.request, "end", command.seat, after(context.now, REQUEST_SECONDS)),)


def answer(state: Match, command: AnswerRequest, _: Context) -> tuple[Event, ...]:
    """Agree or refuse. The last agreement carries the request out; one refusal ends it."""
    playing(state)
    require_seat(state, command.seat)
    request = _open(state, command.id)
    asked = asked_people(state, request.seat)
    if command.seat in asked and command.seat in request.agreed:
        raise Refused("request.already_answered", "requests", seat=command.seat)
    if command.seat not in asked:
        raise Refused("request.not_asked", "requests", seat=command.seat)
    answered = RequestAnswered(request.id, command.seat, command.agree)
    if not command.agree:
        return answered, RequestLapsed(request.id, "refused")
    if set(asked) - {*request.agreed, command.seat}:
        return (answered,)
    return answered, RequestLapsed(request.id, "agreed"), *_carried_out(state, request)


def withdraw(state: Match, command: WithdrawRequest, _: Context) -> tuple[Event, ...]:
    """Withdraw one's own request."""
    playing(state)
    request = _open(state, command.id)
    if request.seat != command.seat:
        raise Refused("request.not_yours", "requests", seat=command.seat)
    return (RequestLapsed(request.id, "withdrawn"),)


def lapse(state: Match, command: LapseRequest, context: Context) -> tuple[Event, ...]:
    """Make an expired request lapse."""
    request = _open(state, command.id)
    if context.now < request.expires:
        raise Refused("request.still_open", "requests", expires=request.expires)
    return (RequestLapsed(request.id, "expired"),)


def lapsed_by(state: Match, reason: str, kind: str = "") -> tuple[Event, ...]:
    """Return the lapses of open requests (of one kind, or all) that a command has made pointless."""
    return tuple(
        RequestLapsed(request.id, reason) for request in state.requests if kind in ("", request.kind)
    )


def _open(state: Match, identifier: str) -> Request:
    for request in state.requests:
        if request.id == identifier:
            return request
    raise Refused("request.unknown", "requests", id=identifier)


def _carried_out(state: Match, request: Request) -> tuple[Event, ...]:
    others = tuple(other for other in state.requests if other.id != request.id)
    if request.kind == "end":
        return *(RequestLapsed(other.id, "ended") for other in others), MatchAbandoned("agreed")
    undos = (other for other in others if other.kind == "undo")
    return *(RequestLapsed(other.id, "moved") for other in undos), MoveUndone(request.to, request.seat)
