"""The 56 cards of L.A.M.A., which may be played on which, and what they cost."""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Literal

LamaCard = Literal["1", "2", "3", "4", "5", "6", "L"]
"""A card on the wire; ``L`` is the llama."""

VALUES: tuple[LamaCard, ...] = ("1", "2", "3", "4", "5", "6", "L")
"""The seven values in card-list order."""

COPIES = 8
"""How often each value occurs."""

CARDS: tuple[LamaCard, ...] = tuple(value for value in VALUES for _ in range(COPIES))
"""All cards in card-list order."""

HAND_SIZE = 6
"""Cards dealt to each seat."""

NEXT: Mapping[LamaCard, LamaCard] = {"1": "2", "2": "3", "3": "4", "4": "5", "5": "6", "6": "L", "L": "1"}
"""The value that follows each value; after the llama comes the 1 again."""

POINTS: Mapping[LamaCard, int] = {"1": 1, "2": 2, "3": 3, "4": 4, "5": 5, "6": 6, "L": 10}
"""What a value costs at the end of a round."""


def playable_on(top: LamaCard) -> tuple[LamaCard, LamaCard]:
    """Return the two values that may be played on a card: the same one, then the next one.

    M1: the same value or one more. M2: on a 6 that means a 6 or a llama, never a 1. M3: on a llama it means a
    llama or a 1, never a 2. M4: one more is exactly one more; no other higher card will do.
    """
    return top, NEXT[top]


def points_of(cards: Iterable[LamaCard]) -> int:
    """Return what held cards cost, from 0 to 31.

    M18: every value counts once, however many copies are held, and all llamas together cost 10.
    """
    return sum(POINTS[value] for value in set(cards))


def in_list_order(cards: Iterable[LamaCard]) -> tuple[LamaCard, ...]:
    """Return the cards in card-list order, which does not show when each was taken up."""
    return tuple(sorted(cards, key=VALUES.index))


def without(cards: Iterable[LamaCard], removed: Iterable[LamaCard]) -> tuple[LamaCard, ...]:
    """Return the cards left, in card-list order, after removing others."""
    rest = Counter(cards)
    rest.subtract(Counter(removed))
    return in_list_order(rest.elements())
