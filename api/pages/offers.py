"""What a seat may do besides moving: found by asking the decider, so that pages offer what it would accept."""

import msgspec

from domain.errors import Refused
from domain.instants import Instant
from domain.match.commands import AskToEnd, Command, Context, RedoMove, StartMatch, UndoMove
from domain.match.decide import decide
from domain.match.events import MoveUndone, RequestMade
from domain.match.say import asked_people
from domain.match.state import Match, Request
from domain.sealing import Event


class Offers(msgspec.Struct, frozen=True):
    """What is offered.

    Attributes:
        start: Whether the match can be started.
        undo: ``free`` to take back at once, ``ask`` to ask the others, empty for neither.
        undo_to: The version that would come back.
        redo: Whether what was taken back can be played again.
        end: ``now`` to end without a result at once, ``ask`` to ask the others, empty for neither.
    """

    start: bool = False
    undo: str = ""
    undo_to: int = 0
    redo: bool = False
    end: str = ""


class OpenRequest(msgspec.Struct, frozen=True):
    """A request that waits for answers.

    Attributes:
        is_mine: Whether the viewer made it.
        waits_for_me: Whether the viewer has not answered it.
    """

    request: Request
    is_mine: bool
    waits_for_me: bool


def offers_of(state: Match, seat: int | None, now: Instant) -> Offers:
    """Return what is offered to a seat; to None, what is offered to the host who has none."""
    context = Context(now)
    if state.lifecycle.phase == "gathering":
        return Offers(start=bool(_tried(state, StartMatch(), context)))
    if state.lifecycle.phase != "playing" or seat is None:
        return Offers()
    undone = _tried(state, UndoMove(seat), context)
    undo, undo_to = _undo(state, seat, undone)
    return Offers(
        undo=undo,
        undo_to=undo_to,
        redo=bool(_tried(state, RedoMove(seat), context)),
        end="" if not _tried(state, AskToEnd(seat), context) else _end(state, seat),
    )


def open_requests(state: Match, seat: int | None) -> tuple[OpenRequest, ...]:
    """Return the requests that wait for answers."""
    return tuple(
        OpenRequest(
            request,
            is_mine=request.seat == seat,
            waits_for_me=seat in asked_people(state, request.seat) and seat not in request.agreed,
        )
        for request in state.requests
    )


def _undo(state: Match, seat: int, undone: tuple[Event, ...]) -> tuple[str, int]:
    if not undone:
        return "", 0
    event = undone[0]
    to = event.to if isinstance(event, MoveUndone | RequestMade) else 0
    node, is_mine = state.past, False
    while node is not None and node.version > to:
        is_mine = is_mine or node.seat == seat
        node = node.before
    # Where anything may be taken back, that could be what others did before one's own first move.
    if not is_mine:
        return "", 0
    return ("free" if isinstance(event, MoveUndone) else "ask"), to


def _end(state: Match, seat: int) -> str:
    return "ask" if asked_people(state, seat) else "now"


def _tried(state: Match, command: Command, context: Context) -> tuple[Event, ...]:
    try:
        return decide(state, command, context)
    except Refused:
        return ()
