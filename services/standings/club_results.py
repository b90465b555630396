"""The results of a club's matches, from the rows of those that are over."""

from collections.abc import Mapping, Sequence
from typing import Final

from services.people.clubs.club_tables import ClubTables
from services.people.memberships import Memberships
from services.projections.list_reader import ListReader
from services.projections.matches import RESIGNED, STOOD_IN, KeptRow, players_of
from services.standings.results import Entrant, Result, entrants_of, in_order

MOST: Final = 20_000
"""Of how many matches a club's standings are made; older ones are left out."""

_AT_ONCE: Final = 500


class ClubResults:
    """Reads results. Methods may raise ``StoreUnavailable``."""

    def __init__(self, rows: ListReader, tables: ClubTables, memberships: Memberships) -> None:
        self._rows: Final = rows
        self._tables: Final = tables
        self._memberships: Final = memberships

    async def of(self, club: str) -> list[Result]:
        """Return all results of a club, in their order. Matches whose result shall not count are left out."""
        rows = await self.rows(club)
        persons = await self.persons(rows)
        return in_order(result_of(match, row, persons) for match, row in rows.items())

    async def rows(self, club: str) -> dict[str, KeptRow]:
        """Return the rows of a club's matches that count."""
        readable = await self._rows.readable()
        found: dict[str, KeptRow] = {}
        for first in range(0, MOST if readable is not None else 0, _AT_ONCE):
            listed = await self._tables.played(club, first, _AT_ONCE)
            if not listed or readable is None:
                break
            rows = await self._rows.rows(readable, [table.match for table in listed])
            found |= {match: row for match, row in rows.items() if row.ranking and not row.friendly}
        return found

    async def persons(self, rows: Mapping[str, KeptRow]) -> Mapping[str, str]:
        """Return whose the players of some matches are."""
        found: dict[str, str] = {}
        players = [one.player for row in rows.values() for one in players_of(row) if one.kind == "person"]
        for start in range(0, len(players), _AT_ONCE):
            some = players[start : start + _AT_ONCE]
            found |= dict(zip(some, await self._memberships.persons_of(some), strict=True))
        return found


def result_of(match: str, row: KeptRow, persons: Mapping[str, str]) -> Result:
    """Return a match's result, given whose players are whose. Pure."""
    marks: Sequence[int] = row.marks or (0,) * len(row.seats)
    seats = [
        Entrant(
            persons.get(one.player, "") if one.kind == "person" else "",
            place=0,
            points=0,
            is_bot=one.kind == "bot",
            stood_in=marks[one.seat] == STOOD_IN,
            resigned=marks[one.seat] == RESIGNED,
        )
        for one in players_of(row)
    ]
    return Result(match, row.game, row.changed_at, entrants_of(row.ranking, row.totals, seats))
