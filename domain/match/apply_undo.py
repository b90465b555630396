"""How undo, redo and requests change the state. Nothing is deleted: the log only grows."""

from msgspec.structs import replace

from domain.match.clock import Turn, Visit
from domain.match.events import MoveRedone, MoveUndone, RequestAnswered, RequestLapsed, RequestMade
from domain.match.state import Match, Past, Request


def undone(state: Match, event: MoveUndone) -> Match:
    """Restore an earlier game state; what is cut off its past goes onto the redo stack."""
    past, row = state.past, state.undone
    while past is not None and past.before is not None and past.version != event.to:
        row = replace(past, before=row)
        past = past.before
    return _stepped(with_time(state, past, event), past, row)


def with_time(state: Match, past: Past | None, event: MoveUndone) -> Match:
    """Return the state in which the others have given a seat time for the turn that it takes back."""
    turn = past.clock.turn_of(event.seat) if past is not None and event.given else None
    if turn is None:
        return state
    clock = state.clock
    last = clock.last_visit(event.seat, turn.origin) or Visit(event.seat, turn, turn.at)
    given = Turn(turn.origin, last.until, last.turn.given + event.given * 1000, last)
    return replace(state, clock=replace(clock, visits=Visit(event.seat, given, last.until, clock.visits)))


def redone(state: Match, event: MoveRedone) -> Match:
    """Step forward along the redo stack."""
    past, row = state.past, state.undone
    while row is not None:
        past, row = replace(row, before=past), row.before
        if past.version == event.to:
            break
    return _stepped(state, past, row)


def _stepped(state: Match, past: Past | None, row: Past | None) -> Match:
    if past is None:  # no accepted log undoes a match that has not begun
        return state
    # Every seat to act in the restored position is asked again.
    asked_at = (0,) * len(state.asked_at)
    seats = state.seats
    if any(seat.covered for seat in seats):
        seats = tuple(replace(seat, covered=False) if seat.covered else seat for seat in seats)
    return replace(state, seats=seats, game=past.game, past=past, undone=row, asked_at=asked_at)


def made(state: Match, event: RequestMade) -> Match:
    """Open a request."""
    request = Request(
        event.id,
        event.kind,
        event.seat,
        event.expires,
        event.to,
        event.known,
        made=event.made,
        seconds=event.seconds,
        player=event.player,
    )
    asked_for = state.asked_for + bool(event.player)
    return replace(state, requests=(*state.requests, request), asked_for=asked_for)


def answered(state: Match, event: RequestAnswered) -> Match:
    """Note an agreement. After a refusal, the request's lapse follows."""
    if not event.agree:
        return state
    return replace(
        state,
        requests=tuple(
            replace(request, agreed=(*request.agreed, event.seat)) if request.id == event.id else request
            for request in state.requests
        ),
    )


def lapsed(state: Match, event: RequestLapsed) -> Match:
    """Remove a request."""
    return replace(state, requests=tuple(request for request in state.requests if request.id != event.id))
