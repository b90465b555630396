"""Redealing what a seat does not know, for forks that should take another course."""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from typing import TypeVar

from domain.chance import Chance

Card = TypeVar("Card", bound=str | int)


def relaid(
    dealt: Sequence[Card], unknown: Collection[int], card_list: Sequence[Card], chance: Chance
) -> tuple[Card, ...]:
    """Return a dealt order, by place, with its unknown places redealt; the game's cards are in card-list order.

    The cards at those places, in card-list order, are shuffled as round 0 (no round of a match has that number) and
    put back into the places in order.
    """
    cards = iter(chance.shuffle(in_list_order([dealt[place] for place in unknown], card_list), 0, 0))
    places = set(unknown)
    return tuple(next(cards) if place in places else card for place, card in enumerate(dealt))


def in_list_order(cards: Iterable[Card], card_list: Sequence[Card]) -> tuple[Card, ...]:
    """Return cards in the order of the game's card list, in which they are before any shuffle."""
    counts = Counter(cards)
    return tuple(card for card in dict.fromkeys(card_list) for _ in range(counts[card]))
