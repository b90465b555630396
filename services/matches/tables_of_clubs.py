"""The tables of a club as their logs tell them.

What is kept beside the logs says only which matches are a club's. Whether one is over, who sits there and who has won
is read from its log each time.
"""

import asyncio
from collections.abc import Sequence
from typing import Final

from domain.errors import BrokenLog
from domain.instants import Instant, after
from domain.match.fold import Position
from domain.match.state import OVER
from services.errors import MatchClosed, NoSuchMatch
from services.matches.reader import MatchReader
from services.people.clubs.club_tables import ClubTable, ClubTables

RESULTS_ON_A_PAGE: Final = 20

_FAILED_AFTER: Final = 3600
"""Seconds after which a table that has no event was never made: its maker's request failed half way."""


class TablesOfClubs:
    """Lists the tables of clubs. Methods may raise ``StoreUnavailable``."""

    def __init__(self, reader: MatchReader, tables: ClubTables) -> None:
        self._reader = reader
        self._tables = tables

    async def open(self, club: str, now: Instant) -> list[Position]:
        """Return the tables that are not over, newest first; take note of those that have ended."""
        listed = await self._tables.open(club)
        found = await self._positions(listed)
        ended = {one.match: one.at for one in found.values() if _was_played(one)}
        nothing = [match for match, one in found.items() if _is_over(one) and match not in ended]
        nothing += [
            table.match
            for table in listed
            if table.match not in found
            and after(table.at, _FAILED_AFTER) < now
            and await self._is_missing(table)
        ]
        await self._tables.settle(club, ended)
        await self._tables.drop(club, nothing)
        return [
            found[table.match]
            for table in listed
            if table.match in found and not _is_over(found[table.match])
        ]

    async def results(self, club: str, first: int) -> tuple[list[Position], bool]:
        """Return a page of the tables that are over, those that ended last first, and whether there are more.

        Those that have ended since :meth:`open` was asked are left out.
        """
        listed = await self._tables.played(club, first, RESULTS_ON_A_PAGE + 1)
        found = await self._positions(listed[:RESULTS_ON_A_PAGE])
        shown = [found[table.match] for table in listed if table.match in found]
        return shown, len(listed) > RESULTS_ON_A_PAGE

    async def _positions(self, listed: Sequence[ClubTable]) -> dict[str, Position]:
        found = await asyncio.gather(*(self._position(table.match) for table in listed))
        return {one.match: one for one in found if one is not None}

    async def _position(self, match: str) -> Position | None:
        try:
            return await self._reader.head(match)
        except (BrokenLog, NoSuchMatch, MatchClosed):
            # One log that was altered must not take the others from the list.
            return None

    async def _is_missing(self, table: ClubTable) -> bool:
        try:
            await self._reader.head(table.match)
        except NoSuchMatch:
            return True
        except (BrokenLog, MatchClosed):
            return False
        return False


def _is_over(position: Position) -> bool:
    return position.state.lifecycle.phase in OVER


def _was_played(position: Position) -> bool:
    """Tell whether a match is over that had begun: a table that nobody began has no result."""
    return _is_over(position) and position.state.game is not None
