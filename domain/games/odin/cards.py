"""The 54 cards, and what a combination of them is worth."""

from collections.abc import Iterable, Sequence
from typing import Annotated

import msgspec

COLOURS = ("R", "O", "Y", "G", "B", "V")
"""Red, orange, yellow, green, blue, violet. Colours have no rank; this is only the order of the card list."""

VALUES = range(1, 10)

CARDS = tuple(f"{colour}{value}" for colour in COLOURS for value in VALUES)
"""All cards in card-list order, each once: colour by colour, values rising."""

# The maximum length is needed because the pattern's end alone would let a line break through.
OdinCard = Annotated[str, msgspec.Meta(pattern="^[ROYGBV][1-9]$", max_length=2)]
"""A card on the wire: colour letter and value."""

_READING_POSITION = {
    card: position for position, card in enumerate(sorted(CARDS, key=lambda card: card[1], reverse=True))
}


def colour_of(card: str) -> str:
    """Return the letter of a card's colour."""
    return card[0]


def digit_of(card: str) -> int:
    """Return a card's value, 1 to 9."""
    return int(card[1])


def value_of(cards: Iterable[str]) -> int:
    """Return what a combination is worth: its digits read from high to low (O5).

    There is no 0, so one card more is always worth more (O4). The order of the cards is irrelevant.

    >>> value_of(["R2", "R8"])
    82
    """
    # O5
    return int("".join(sorted((card[1] for card in cards), reverse=True)))


def is_uniform(cards: Sequence[str]) -> bool:
    """Tell whether all cards have the same colour or all the same value (O6)."""
    # O6: no chains; the whole set shares one or the other. A single card always does.
    first = cards[0]
    return all(card[0] == first[0] for card in cards) or all(card[1] == first[1] for card in cards)


def in_reading_order(cards: Iterable[str]) -> tuple[str, ...]:
    """Return cards as their value is read: from high to low, equal ones in card-list order."""
    return tuple(sorted(cards, key=_READING_POSITION.__getitem__))
