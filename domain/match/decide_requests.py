"""Deciding requests, which need the agreement of all other people."""

from typing import Final

from msgspec.structs import replace

from domain.errors import Refused
from domain.instants import Instant, after
from domain.match.apply_clock import PAUSE
from domain.match.clock_events import ClockRested, ClockResumed
from domain.match.clock_terms import DAY
from domain.match.commands import (
    AnswerRequest,
    AskToEnd,
    AskToPause,
    AskToResume,
    Context,
    LapseRequest,
    WithdrawRequest,
)
from domain.match.decide_play import playing
from domain.match.decide_replacing import given
from domain.match.decide_table import require_person, require_seat
from domain.match.decide_undo import requested, require_still_playing
from domain.match.events import (
    MatchAbandoned,
    MoveUndone,
    RequestAnswered,
    RequestLapsed,
)
from domain.match.say import REPLACE, asked_by, asked_people, is_silent, lapses_at, waiting_for
from domain.match.state import Match, Request
from domain.sealing import Event

SHORTEST_PAUSE: Final = 60
LONGEST_PAUSE: Final = 30 * DAY
"""Bounds of a pause, in seconds."""


def ask_to_end(state: Match, command: AskToEnd, context: Context) -> tuple[Event, ...]:
    """Ask the others to end the match without a result."""
    playing(state)
    require_seat(state, command.seat)
    require_still_playing(state, command.seat)
    if any(request.kind == "end" for request in state.requests):
        raise Refused("request.already_made", "requests", seat=command.seat)
    if not asked_people(state, command.seat):
        return (MatchAbandoned("agreed"),)
    return (requested(state, context, "end", command.seat, command.request),)


def ask_to_pause(state: Match, command: AskToPause, context: Context) -> tuple[Event, ...]:
    """Ask the others to let all clocks rest."""
    _require_clock(state, command.seat)
    if _pause_ends(state, context.now):
        raise Refused("pause.already", "pauses")
    if not SHORTEST_PAUSE <= command.seconds <= LONGEST_PAUSE:
        raise Refused(
            "pause.out_of_range",
            "pauses",
            seconds=command.seconds,
            shortest=SHORTEST_PAUSE,
            longest=LONGEST_PAUSE,
        )
    _require_none(state, command.seat, "pause")
    if not asked_people(state, command.seat):
        return (_paused(command.seat, command.seconds, context.now),)
    return (requested(state, context, "pause", command.seat, command.request, seconds=command.seconds),)


def ask_to_resume(state: Match, command: AskToResume, context: Context) -> tuple[Event, ...]:
    """Ask the others to end a pause before its time."""
    _require_clock(state, command.seat)
    if not _pause_ends(state, context.now):
        raise Refused("pause.none", "pauses")
    _require_none(state, command.seat, "resume")
    if not asked_people(state, command.seat):
        return (ClockResumed(context.now, command.seat),)
    return (requested(state, context, "resume", command.seat, command.request),)


def _require_clock(state: Match, seat: int) -> None:
    playing(state)
    require_person(state, seat)
    if not state.clock.turns:
        raise Refused("clock.none", "clock")


def _require_none(state: Match, seat: int, kind: str) -> None:
    if any(request.kind == kind for request in state.requests):
        raise Refused("request.already_made", "requests", seat=seat)


def _pause_ends(state: Match, now: Instant) -> bool:
    """Tell whether there is a pause now."""
    return any(rest.why == PAUSE and rest.begins <= now < rest.ends for rest in state.clock.rests)


def _paused(seat: int, seconds: int, now: Instant) -> ClockRested:
    return ClockRested(now, after(now, seconds), PAUSE, seat)


def answer(state: Match, command: AnswerRequest, context: Context) -> tuple[Event, ...]:
    """Agree or refuse. The last agreement carries the request out; one refusal ends it."""
    playing(state)
    require_seat(state, command.seat)
    request = _open(state, command.id)
    asked = asked_by(state, request)
    if command.seat in asked and command.seat in request.agreed:
        raise Refused("request.already_answered", "requests", seat=command.seat)
    if command.seat not in asked:
        raise Refused("request.not_asked", "requests", seat=command.seat)
    answered = RequestAnswered(request.id, command.seat, command.agree)
    if not command.agree:
        return answered, RequestLapsed(request.id, "refused")
    request = replace(request, agreed=(*request.agreed, command.seat))
    if not waiting_for(state, request):
        return answered, RequestLapsed(request.id, "agreed"), *_carried_out(state, request, context.now)
    if is_silent(state, request, context.now):
        return answered, RequestLapsed(request.id, "silent"), *_carried_out(state, request, context.now)
    return (answered,)


def withdraw(state: Match, command: WithdrawRequest, _: Context) -> tuple[Event, ...]:
    """Withdraw one's own request."""
    playing(state)
    request = _open(state, command.id)
    if request.seat != command.seat or request.kind == REPLACE:
        raise Refused("request.not_yours", "requests", seat=command.seat)
    return (RequestLapsed(request.id, "withdrawn"),)


def lapse(state: Match, command: LapseRequest, context: Context) -> tuple[Event, ...]:
    """Make an expired request lapse, or carry it out if silence agrees to it."""
    request = _open(state, command.id)
    if is_silent(state, request, context.now):
        return RequestLapsed(request.id, "silent"), *_carried_out(state, request, context.now)
    expires = lapses_at(state, request)
    if context.now < expires:
        raise Refused("request.still_open", "requests", expires=expires)
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


def _carried_out(state: Match, request: Request, now: Instant) -> tuple[Event, ...]:
    others = tuple(other for other in state.requests if other.id != request.id)
    if request.kind == "end":
        return *(RequestLapsed(other.id, "ended") for other in others), MatchAbandoned("agreed")
    if request.kind == REPLACE:
        # Another person has the say now; whoever still wants something can ask again.
        return *(RequestLapsed(other.id, "moved") for other in others), given(request)
    if request.kind == "pause":
        return (_paused(request.seat, request.seconds, now),)
    if request.kind == "resume":
        return (ClockResumed(now, request.seat),)
    undos = (other for other in others if other.kind == "undo")
    return *(RequestLapsed(other.id, "moved") for other in undos), MoveUndone(
        request.to, request.seat, request.seconds
    )
