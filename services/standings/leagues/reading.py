"""A league as it stands, read from its record and from the rows of its tables' matches. Nothing of it is kept."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from services.people.clubs.league import League
from services.projections.list_reader import ListReader
from services.projections.matches import KeptRow
from services.standings.leagues.results import key_of, results_of
from services.standings.leagues.table import DecidedBy, LeagueRow, Scoring, decided_by, league_table
from services.standings.results import Result


class LeagueStanding(NamedTuple):
    """How a league stands.

    Attributes:
        rows: The rows of its tables' matches, by match.
        results: By rounds, the results of tables that have one.
        table: Who stands where, the best first.
        decided: For each row of the table, what puts it behind the one above.
    """

    league: League
    rows: Mapping[str, KeptRow]
    results: list[list[Result]]
    table: list[LeagueRow]
    decided: list[DecidedBy]

    @property
    def scoring(self) -> Scoring:
        """What its tables count for."""
        return scoring_of(self.league)


class LeagueReader:
    """Reads how leagues stand. Methods may raise ``StoreUnavailable``."""

    def __init__(self, rows: ListReader) -> None:
        self._rows: Final = rows

    async def standing(self, league: League) -> LeagueStanding:
        """Return how a league stands."""
        readable, matches = await self._rows.readable(), league.tables()
        rows = {} if readable is None or not matches else await self._rows.rows(readable, matches)
        return standing_of(league, rows)


def scoring_of(league: League) -> Scoring:
    """Return what a league's tables count for."""
    return Scoring(league.terms.points, league.terms.places)


def standing_of(league: League, rows: Mapping[str, KeptRow]) -> LeagueStanding:
    """Return how a league stands, given the rows of its matches. Pure."""
    by_rounds = results_of(league, rows)
    results = [result for one in by_rounds for result in one]
    table = league_table(
        [key_of(number) for number in range(len(league.entrants))], results, scoring_of(league)
    )
    return LeagueStanding(league, rows, by_rounds, table, decided_by(table))
