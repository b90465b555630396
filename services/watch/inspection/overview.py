"""What there is to say of a match as a whole, for its operator."""

import msgspec

from domain.instants import Instant, milliseconds_of
from domain.match.clock import NOT_ASKED
from domain.match.due import deadlines_of
from domain.match.evolve import seats_to_act
from domain.match.fold import UNFOLDABLE, Position, beginning, fold
from domain.match.verification import Verdict
from services.audit.refused_commands import RefusedCommand, refused_commands
from services.log.event_store.contract import EventStore, Meta, Status
from services.log.proof import Readable, judged, read_what_can_be
from services.watch.inspection.advice import Advice, advice_for
from services.watch.inspection.disclosure import Disclosure, disclosure_of
from services.watch.match_facts import MatchFacts


class SeatNow(msgspec.Struct, frozen=True):
    """A seat at the head of the log.

    Attributes:
        kind: ``open``, ``person`` or ``bot``.
        player: Opaque id of who holds it; empty for nobody.
        level: The level of the bot that holds it or stands in.
        stand_in: Whether a bot plays for the person who holds it.
        resigned: Whether that person gave up.
        asked_at: The version at which it was asked for the move that it owes; 0 when it owes none.
        since: When that was; empty when it owes none.
        deadline: When its time ends; empty for never.
    """

    seat: int
    kind: str
    player: str
    level: str
    stand_in: bool
    resigned: bool
    asked_at: int
    since: Instant
    deadline: Instant


class Overview(msgspec.Struct, frozen=True):
    """A match as a whole.

    Attributes:
        meta: The store's record; None if there is none that can be read.
        verdict: What verifying its log comes to.
        position: The match at its head; None if it cannot be folded.
        refused: The refused commands that are kept, the oldest first.
        advice: Why it stands still and what can be done, what is wrong first.
    """

    match: str
    meta: Meta | None
    verdict: Verdict
    position: Position | None
    seats: tuple[SeatNow, ...]
    refused: tuple[RefusedCommand, ...]
    advice: tuple[Advice, ...]


class Looked(msgspec.Struct, frozen=True):
    """A match as an operator's session may look at it.

    Attributes:
        readable: Its record and its log, as far as they can be read.
        disclosure: How much of it lies open.
    """

    match: str
    readable: Readable
    disclosure: Disclosure


async def look_at(store: EventStore, match: str, mark: str = "") -> Looked:
    """Read a match for the operator's session of a mark.

    Raises:
        NoSuchMatch: There is none with this id.
        StoreUnavailable: The store or the archive did not answer.
    """
    readable = await read_what_can_be(store, match)
    return Looked(match, readable, disclosure_of(readable.entries, mark))


async def refused_of(store: EventStore, match: str) -> tuple[RefusedCommand, ...]:
    """Return the refused commands of a match that are kept, the oldest first."""
    return refused_commands(await store.refusals(match))


async def place_in_index(store: EventStore, looked: Looked) -> tuple[int | None, bool]:
    """Return an open match's instant in the due index, and whether the match has stood still meanwhile.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    meta = looked.readable.meta
    if meta is None or meta.status is not Status.OPEN:
        return None, True
    scheduled = await store.scheduled(looked.match)
    return scheduled, await store.meta(looked.match) == meta


def overview(
    looked: Looked,
    refused: tuple[RefusedCommand, ...],
    now: Instant,
    place: tuple[int | None, bool] = (None, False),
) -> Overview:
    """Return what there is to say of a match as a whole. Reads and folds all of its log: not quick."""
    match, meta, entries = looked.match, looked.readable.meta, looked.readable.entries
    verdict = looked.disclosure.told(judged(match, looked.readable))
    position = head_of(looked)
    scheduled, settled = place
    facts = MatchFacts(
        match, milliseconds_of(now), meta, verdict, tuple(entries), position, scheduled, settled
    )
    return Overview(
        match,
        meta,
        verdict,
        position,
        () if position is None else seats_of(position),
        refused,
        advice_for(facts),
    )


def head_of(looked: Looked) -> Position | None:
    """Return the match behind the last event that can be read; None if its log cannot be folded."""
    try:
        position = fold(beginning(looked.match), looked.readable.entries)
    except UNFOLDABLE:
        return None
    return position if position.version and position.state.terms is not None else None


def seats_of(position: Position) -> tuple[SeatNow, ...]:
    """Return the seats of a match, with who owes a move."""
    state = position.state
    to_act, deadlines = seats_to_act(state), deadlines_of(state)
    return tuple(
        SeatNow(
            number,
            seat.kind,
            seat.player,
            seat.level,
            seat.stand_in,
            bool(seat.resigned),
            state.asked_at[number] if number in to_act else 0,
            state.clock.since[number] if number in to_act else NOT_ASKED,
            deadlines.get(number, NOT_ASKED) if number in to_act else NOT_ASKED,
        )
        for number, seat in enumerate(state.seats)
    )
