"""The rulings of Odin that tables or later releases may change, one value per rules number."""

from collections.abc import Mapping
from types import MappingProxyType

import msgspec


class Rulings(msgspec.Struct, frozen=True):
    """One set of rulings. A stored match is played on under the set with which it began.

    Attributes:
        fewest_seats: O33.
        most_seats: O33; six hands of nine exhaust the cards exactly (O30).
        hand_size: Cards dealt to each seat.
        extra_cards: By how many cards a play may exceed the centre (O1).
        seats_not_passing: How many seats need not pass for a trick to end (O20).
        starter_step: How many seats clockwise from a round's starter the next round's starter sits (O28).
        whole_hand_lead: Whether a leader may lay a uniform hand at once (O8). He never has to (O9).
    """

    fewest_seats: int = 2
    most_seats: int = 6
    hand_size: int = 9
    extra_cards: int = 1
    seats_not_passing: int = 1
    starter_step: int = 1
    whole_hand_lead: bool = True


RULINGS: Mapping[int, Rulings] = MappingProxyType({1: Rulings()})
"""All sets of rulings by rules number."""
