"""How the score went through a match: after each round who had what, who led, and what turned it. Pure."""

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from domain.entries import StoredEntry
from domain.games.contract import GameResult
from domain.match.branches import BACK_AND_FORTH
from domain.match.evolve import game_of
from domain.match.fold import beginning, positions
from services.matches.history import Line

SWINGS: Final = 3
"""How many turning points are told."""


class Scored(NamedTuple):
    """The score after a round.

    Attributes:
        version: Where it can be looked at.
        totals: Points by seat.
        leaders: The seats that led then; several who were level.
    """

    round: int
    version: int
    totals: tuple[int, ...]
    leaders: tuple[int, ...]


class Reign(NamedTuple):
    """Rounds in a row after which the same seats led.

    Attributes:
        first: The first of the rounds.
        last: The last one.
        version: The end of the first one.
    """

    leaders: tuple[int, ...]
    first: int
    last: int
    version: int


class Swing(NamedTuple):
    """A round that brought a seat further ahead of the best of the others than the round before had left it.

    Attributes:
        gained: By how many points.
    """

    round: int
    version: int
    seat: int
    gained: int


def course_of(
    match: str, entries: Sequence[StoredEntry], lines: Sequence[Line], left: frozenset[int]
) -> list[Scored]:
    """Return the scores after the rounds of a match, with all that followed their scoring before the next deal.

    Args:
        match: The match's id.
        entries: Its whole log.
        lines: The lines of all its events, texts or not.
        left: The versions of what was taken back.
    """
    found: list[Scored] = []
    is_over = False
    for line, position in zip(lines, positions(beginning(match), entries), strict=True):
        state = position.state
        if line.version in left or line.type in BACK_AND_FORTH or state.terms is None or state.game is None:
            continue
        if line.scores_round:
            found.append(Scored(game_of(state.terms).round_of(state.game), line.version, (), ()))
        is_over = line.scores_round or (is_over and not line.starts_round)
        if is_over:
            standing = game_of(state.terms).standing(state.game)
            found[-1] = found[-1]._replace(totals=standing.totals, leaders=standing.ranking[0])
    return found


def reigns_of(course: Iterable[Scored]) -> list[Reign]:
    """Return who led when."""
    found = []
    for leaders, group in groupby(course, key=lambda one: one.leaders):
        rounds = list(group)
        found.append(Reign(leaders, rounds[0].round, rounds[-1].round, rounds[0].version))
    return found


def swings_of(course: Sequence[Scored], *, most_wins: bool, most: int = SWINGS) -> list[Swing]:
    """Return the rounds that turned a match most, in their order; the first round turns nothing."""
    found = []
    for before, after in pairwise(course):
        gained = {
            seat: ahead(after.totals, seat, most_wins=most_wins)
            - ahead(before.totals, seat, most_wins=most_wins)
            for seat in range(len(after.totals))
            if len(after.totals) > 1
        }
        seat = max(gained, key=lambda one: (gained[one], -one), default=0)
        if gained.get(seat, 0) > 0:
            found.append(Swing(after.round, after.version, seat, gained[seat]))
    largest = sorted(found, key=lambda one: (-one.gained, one.round))[:most]
    return sorted(largest, key=lambda one: one.round)


def most_wins_by(standing: GameResult) -> bool:
    """Tell whether the most points win, by how a game stands; the fewest where it does not show."""
    first, last = standing.ranking[0][0], standing.ranking[-1][0]
    return standing.totals[first] > standing.totals[last]


def ahead(totals: Sequence[int], seat: int, *, most_wins: bool) -> int:
    """Return by how many points a seat is ahead of the best of the others; below zero if it is behind."""
    others = [total for other, total in enumerate(totals) if other != seat]
    return totals[seat] - max(others) if most_wins else min(others) - totals[seat]
