"""Which round decided a match: where whoever won took the lead for good, or else where they gained most. Pure."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from services.matches.course import Scored, ahead, reigns_of


class Decision(NamedTuple):
    """The round that decided a match.

    Attributes:
        round: Its number.
        version: Its end, where it can be looked at.
        begins: The version at which the round before it ended; 0 for the first one.
        winners: Who won, several if they are level.
        before: Who led before it; nobody if the winners had led from the first round on, or if there was no other.
        gained: By how many points the winner gained on the best of the others in it; 0 where several won.
    """

    round: int
    version: int
    begins: int
    winners: tuple[int, ...]
    before: tuple[int, ...]
    gained: int


def decision_of(course: Sequence[Scored], winners: Sequence[int], *, most_wins: bool) -> Decision | None:
    """Return what decided a match.

    Args:
        course: The scores after its rounds.
        winners: Who has the first place in the end.
        most_wins: Whether the most points win.

    Returns:
        None where the scores do not tell: nothing was scored, or whoever led gave up.
    """
    if not course or set(course[-1].leaders) != set(winners):
        return None
    gained = _gained(course, winners, most_wins=most_wins)
    since = next(at for at, one in enumerate(course) if one.version == reigns_of(course)[-1].version)
    if since:
        return _at(course, since, gained[since], before=course[since - 1].leaders)
    most = max(range(len(course)), key=lambda at: (gained[at], -at))
    # Who were level from the first round to the last have gained nothing.
    return _at(course, most, gained[most], before=()) if gained[most] > 0 else None


def _at(course: Sequence[Scored], at: int, gained: int, *, before: tuple[int, ...]) -> Decision:
    begins = course[at - 1].version if at else 0
    return Decision(course[at].round, course[at].version, begins, course[-1].leaders, before, gained)


def _gained(course: Sequence[Scored], winners: Sequence[int], *, most_wins: bool) -> list[int]:
    """Return by round what the winner gained on the best of the others."""
    if len(winners) != 1 or len(course[0].totals) == 1:
        return [0] * len(course)
    leads = [0, *(ahead(one.totals, winners[0], most_wins=most_wins) for one in course)]
    return [after - before for before, after in pairwise(leads)]
