"""How undo, redo and requests change the state. Nothing is deleted: the log only grows."""

from msgspec.structs import replace

from domain.match.events import MoveRedone, MoveUndone, RequestAnswered, RequestLapsed, RequestMade
from domain.match.state import Match, Past, Request


def undone(state: Match, event: MoveUndone) -> Match:
    """Restore an earlier game state; what is cut off its past goes onto the redo stack."""
    past, row = state.past, state.undone
    while past is not None and past.before is not None and past.version != event.to:
        row = replace(past, before=row)
        past = past.before
    return _stepped(state, past, row)


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
    return replace(state, game=past.game, past=past, undone=row, asked_at=asked_at)


def made(state: Match, event: RequestMade) -> Match:
    """Open a request."""
    request = Request(event.id, event.kind, event.seat, event.expires, event.to, event.known)
    return replace(state, requests=(*state.requests, request))


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
