"""A bot that plays from its seat's view alone: it sheds cards and keeps its hand in few uniform groups.

It makes the move that leaves the lightest hand (see :func:`burden`), or passes if no move makes the hand lighter.
"""

from collections.abc import Sequence

from domain.games.odin.cards import digit_of
from domain.games.odin.legal import OdinLegalMoves
from domain.games.odin.moves import OdinMove, Pass, Play
from domain.games.odin.view import OdinView

GROUP_WEIGHT = 1.2
"""The weight of one more group, in cards: it takes one more turn, which the others must allow."""

DIGIT_WEIGHT = 0.1
"""The relief of one point of mean value, in cards: low cards seldom beat anything."""


def choose(seen: OdinView, legal: OdinLegalMoves, seat: int) -> OdinMove:
    """Return the bot's move."""
    if legal.going_out:
        return Play(legal.going_out)
    hand = seen.hands[seat] or ()
    best: OdinMove = Pass()
    lightest = burden(hand) if legal.can_pass else float("inf")
    for cards in legal.sets:
        rest = [card for card in hand if card not in cards]
        for take in legal.take or (None,):
            weight = burden(rest if take is None else [*rest, take])
            if weight < lightest:
                best, lightest = Play(cards, take), weight
    return best


def burden(cards: Sequence[str]) -> float:
    """Return how far a hand is from being played out, in cards. The hand is not empty."""
    mean = sum(map(digit_of, cards)) / len(cards)
    return len(cards) + GROUP_WEIGHT * fewest_groups(cards) - DIGIT_WEIGHT * mean


def fewest_groups(cards: Sequence[str]) -> int:
    """Return the fewest uniform groups that make up a hand.

    See each card as an edge between its colour and its value: groups are colours and values that cover every edge.
    The smallest cover has as many members as the largest set of cards of which no two share a colour or a value
    (Kőnig's theorem). Augmenting paths find that number.

    >>> fewest_groups(["R1", "R5", "R9", "G5", "B5"])
    2
    """
    values_of: dict[str, list[str]] = {}
    for card in cards:
        values_of.setdefault(card[0], []).append(card[1])
    colour_by_value: dict[str, str] = {}
    return sum(_augment(colour, values_of, colour_by_value, set()) for colour in values_of)


def _augment(
    colour: str, values_of: dict[str, list[str]], colour_by_value: dict[str, str], tried: set[str]
) -> bool:
    """Give the colour a value of its own, moving others to other values where needed."""
    for value in values_of[colour]:
        if value not in tried:
            tried.add(value)
            holder = colour_by_value.get(value)
            if holder is None or _augment(holder, values_of, colour_by_value, tried):
                colour_by_value[value] = colour
                return True
    return False
