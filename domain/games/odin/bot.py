"""A bot that plays from its seat's view alone: it sheds cards, and keeps a hand of few uniform groups.

A hand's burden is its number of cards plus a little more than one for each group that it takes to lay it: a group
(all of a colour, or all of a value) can leave the hand in one play. The bot makes the move after which its
burden is least.
"""

from collections.abc import Iterable

from domain.games.odin.legal import OdinLegalMoves
from domain.games.odin.moves import OdinMove, Pass, Play
from domain.games.odin.view import OdinView

GROUP_WEIGHT = 1.2
"""What one more group weighs, in cards."""


def choose(seen: OdinView, legal: OdinLegalMoves, seat: int) -> OdinMove:
    """Return the bot's move.

    Args:
        seen: The seat's view.
        legal: Its legal moves.
        seat: Its number.
    """
    if legal.going_out:
        return Play(legal.going_out)
    hand = seen.hands[seat] or ()
    best: OdinMove = Pass()
    least = burden(hand) if legal.can_pass else float("inf")
    for cards in legal.sets:
        rest = [card for card in hand if card not in cards]
        for take in legal.take or (None,):
            after = burden(rest if take is None else [*rest, take])
            if after < least:
                best, least = Play(cards, take), after
    return best


def burden(cards: Iterable[str]) -> float:
    """Return how far a hand is from being laid, in cards."""
    held = list(cards)
    return len(held) + GROUP_WEIGHT * groups(held)


def groups(cards: Iterable[str]) -> int:
    """Return the fewest uniform groups that make up a hand.

    Read each card as a line between its colour and its value: groups are colours and values that touch every
    line. The fewest of them are as many as the most cards of which no two share a colour or a value (Koenig's
    theorem), and that number is found by augmenting paths.
    """
    values_of: dict[str, list[str]] = {}
    for card in cards:
        values_of.setdefault(card[0], []).append(card[1])
    matched: dict[str, str] = {}
    return sum(_augment(colour, values_of, matched, set()) for colour in values_of)


def _augment(colour: str, values_of: dict[str, list[str]], matched: dict[str, str], tried: set[str]) -> bool:
    for value in values_of[colour]:
        if value not in tried:
            tried.add(value)
            if value not in matched or _augment(matched[value], values_of, matched, tried):
                matched[value] = colour
                return True
    return False
