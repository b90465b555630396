"""After what time a bot answers, so that nobody can read a hand from a hesitation."""

import math
from collections import deque
from typing import Final

from domain.match.levels import pace_of

_REMEMBERED: Final = 20
"""So many turns after a slow one bots still take as long as it did."""


class Pacing:
    """The pace of the bots of one process.

    A bot answers after its level's pace. On a machine so busy that thinking takes longer, it answers after two paces,
    or three; and so do the next bots of its level, whatever they hold. Else those with nothing to think about would be
    told apart from those with much.
    """

    def __init__(self) -> None:
        self._needed: Final[dict[float, deque[int]]] = {}

    def seconds_to_wait(self, level: str, thought: float) -> float:
        """Return how long a bot waits that has thought for some seconds."""
        pace = pace_of(level)
        needed = self._needed.setdefault(pace, deque(maxlen=_REMEMBERED))
        needed.append(max(1, math.ceil(thought / pace)))
        return max(needed) * pace - thought
