"""Chance that does not come from the seed: decks stacked by hand."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.chance import Chance


class StackedChance(Chance, frozen=True):
    """Returns the orders that a test has prepared, and the seed's for all others.

    Attributes:
        orders: The prepared orders, by round and number in the round.
        picks: Prepared numbers, by purpose.
    """

    orders: Mapping[tuple[int, int], Sequence[Any]] = {}
    picks: Mapping[str, int] = {}

    def shuffle(self, cards: Sequence[Any], round_number: int, number: int) -> tuple[Any, ...]:
        """Return the prepared order."""
        stacked = self.orders.get((round_number, number))
        return super().shuffle(cards, round_number, number) if stacked is None else tuple(stacked)

    def pick(self, below: int, purpose: str) -> int:
        """Return the prepared number."""
        known = self.picks.get(purpose)
        return super().pick(below, purpose) if known is None else known
