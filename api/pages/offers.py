"""What a seat may do besides moving: found by asking the decider, so that pages offer what it would accept."""

import msgspec

from domain.errors import Refused
from domain.instants import EARLIEST, Instant
from domain.match.clock_terms import DAY
from domain.match.commands import (
    AskToEnd,
    AskToPause,
    AskToResume,
    Command,
    Context,
    GiveTime,
    RedoMove,
    StartMatch,
    UndoMove,
)
from domain.match.decide import decide
from domain.match.events import MoveUndone, RequestMade
from domain.match.evolve import seats_to_act
from domain.match.say import REPLACE, asked_by, asked_people, due_at, waiting_for
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
        pause: ``now`` to let all clocks rest at once, ``ask`` to ask the others, empty for neither.
        resume: The same for ending a pause.
        give: The seats that can be given time.
        gift: How much, in seconds.
    """

    start: bool = False
    undo: str = ""
    undo_to: int = 0
    redo: bool = False
    end: str = ""
    pause: str = ""
    resume: str = ""
    give: tuple[int, ...] = ()
    gift: int = 0


class OpenRequest(msgspec.Struct, frozen=True):
    """A request that waits for answers.

    Attributes:
        is_mine: Whether the viewer made it.
        waits_for_me: Whether the viewer has not answered it.
        until: When it lapses, or silence agrees to it; empty where that says nothing new.
        silence: Whether silence agrees then.
    """

    request: Request
    is_mine: bool
    waits_for_me: bool
    until: Instant = EARLIEST
    silence: bool = False


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
        end="" if not _tried(state, AskToEnd(seat), context) else _asking(state, seat),
        pause="" if not _tried(state, AskToPause(seat, DAY), context) else _asking(state, seat),
        resume="" if not _tried(state, AskToResume(seat), context) else _asking(state, seat),
        give=tuple(
            other
            for other in seats_to_act(state)
            if other != seat and _tried(state, GiveTime(seat, other, gift_of(state)), context)
        ),
        gift=gift_of(state),
    )


def gift_of(state: Match) -> int:
    """Return how many seconds one button gives: a quarter of a turn."""
    return max(1, state.clock.allowance // 4000)


def open_requests(state: Match, seat: int | None, player: str = "") -> tuple[OpenRequest, ...]:
    """Return the requests that wait for answers; ``player`` is the reader, who may have no seat."""
    return tuple(
        OpenRequest(
            request,
            is_mine=bool(player) and request.player == player
            if request.kind == REPLACE
            else request.seat == seat,
            waits_for_me=seat in asked_by(state, request) and seat not in request.agreed,
            until=due_at(state, request),
            silence=bool(request.made)
            and all(state.seats[one].is_away for one in waiting_for(state, request)),
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


def _asking(state: Match, seat: int) -> str:
    return "ask" if asked_people(state, seat) else "now"


def _tried(state: Match, command: Command, context: Context) -> tuple[Event, ...]:
    try:
        return decide(state, command, context)
    except Refused:
        return ()
