"""The 36 cards: 10, 20, 30 and so on up to 120, three times each."""

CARDS: tuple[int, ...] = tuple(value for value in range(10, 130, 10) for _ in range(3))
"""All cards in card-list order."""

HAND_SIZE = 5
"""Cards dealt to each seat."""

TRICKS = 4
"""Tricks in a round; the card that is left is never shown."""


def winner_of(laid: tuple[int, ...]) -> int | None:
    """Return the seat that laid the highest card that nobody else laid; None if there is no such card."""
    alone = [card for card in laid if laid.count(card) == 1]
    return laid.index(max(alone)) if alone else None
