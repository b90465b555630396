"""The results of a league's tables, from the rows of their matches. Pure: the same however the rows were built."""

from collections.abc import Mapping
from typing import Final, Literal

from domain.instants import milliseconds_of
from services.people.clubs.league import League, LeagueRound, LeagueTable
from services.projections.matches import RESIGNED, STATES, STOOD_IN, KeptRow
from services.standings.results import Entrant, Result, entrants_of

TableState = Literal["planned", "waiting", "playing", "finished", "unplayed", "without_result"]
"""How a table stands: ``planned`` (its round has not opened), ``waiting`` (for people), ``playing``, ``finished``,
``unplayed`` (decided by who came) or ``without_result`` (it counts for nobody)."""

_BY_PHASE: Final[Mapping[str, TableState]] = {
    "gathering": "waiting",
    "playing": "playing",
    "finished": "finished",
    "abandoned": "without_result",
}


def key_of(number: int) -> str:
    """Return what an entrant is called in results, by their number; it sorts as the numbers do."""
    return f"{number:03}"


def results_of(league: League, rows: Mapping[str, KeptRow]) -> list[list[Result]]:
    """Return the results by rounds, of tables that have one."""
    return [
        [
            result
            for table in one.tables
            for result in [result_of(league, one, table, rows)]
            if result is not None
        ]
        for one in league.rounds
    ]


def state_of(table: LeagueTable, rows: Mapping[str, KeptRow]) -> TableState:
    """Return how a table stands."""
    if table.came is not None:
        return "unplayed" if len(table.came) > 0 else "without_result"
    if not table.match:
        return "planned"
    row = rows.get(table.match)
    if table.is_over and (row is None or not row.is_over):
        # Rows come a moment after what they tell of.
        return "finished"
    return "waiting" if row is None else _BY_PHASE[STATES[row.state]]


def result_of(
    league: League, played: LeagueRound, table: LeagueTable, rows: Mapping[str, KeptRow]
) -> Result | None:
    """Return how a table ended; None if it has no result, or none yet.

    A seat is whose it was kept for, whoever moved there. Bots that filled the table up have the seats after those.
    """
    state, game = state_of(table, rows), league.terms.game
    if state == "unplayed":
        came = table.came or ()
        entrants = [
            Entrant(key_of(one), place=1 if one in came else 1 + len(came), points=0) for one in table.seats
        ]
        return Result(table.match, game, milliseconds_of(played.ends), tuple(entrants), was_played=False)
    row = rows.get(table.match)
    if state != "finished" or row is None or not row.ranking:
        return None
    marks = row.marks or (0,) * len(row.seats)
    bots = [Entrant("", place=0, points=0, is_bot=True)] * (len(row.seats) - len(table.seats))
    seats = [
        Entrant(
            key_of(one),
            place=0,
            points=0,
            stood_in=marks[seat] == STOOD_IN,
            resigned=marks[seat] == RESIGNED,
        )
        for seat, one in enumerate(table.seats)
    ]
    return Result(table.match, game, row.changed_at, entrants_of(row.ranking, row.totals, [*seats, *bots]))
