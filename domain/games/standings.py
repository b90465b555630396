"""What a round's points are worth: the chance to win the match, judged from totals.

Games in which the fewest points win, and a match ends after the round in which somebody reaches a limit.
"""

import math
from collections.abc import Sequence
from typing import Final, Literal

Limit = int | Literal["single"]

_LOGISTIC: Final = 1.2
"""The spread of a logistic curve close to a normal one, for a difference of two totals."""


def share_of_win(totals: Sequence[int], seat: int) -> float:
    """Return a seat's share of the win with final totals: 1 alone, less if shared, else 0."""
    fewest = min(totals)
    return 1 / totals.count(fewest) if totals[seat] == fewest else 0.0


class Prospects:
    """A seat's chance to win the match after this round.

    Args:
        limit: The total at which a match ends after a round.
        pace: How many points the seat that is last gets in a round.
        spread: By how many points one round's results differ from seat to seat.
    """

    def __init__(self, limit: Limit, pace: float, spread: float) -> None:
        self._limit = math.inf if limit == "single" else limit
        self._single = limit == "single"
        self._pace = pace
        self._spread = spread

    def ends(self, totals: Sequence[int]) -> bool:
        """Tell whether the match ends with these totals after a round."""
        return self._single or max(totals) >= self._limit

    def of(self, totals: Sequence[int], seat: int) -> float:
        """Return the chance from 0 to 1 with these totals after a round; exact when they end the match."""
        most = max(totals)
        if self._single or most >= self._limit:
            return share_of_win(totals, seat)
        rounds = 0.5 + (self._limit - most) / self._pace
        scale = self._spread * math.sqrt(rounds) * _LOGISTIC
        own = totals[seat]
        return 1 / sum(math.exp((own - total) / scale) for total in totals)
