"""Listing matches: pages of rows, newest change first, without reading a match or scanning the store."""

from collections.abc import Sequence
from typing import Final

import msgspec

from domain.instants import Instant, milliseconds_of
from domain.match.state import OVER
from services.projections.keys import RowSet
from services.projections.list_positions import ListPosition, mark_of, mark_within, position_of_mark
from services.projections.list_reader import ListReader, Look, Range
from services.projections.matches import ENDED, OPEN, STATES, KeptRow, MatchRow, State, match_row

MOST_LOOKED_AT: Final = 5000
"""A page ends after so many rows, however few of them fit: this bounds the cost of a filter that nothing fits."""

_BIGGEST_PIECE: Final = 1000


class Parts(msgspec.Struct, frozen=True):
    """Which private matches somebody may see.

    Attributes:
        hosts: Ids of the matches that they host.
        players: Their opaque player ids. They see a match for as long as they sit there.
    """

    hosts: frozenset[str] = frozenset()
    players: frozenset[str] = frozenset()

    def may_see(self, match: str, row: KeptRow) -> bool:
        """Tell whether they may see a match."""
        return not row.private or match in self.hosts or not self.players.isdisjoint(row.seats)


class MatchFilter(msgspec.Struct, frozen=True):
    """Which matches are wanted. A field left out matches everything.

    Attributes:
        player: The opaque id of a person who sits at the table.
        state: The state of the match.
        since: The last event was at this instant or later.
        until: The last event was before this instant.
        seen_by: The asker's parts in private matches; None for an operator, who sees every row.
    """

    player: str | None = None
    game: str | None = None
    state: State | None = None
    since: Instant | None = None
    until: Instant | None = None
    seen_by: Parts | None = None

    @property
    def within(self) -> Range:
        """The range in which the last event must lie."""
        return Range(
            None if self.since is None else milliseconds_of(self.since),
            None if self.until is None else milliseconds_of(self.until),
        )

    def fits(self, match: str, row: KeptRow) -> bool:
        """Tell whether a match is wanted, apart from its times."""
        return (
            (self.player is None or self.player in row.seats)
            and self.game in {None, row.game}
            and self.state in {None, STATES[row.state]}
            and (self.seen_by is None or self.seen_by.may_see(match, row))
        )


class ListingPage(msgspec.Struct, frozen=True):
    """A page of a list.

    Attributes:
        rows: The matches, newest change first.
        next: Where the next page begins; None on the last. A page with fewer rows than were asked for may still have a
            next one.
    """

    rows: tuple[MatchRow, ...]
    next: str | None


class Listing:
    """Lists matches. Every method may raise ``StoreUnavailable``."""

    def __init__(self, look: Look, shards: int) -> None:
        self._reader: Final = ListReader(look, shards)

    async def row(self, match: str) -> MatchRow | None:
        """Return a match's row; None if there is none, or none yet."""
        return next(iter(await self.rows([match])), None)

    async def rows(self, matches: Sequence[str]) -> tuple[MatchRow, ...]:
        """Return the rows of those matches that have one."""
        rows = await self._reader.readable()
        found = {} if rows is None else await self._reader.rows(rows, matches)
        return await self._shown(list(found.items()))

    async def page(self, wanted: MatchFilter, after: str | None, count: int) -> ListingPage:
        """Return at most ``count`` matches from a page's ``next`` on; None begins with the first.

        A match that changes while somebody turns pages moves to the front: they see no match twice, and may miss that
        one.

        Raises:
            Malformed: ``after`` is not the ``next`` of any page.
        """
        position = None if after is None else position_of_mark(after)
        rows = await self._reader.readable()
        if rows is None:
            return ListingPage((), None)
        found, mark = await self._found(rows, wanted, position, count)
        return ListingPage(await self._shown(found), mark)

    async def _found(
        self, rows: RowSet, wanted: MatchFilter, position: ListPosition | None, count: int
    ) -> tuple[list[tuple[str, KeptRow]], str | None]:
        """Return the next fitting rows after a position, and the mark of the next page."""
        positions = await self._of_player(rows, wanted) if wanted.player is not None else None
        found: list[tuple[str, KeptRow]] = []
        looked_at = 0
        while True:
            piece = min(_BIGGEST_PIECE, max(count + 1 - len(found), looked_at))
            some, is_last = await self._next(rows, wanted, positions, position, piece)
            by_match = await self._reader.rows(rows, [one.match for one in some])
            for one in some:
                row = by_match.get(one.match)
                # A row that has changed since its position was read is at the front of the list now.
                if row is not None and row.changed_at == one.changed_at and wanted.fits(one.match, row):
                    if len(found) == count:
                        return found, mark_of(_position(found[-1]))
                    found.append((one.match, row))
                position = one
            looked_at += len(some)
            if is_last or position is None:
                return found, None
            if looked_at >= MOST_LOOKED_AT:
                shown_last = found and _position(found[-1]).changed_at == position.changed_at
                return found, mark_of(_position(found[-1])) if shown_last else mark_within(
                    position.changed_at
                )

    async def _next(
        self,
        rows: RowSet,
        wanted: MatchFilter,
        positions: Sequence[ListPosition] | None,
        after: ListPosition | None,
        count: int,
    ) -> tuple[Sequence[ListPosition], bool]:
        if positions is not None:
            behind = [one for one in positions if after is None or one < after]
            return behind[:count], len(behind) <= count
        indexes = (OPEN, ENDED) if wanted.state is None else (ENDED,) if wanted.state in OVER else (OPEN,)
        return await self._reader.behind(rows, indexes, wanted.within, after, count)

    async def _of_player(self, rows: RowSet, wanted: MatchFilter) -> Sequence[ListPosition]:
        within = wanted.within
        return [
            position
            for position in await self._reader.of_player(rows, wanted.player or "")
            if (within.since is None or position.changed_at >= within.since)
            and (within.until is None or position.changed_at < within.until)
        ]

    async def _shown(self, found: Sequence[tuple[str, KeptRow]]) -> tuple[MatchRow, ...]:
        closed = [match for match, row in found if STATES[row.state] in OVER]
        archived = await self._reader.archived(closed)
        return tuple(match_row(match, row, archived=archived.get(match, False)) for match, row in found)


def _position(found: tuple[str, KeptRow]) -> ListPosition:
    match, row = found
    return ListPosition(row.changed_at, match)
