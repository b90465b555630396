"""The table of a league: what its tables counted for. Pure, and exact: thirds are thirds, so level means level."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby
from typing import Final, NamedTuple

from services.people.clubs.league import PointsRule
from services.standings.results import Entrant, Result, among_people, in_order

_ZERO: Final = Fraction(0)


class LeagueRow(NamedTuple):
    """Where somebody stands in a league.

    Attributes:
        rank: Their rank, from 1; those who are level in everything share it.
        entrant: Who it is.
        played: How many of their tables are over, with those that were decided by who came.
        points: What those counted for, by the league's rule.
        wins: At how many tables nobody came before them.
        between: Their points against those alone who are level with them in points and wins.
        game_points: The mean of their points in the games.
        stood_in: At how many tables a bot moved for them.
        missed: To how many tables they did not come.
    """

    rank: int
    entrant: str
    played: int
    points: Fraction
    wins: int
    between: Fraction
    game_points: Fraction
    stood_in: int = 0
    missed: int = 0


def league_table(
    entrants: Sequence[str], results: Iterable[Result], rule: PointsRule = "beaten"
) -> list[LeagueRow]:
    """Return a league's table, the best first.

    By points; then wins; then the points that those who are level made against each other; then the lower mean of
    points in the games, since in all of them fewer points are better. Who is level in all of that shares a rank. A bot
    that moved for somebody changes nothing: what a table counts for was agreed upon before.
    """
    ordered = in_order(results)
    rows = sorted((_row(entrant, ordered, rule) for entrant in entrants), key=_merit)
    ranked: list[LeagueRow] = []
    for _, level in groupby(rows, key=_merit):
        group = list(level)
        among = {row.entrant for row in group} if len(group) > 1 else set()
        between = [row._replace(between=_between(row.entrant, among, ordered)) for row in group]
        ranked += sorted(between, key=lambda row: (*_finer(row), row.entrant))
    return [row._replace(rank=1 + sum(_whole(other) < _whole(row) for other in ranked)) for row in ranked]


def points_of(mine: Entrant, people: Sequence[Entrant], rule: PointsRule) -> Fraction:
    """Return what a table counts for somebody, given all its people with their places among themselves."""
    if rule == "wins":
        winners = sum(one.place == 1 for one in people)
        return Fraction(1, winners) if mine.place == 1 else _ZERO
    beaten = _beaten(mine, people)
    return beaten / (len(people) - 1) if rule == "share" and len(people) > 1 else beaten


def courses_of(
    entrants: Sequence[str], rounds: Sequence[Iterable[Result]], rule: PointsRule
) -> list[Mapping[str, Fraction]]:
    """Return everybody's points after each of the rounds that have results."""
    sums = dict.fromkeys(entrants, _ZERO)
    found: list[Mapping[str, Fraction]] = []
    for results in rounds:
        people = [among_people(result) for result in results]
        for table in people:
            for one in table:
                sums[one.person] = sums.get(one.person, _ZERO) + points_of(one, table, rule)
        if people:
            found.append(dict(sums))
    return found


def _beaten(mine: Entrant, people: Iterable[Entrant]) -> Fraction:
    others = [one for one in people if one.person != mine.person]
    behind = sum(one.place > mine.place for one in others)
    return behind + Fraction(sum(one.place == mine.place for one in others), 2)


def _between(entrant: str, among: set[str], results: Sequence[Result]) -> Fraction:
    found = _ZERO
    for result in results:
        people = [one for one in among_people(result) if one.person in among]
        found += sum((_beaten(one, people) for one in people if one.person == entrant), _ZERO)
    return found


def _merit(row: LeagueRow) -> tuple[Fraction, int]:
    return -row.points, -row.wins


def _finer(row: LeagueRow) -> tuple[Fraction, bool, Fraction]:
    # Who has not played has no mean, and none that would be good.
    return -row.between, not row.played, row.game_points


def _whole(row: LeagueRow) -> tuple[object, ...]:
    return (*_merit(row), *_finer(row))


def _row(entrant: str, results: Sequence[Result], rule: PointsRule) -> LeagueRow:
    mine = [
        (result, one, people)
        for result in results
        for people in [among_people(result)]
        for one in people
        if one.person == entrant
    ]
    with_cards = [one.points for result, one, _ in mine if result.was_played]
    count: Callable[[Callable[[Result, Entrant], bool]], int] = lambda holds: sum(  # noqa: E731
        holds(result, one) for result, one, _ in mine
    )
    return LeagueRow(
        0,
        entrant,
        played=len(mine),
        points=sum((points_of(one, people, rule) for _, one, people in mine), _ZERO),
        wins=count(lambda _, one: one.place == 1),
        between=_ZERO,
        game_points=Fraction(sum(with_cards), len(with_cards)) if with_cards else _ZERO,
        stood_in=count(lambda _, one: one.stood_in),
        missed=count(lambda result, one: not result.was_played and one.place > 1),
    )
