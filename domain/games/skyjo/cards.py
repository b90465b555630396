"""The 150 cards of Skyjo and the shape of a board. A card is its value, from -2 to 12."""

from typing import Literal

CARDS: tuple[int, ...] = (
    *(-2,) * 5,
    *(-1,) * 10,
    *(0,) * 15,
    *(value for value in range(1, 13) for _ in range(10)),
)
"""All cards in card-list order."""

COLUMNS = 4
ROWS = 3
SLOTS = COLUMNS * ROWS
"""Slots of a board; ``slot = column * ROWS + row``."""

FIRST_FLIPS = 2
"""Cards that each seat turns face up before the first turn of a round."""

FEWEST_SEATS = 2
MOST_SEATS = 8

Gone = Literal["gone"]
GONE: Gone = "gone"
"""On the wire: a slot whose column has left the board."""


def column_of(slot: int) -> int:
    """Return the column that a slot is in."""
    return slot // ROWS


def slots_of(column: int) -> range:
    """Return the slots of a column, top to bottom."""
    return range(column * ROWS, column * ROWS + ROWS)
