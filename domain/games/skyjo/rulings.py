"""Rulings that tables or later releases may change, gathered per rules number (spec section 4).

A stored match keeps the rules number that it began with, so a set of rulings, once released, never changes;
a new ruling is a new number.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec


class Rulings(msgspec.Struct, frozen=True):
    """How one rules number reads what the customer's text leaves open.

    Attributes:
        start_tie: Which of the seats with the same highest sum starts the first round (K1).
        kept_at_reshuffle: How many cards stay on the discard pile, from its top, when the rest is shuffled
            into the empty draw pile (K28).
        laps_to_stall: After how many laps in which no hidden card was turned or replaced a round ends as
            stalled (K31, spec section 5). A lap is as many turns as there are seats.
    """

    start_tie: Literal["lowest_seat", "highest_seat"] = "lowest_seat"
    kept_at_reshuffle: int = 1
    laps_to_stall: int = 12


RULINGS: Mapping[int, Rulings] = {1: Rulings()}
