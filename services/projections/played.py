"""What a person has played: pages of their tables that are over, found by game, result, length and date.

A page looks at the person's own index and at so many rows, however many tables they have and however few of them fit.
"""

from collections.abc import Sequence
from typing import Final, Literal

import msgspec

from services.people.memberships import Held, Memberships
from services.people.played_tables import PlayedTables
from services.projections.inbox import InboxTable, Wanted, table_in
from services.projections.keys import RowSet
from services.projections.list_positions import ListPosition
from services.projections.list_reader import ListReader, Range

MOST_LOOKED_AT: Final = 600
"""A page ends after so many rows; the next one goes on from there."""

_PIECE: Final = 100

Outcome = Literal["won", "shared", "lost", "unfinished", "hosted"]
OUTCOMES: Final[tuple[Outcome, ...]] = ("won", "shared", "lost", "unfinished", "hosted")
"""How a match ended for somebody: they won alone, or with others, or others did; it had no result; or they were only
its host."""


class PlayedWanted(msgspec.Struct, frozen=True):
    """Which tables are wanted. What is left out matches everything.

    Attributes:
        game: The game's key.
        outcome: How it ended for the person.
        ended: When it ended, in milliseconds.
        rounds: How many rounds it had.
        lasted: How long it lasted from the first event to the last one, in milliseconds.
    """

    game: str | None = None
    outcome: Outcome | None = None
    ended: Range = Range()
    rounds: Range = Range()
    lasted: Range = Range()

    def fits(self, table: InboxTable) -> bool:
        """Tell whether a table is wanted."""
        row = table.row
        return (
            self.game in {None, row.game}
            and self.outcome in {None, outcome_of(table)}
            and _within(row.changed_at, self.ended)
            and _within(row.round, self.rounds)
            and _within(row.lasted, self.lasted)
        )


class PlayedPage(msgspec.Struct, frozen=True):
    """A page of what somebody has played.

    Attributes:
        tables: The tables, those that ended last first.
        next: The position after which the next page begins; None on the last. A page with fewer tables than were asked
            for may still have a next one.
    """

    tables: tuple[InboxTable, ...]
    next: ListPosition | None


def outcome_of(table: InboxTable) -> Outcome:
    """Return how a match ended for somebody. Pure."""
    ranking = table.row.ranking
    if table.seat is None:
        return "hosted"
    if not ranking:
        return "unfinished"
    if table.seat not in ranking[0]:
        return "lost"
    return "won" if len(ranking[0]) == 1 else "shared"


class PlayedReader:
    """Reads what persons have played. Methods may raise ``StoreUnavailable``."""

    def __init__(self, rows: ListReader, played: PlayedTables, memberships: Memberships) -> None:
        self._rows: Final = rows
        self._played: Final = played
        self._memberships: Final = memberships

    async def page(
        self,
        person: str,
        wanted: PlayedWanted,
        after: ListPosition | None,
        count: int,
        also: Wanted | None = None,
        most: int = MOST_LOOKED_AT,
    ) -> PlayedPage:
        """Return the next tables of a person that are over, and wanted, after a position; None begins with the last.

        Args:
            person: Whose.
            wanted: What their rows must say.
            after: Where the page begins.
            count: The most tables on it.
            also: What else they must be, which no row says; asked of those that fit only.
            most: How many tables to look at before the page ends.
        """
        rows = await self._rows.readable()
        if rows is None:
            return PlayedPage((), None)
        await self._settle(rows, person)
        found: list[InboxTable] = []
        looked_at, position = 0, after
        while looked_at < most:
            some, is_last = await self._next(person, wanted, position, min(_PIECE, most))
            fitting = [table for table in await self._tables(rows, person, some) if wanted.fits(table)]
            found += fitting if also is None else await also(fitting)
            if len(found) > count:
                last = found[count - 1]
                return PlayedPage(tuple(found[:count]), ListPosition(last.row.changed_at, last.match))
            if is_last or not some:
                return PlayedPage(tuple(found), None)
            looked_at, position = looked_at + len(some), some[-1]
        return PlayedPage(tuple(found), position)

    async def _next(
        self, person: str, wanted: PlayedWanted, after: ListPosition | None, count: int
    ) -> tuple[list[ListPosition], bool]:
        """Return the next positions behind one, and whether these are all."""
        since, before = wanted.ended.since or 0, wanted.ended.until
        while True:
            ends = [end for end in (before, None if after is None else after.changed_at) if end is not None]
            listed = await self._played.ended(person, since, min(ends, default=None), count)
            positions = (ListPosition(at, match) for at, match in listed)
            behind = [one for one in positions if after is None or one < after]
            if behind or len(listed) < count:
                return behind, len(listed) < count
            # All of them ended with the one that the page begins after.
            before, after = listed[-1][0] - 1, None

    async def _tables(self, rows: RowSet, person: str, some: Sequence[ListPosition]) -> list[InboxTable]:
        matches = [one.match for one in some]
        known = await self._rows.rows(rows, matches)
        held = dict(zip(matches, await self._memberships.held_at(person, matches), strict=True))
        await self._played.drop(person, [match for match in matches if not _is_theirs(held[match])])
        found = (table_in(match, known[match], held[match]) for match in matches if match in known)
        return [table for table in found if table is not None]

    async def _settle(self, rows: RowSet, person: str) -> None:
        """Notice what has ended since somebody looked."""
        if not await self._played.is_made(person):
            memberships = await self._memberships.of(person)
            await self._played.make(person, {one.holder.match for one in memberships})
        open_ones = await self._played.unended(person)
        places = await self._rows.places(rows, open_ones) if open_ones else {}
        over = [match for match, place in places.items() if not place.is_open]
        known = await self._rows.rows(rows, over)
        held = dict(zip(over, await self._memberships.held_at(person, over), strict=True))
        ended = {
            match: row.changed_at
            for match, row in known.items()
            # A table that never began was not played.
            if row.is_over and row.round and table_in(match, row, held[match]) is not None
        }
        await self._played.settle(person, ended, [match for match in known if match not in ended])


def _is_theirs(held: Held) -> bool:
    return bool(held.seat or held.host)


def _within(value: int, wanted: Range) -> bool:
    return (wanted.since is None or value >= wanted.since) and (wanted.until is None or value < wanted.until)
