"""The table of a league: points for places at its tables. Pure."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from services.standings.results import Result, among_people, in_order


class LeagueRow(NamedTuple):
    """Where somebody stands in a league.

    Attributes:
        rank: Their rank, from 1; those who are level in everything share it.
        played: How many of their tables are over.
        points: A point for everybody at a table who came after them, half a point for those who share their place.
        wins: At how many tables nobody came before them.
        game_points: The sum of their points in the games.
    """

    rank: int
    entrant: str
    played: int
    points: float
    wins: int
    game_points: int


def league_table(entrants: Sequence[str], results: Iterable[Result]) -> list[LeagueRow]:
    """Return a league's table, the best first: by points, then wins, then fewer points in the games.

    In all three games fewer points are better. Stand-ins do not change what a table counts for: that was agreed upon
    before.
    """
    ordered = in_order(results)
    rows = [_row(entrant, ordered) for entrant in entrants]
    ranked = sorted(rows, key=lambda row: (*_merit(row), row.entrant))
    return [row._replace(rank=1 + sum(_merit(other) < _merit(row) for other in rows)) for row in ranked]


def _merit(row: LeagueRow) -> tuple[float, int, int]:
    return -row.points, -row.wins, row.game_points


def _row(entrant: str, results: Sequence[Result]) -> LeagueRow:
    played, points, wins, game_points = 0, 0.0, 0, 0
    for result in results:
        people = among_people(result)
        mine = next((one for one in people if one.person == entrant), None)
        if mine is None:
            continue
        played += 1
        others = [one for one in people if one.person != entrant]
        points += sum(1.0 if one.place > mine.place else 0.5 * (one.place == mine.place) for one in others)
        wins += mine.place == 1
        game_points += mine.points
    return LeagueRow(0, entrant, played, points, wins, game_points)
