"""Rulings of Odin that may differ from one rules number to another."""

from collections.abc import Mapping
from types import MappingProxyType

import msgspec


class Rulings(msgspec.Struct, frozen=True):
    """One set of rulings. A stored match keeps the set that it began with.

    Attributes:
        fewest_seats: O33.
        most_seats: O33; six hands of nine exhaust the cards exactly (O30).
        hand_size: Cards dealt to each seat.
        extra_cards: How many more cards than the centre a play may have (O1).
        seats_not_passing: How many seats need not pass for a trick to end (O20).
        starter_step: How many seats clockwise from a round's starter the next round's starter sits (O28).
        whole_hand_lead: Whether a leader may play a uniform hand at once (O8). They never have to (O9).
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
