"""Every legal move of a seat, each once."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from domain.games.contract import LegalMoves
from domain.games.odin.cards import CARDS, colour_of, digit_of, in_reading_order, is_uniform, value_of
from domain.games.odin.moves import OdinMove, Pass, Play
from domain.games.odin.rules import counts_to_follow
from domain.games.odin.rulings import Rulings
from domain.games.odin.state import OdinState, centre_of, hand_of


class OdinLegalMoves(LegalMoves, frozen=True):
    """A seat's legal moves. Any set goes with any card to take, so the two are listed separately.

    Attributes:
        sets: Combinations that leave cards in the hand, each as its value is read.
        take: The cards of which a set of ``sets`` must take one; empty when leading.
        going_out: The whole hand, if it may be played now; nothing is taken then.
        can_pass: Whether the seat may pass.
    """

    sets: tuple[tuple[str, ...], ...] = ()
    take: tuple[str, ...] = ()
    going_out: tuple[str, ...] = ()
    can_pass: bool = False


def legal_moves(rulings: Rulings, state: OdinState, seat: int) -> OdinLegalMoves | None:
    """Return what a seat may do now; None if it owes no move."""
    if state.turn != seat:
        return None
    hand = in_reading_order(hand_of(state, seat))
    centre = centre_of(state)
    if centre:
        return _following(rulings, hand, centre)
    sets = tuple((card,) for card in hand) if len(hand) > 1 else ()
    lays_all = len(hand) == 1 or (rulings.whole_hand_lead and is_uniform(hand))
    return OdinLegalMoves(sets, (), hand if lays_all else (), can_pass=False)


def _following(rulings: Rulings, hand: tuple[str, ...], centre: tuple[str, ...]) -> OdinLegalMoves:
    fewest, most = counts_to_follow(rulings, len(centre))
    to_beat = value_of(centre)
    sets: list[tuple[str, ...]] = []
    going_out: tuple[str, ...] = ()
    for count in range(fewest, most + 1):
        for cards in _uniform_sets(hand, count):
            # O4: a larger set is always worth more, so there is no need to compute its value.
            if count == fewest and value_of(cards) <= to_beat:
                continue
            if count == len(hand):
                going_out = cards
            else:
                sets.append(cards)
    return OdinLegalMoves(tuple(sets), centre if sets else (), going_out, can_pass=True)


def _uniform_sets(hand: tuple[str, ...], count: int) -> Iterator[tuple[str, ...]]:
    """Yield every uniform set of ``count`` cards once, from a hand in reading order."""
    if count == 1:
        for card in hand:
            yield (card,)
        return
    by_colour: dict[str, list[str]] = defaultdict(list)
    by_digit: dict[int, list[str]] = defaultdict(list)
    for card in hand:
        by_colour[colour_of(card)].append(card)
        by_digit[digit_of(card)].append(card)
    # No two cards share both colour and value, so no set comes twice.
    for group in (*by_colour.values(), *by_digit.values()):
        yield from combinations(group, count)


def expand(legal: OdinLegalMoves) -> Iterator[OdinMove]:
    """Yield every legal move once."""
    for cards in legal.sets:
        if legal.take:
            for card in legal.take:
                yield Play(cards, card)
        else:
            yield Play(cards)
    if legal.going_out:
        yield Play(legal.going_out)
    if legal.can_pass:
        yield Pass()


def fallback(state: OdinState, seat: int) -> OdinMove:
    """Return a pass, or a leader's lowest card (of several, the first in the card list)."""
    if state.centre:
        return Pass()
    hand = hand_of(state, seat)
    return Play((min((card for card in CARDS if card in hand), key=digit_of),))
