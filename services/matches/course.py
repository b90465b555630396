"""How the score went through a match: after each round who had what, who led, and what turned it. Pure."""

from collections.abc import Iterable, Sequence
from itertools import groupby, pairwise
from typing import Final, NamedTuple

from domain.entries import StoredEntry
from domain.games.contract import GameResult
from domain.match.branches import BACK_AND_FORTH
from domain.match.evolve import game_of
from domain.match.fold import beginning, positions
from domain.match.state import Match
from services.matches.history import Line
from services.matches.reader import MatchReader

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


class Window(NamedTuple):
    """What belongs to a round's score: its scoring, and all that followed it before the next deal.

    Attributes:
        scored: The version at which it was scored.
        settled: The last version before the next deal.
    """

    scored: int
    settled: int


def windows_of(lines: Sequence[Line], left: frozenset[int]) -> list[Window]:
    """Return where the rounds of a match were scored.

    Args:
        lines: The lines of all its events, texts or not.
        left: The versions of what was taken back.
    """
    found: list[Window] = []
    is_over = False
    for line in lines:
        if line.version in left or line.type in BACK_AND_FORTH:
            continue
        if line.scores_round:
            found.append(Window(line.version, line.version))
        is_over = line.scores_round or (is_over and not line.starts_round)
        if is_over:
            found[-1] = found[-1]._replace(settled=line.version)
    return found


def scored_in(window: Window, scored: Match, settled: Match) -> Scored | None:
    """Return the score after a round, from the states at both ends of its window; None if nothing was dealt."""
    if settled.terms is None or scored.game is None or settled.game is None:
        return None
    game = game_of(settled.terms)
    standing = game.standing(settled.game)
    return Scored(game.round_of(scored.game), window.scored, standing.totals, standing.ranking[0])


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
    windows = windows_of(lines, left)
    wanted = {version for window in windows for version in window}
    states = {
        position.version: position.state
        for position in positions(beginning(match), entries)
        if position.version in wanted
    }
    found = (scored_in(window, states[window.scored], states[window.settled]) for window in windows)
    return [one for one in found if one is not None]


async def course_at(reader: MatchReader, match: str, windows: Sequence[Window]) -> list[Scored]:
    """Return the same from the positions of a reader, which has most of a long match in memory.

    Raises what reading a log raises.
    """
    found = []
    for window in windows:
        scored, settled = await reader.at(match, window.scored), await reader.at(match, window.settled)
        one = scored_in(window, scored.state, settled.state)
        found += [] if one is None else [one]
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
