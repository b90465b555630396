"""Rulings of Skyjo that may differ from one rules number to another (spec section 4).

A stored match keeps the rules number that it began with, so a released set of rulings never changes: a new ruling
gets a new number.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec


class Rulings(msgspec.Struct, frozen=True):
    """How one rules number settles what the customer's text leaves open.

    Attributes:
        start_tie: Which of the seats tied for the highest sum starts the first round (K1).
        kept_at_reshuffle: How many cards stay on top of the discard pile when the rest is shuffled into the empty
            draw pile (K28).
        laps_to_stall: After how many laps without a hidden card turned up or replaced a round ends as stalled (K31,
            spec section 5). A lap is as many turns as there are seats.
    """

    start_tie: Literal["lowest_seat", "highest_seat"] = "lowest_seat"
    kept_at_reshuffle: int = 1
    laps_to_stall: int = 12


RULINGS: Mapping[int, Rulings] = {1: Rulings()}
