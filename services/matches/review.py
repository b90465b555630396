"""What the moves that people made in a match have cost, as an expert sees it: for matches that are over."""

import time
from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

import msgspec

from domain.entries import StoredEntry, decode_envelope
from domain.games.contract import Allowance
from domain.match.levels import allowance_of
from services.log.event_store.contract import EventStore
from services.matches.advice import EXPERT, Advice, advise, same_move
from services.matches.reader import MatchReader
from services.matches.time_limit import TookTooLong

Grade = Literal["slip", "blunder"]

SLIP: Final = 0.05
"""From here on a cost is told: by so much the move lowered the chance to win."""

BLUNDER: Final = 0.1

SCREENING: Final = Allowance(240, "expert")
"""What a first look may spend. Only moves that seem to cost something are looked at again."""

_PEOPLES_DOORS: Final = frozenset({"page", "api"})


class Costly(msgspec.Struct, frozen=True):
    """A move that cost something.

    Attributes:
        version: The version at which it was made; the coach's page and the replay begin there.
        seat: Who made it.
        cost: By how much it lowered the chance to win the match, from 0 to 1.
        grade: ``slip``, or ``blunder`` from a tenth on.
        made: The move.
        better: The move that the expert would have made.
    """

    version: int
    seat: int
    cost: float
    grade: Grade
    made: dict[str, Any]
    better: dict[str, Any]


class Review(msgspec.Struct, frozen=True):
    """A match's costly moves, as far as it has been looked at.

    Attributes:
        match: The match's id.
        head: Its last version.
        looked_at: How many turns of people have been looked at, from the first one.
        turns: How many there are.
        costly: The moves that cost something, in their order.
    """

    match: str
    head: int
    looked_at: int
    turns: int
    costly: tuple[Costly, ...] = ()

    @property
    def is_done(self) -> bool:
        """Whether all turns have been looked at."""
        return self.looked_at >= self.turns


def turns_of_people(entries: Sequence[StoredEntry]) -> list[int]:
    """Return the versions at which people made up their minds: those before their commands' first events."""
    envelopes = (decode_envelope(entry.e) for entry in entries)
    return [
        envelope.v - 1
        for envelope in envelopes
        if envelope.v == envelope.command.first
        and envelope.door in _PEOPLES_DOORS
        and envelope.seat is not None
    ]


async def look_on(
    store: EventStore,
    reader: MatchReader,
    bot_seed: Callable[[str], str],
    match: str,
    so_far: Review | None,
    seconds: float,
    clock: Callable[[], float] = time.monotonic,
) -> Review:
    """Look at more turns of a match that is over, at least one, and return what is known then.

    Args:
        store: The log.
        reader: Reads the match.
        bot_seed: Gives the chance behind an expert's playing out.
        match: The match's id.
        so_far: What was known before.
        seconds: How long this may take.
        clock: A monotonic clock.

    Raises:
        NoSuchMatch: There is no such match.
    """
    end = clock() + seconds
    entries = await store.read(match)
    turns = turns_of_people(entries)
    head = entries[-1].version if entries else 0
    review = so_far if so_far is not None and so_far.head == head else Review(match, head, 0, len(turns))
    for version in turns[review.looked_at :]:
        costly = await _looked_at(store, reader, bot_seed, match, version)
        review = msgspec.structs.replace(
            review,
            looked_at=review.looked_at + 1,
            costly=review.costly if costly is None else (*review.costly, costly),
        )
        if clock() >= end:
            break
    return review


async def _looked_at(
    store: EventStore, reader: MatchReader, bot_seed: Callable[[str], str], match: str, version: int
) -> Costly | None:
    try:
        first = await advise(store, reader, bot_seed, match, version, SCREENING)
        if first is None or first.cost is None or first.cost < SLIP:
            return None

        # The best of several moves was also lucky. So what it is better by is measured again, on other tables.
        def other_seed(name: str) -> str:
            return bot_seed(f"{name}-again")

        again = await advise(store, reader, other_seed, match, version, allowance_of(EXPERT))
    except TookTooLong:
        return None
    return None if again is None else _graded(first, again)


def _graded(first: Advice, again: Advice) -> Costly | None:
    better, made = first.moves[0].move, first.made
    if made is None:
        return None
    chances = {
        name: each.chance
        for name, move in (("better", better), ("made", made))
        for each in again.moves
        if same_move(each.move, move)
    }
    cost = round(chances.get("better", 0.0) - chances.get("made", 1.0), 4)
    if cost < SLIP:
        return None
    return Costly(first.version, first.seat, cost, "blunder" if cost >= BLUNDER else "slip", made, better)
