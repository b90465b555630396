"""The table of a league: what its tables counted for. Pure, and exact: thirds are thirds, so level means level."""

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from itertools import groupby, pairwise
from typing import Final, Literal, NamedTuple

from services.people.clubs.league import PointsRule
from services.standings.results import Entrant, Result, among_people, in_order

_ZERO: Final = Fraction(0)

DecidedBy = Literal["", "wins", "between", "placing", "nothing"]
"""What puts somebody behind the one above them who has as many points: empty where the points themselves do;
``nothing`` where they are level in everything, and share a rank."""


class Scoring(NamedTuple):
    """What a table counts for.

    Attributes:
        places: By the rule ``places``, what each place counts for, from the first on.
    """

    rule: PointsRule = "share"
    places: tuple[int, ...] = ()


SHARES: Final = Scoring()


class LeagueRow(NamedTuple):
    """Where somebody stands in a league.

    Attributes:
        rank: Their rank, from 1; those who are level in everything share it.
        entrant: Who it is.
        played: How many of their tables are over, with those that were decided by who came.
        points: What those counted for, by the league's rule.
        wins: At how many tables nobody came before them.
        between: Their points against those alone who are level with them in points and wins.
        placing: The mean of their places among people, from 1 (always first) to 0 (always last, or not there).
        game_points: The mean of their points in the games. It decides nothing: in some games many points are good, and
            who gives up early has few.
        stood_in: At how many tables a bot moved for them.
        missed: To how many tables they did not come.
    """

    rank: int
    entrant: str
    played: int
    points: Fraction
    wins: int
    between: Fraction
    placing: Fraction
    game_points: Fraction
    stood_in: int = 0
    missed: int = 0


def league_table(
    entrants: Sequence[str], results: Iterable[Result], scoring: Scoring = SHARES
) -> list[LeagueRow]:
    """Return a league's table, the best first.

    By points; then wins; then the points that those who are level made against each other; then the better mean of
    places. Who is level in all of that shares a rank. A bot that moved for somebody changes nothing: what a table
    counts for was agreed upon before.
    """
    ordered = in_order(results)
    rows = sorted((_row(entrant, ordered, scoring) for entrant in entrants), key=_merit)
    ranked: list[LeagueRow] = []
    for _, level in groupby(rows, key=_merit):
        group = list(level)
        among = {row.entrant for row in group} if len(group) > 1 else set()
        between = [row._replace(between=_between(row.entrant, among, ordered)) for row in group]
        ranked += sorted(between, key=lambda row: (*_finer(row), row.entrant))
    return [row._replace(rank=1 + sum(_whole(other) < _whole(row) for other in ranked)) for row in ranked]


def decided_by(rows: Sequence[LeagueRow]) -> list[DecidedBy]:
    """Tell for each row of a table what puts it behind the one above."""
    return ["", *(_decided(one, other) for one, other in pairwise(rows))] if rows else []


def points_of(mine: Entrant, result: Result, scoring: Scoring) -> Fraction:
    """Return what a table counts for one of its people; nothing for who did not come."""
    people = among_people(result)
    mine = next(one for one in people if one.person == mine.person)
    if _missed(result, mine):
        return _ZERO
    if scoring.rule == "places":
        beside = sum(one.place == mine.place for one in people)
        taken = scoring.places[mine.place - 1 : mine.place - 1 + beside]
        return Fraction(sum(taken), beside)
    if scoring.rule == "wins":
        winners = sum(one.place == 1 for one in people)
        return Fraction(1, winners) if mine.place == 1 else _ZERO
    beaten = _beaten(mine, people)
    return beaten / (len(people) - 1) if scoring.rule == "share" and len(people) > 1 else beaten


def courses_of(
    entrants: Sequence[str], rounds: Sequence[Iterable[Result]], scoring: Scoring
) -> list[Mapping[str, Fraction]]:
    """Return everybody's points after each of the rounds that have results."""
    sums = dict.fromkeys(entrants, _ZERO)
    found: list[Mapping[str, Fraction]] = []
    for results in rounds:
        ordered = in_order(results)
        for result in ordered:
            for one in among_people(result):
                sums[one.person] = sums.get(one.person, _ZERO) + points_of(one, result, scoring)
        if ordered:
            found.append(dict(sums))
    return found


def _missed(result: Result, mine: Entrant) -> bool:
    return not result.was_played and mine.place > 1


def _decided(above: LeagueRow, row: LeagueRow) -> DecidedBy:
    if above.points != row.points:
        return ""
    if above.wins != row.wins:
        return "wins"
    if above.between != row.between:
        return "between"
    return "nothing" if above.rank == row.rank else "placing"


def _beaten(mine: Entrant, people: Iterable[Entrant]) -> Fraction:
    others = [one for one in people if one.person != mine.person]
    behind = sum(one.place > mine.place for one in others)
    return behind + Fraction(sum(one.place == mine.place for one in others), 2)


def _between(entrant: str, among: set[str], results: Sequence[Result]) -> Fraction:
    found = _ZERO
    for result in results:
        people = [one for one in among_people(result) if one.person in among]
        mine = next((one for one in people if one.person == entrant), None)
        if mine is not None and not _missed(result, mine):
            found += _beaten(mine, people)
    return found


def _merit(row: LeagueRow) -> tuple[Fraction, int]:
    return -row.points, -row.wins


def _finer(row: LeagueRow) -> tuple[Fraction, Fraction]:
    return -row.between, -row.placing


def _whole(row: LeagueRow) -> tuple[object, ...]:
    return (*_merit(row), *_finer(row))


def _row(entrant: str, results: Sequence[Result], scoring: Scoring) -> LeagueRow:
    mine = [(result, one) for result in results for one in among_people(result) if one.person == entrant]
    placings = [points_of(one, result, SHARES) for result, one in mine]
    with_cards = [one.points for result, one in mine if result.was_played]
    return LeagueRow(
        0,
        entrant,
        played=len(mine),
        points=sum((points_of(one, result, scoring) for result, one in mine), _ZERO),
        wins=sum(one.place == 1 for _, one in mine),
        between=_ZERO,
        placing=sum(placings, _ZERO) / len(placings) if placings else _ZERO,
        game_points=Fraction(sum(with_cards), len(with_cards)) if with_cards else _ZERO,
        stood_in=sum(one.stood_in for _, one in mine),
        missed=sum(_missed(result, one) for result, one in mine),
    )
