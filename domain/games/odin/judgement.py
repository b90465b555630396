"""How bots judge a turn of Odin without playing it out: three ways, each a level of its own.

They look at the hand to move, at the centre and at the sizes of the other hands, and at nothing that is hidden.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from domain.games.odin.simulator import COLOUR_BITS, PER_COLOUR, OdinTable, singles

GROUP_WEIGHT: Final = 0.3
"""The weight of one more group, in cards, where nothing else is weighed: it settles between equal hands."""

_KEPT: Final = 200_000
"""How many hands are remembered: playing out meets the same ones again and again."""

Move = tuple[int, int, int]
"""The set played, the card taken, what the set is worth; all 0 for a pass."""


class Weights(NamedTuple):
    """What counts beside the number of cards, in cards; found by playing, see ``docs/understand/bots.md``.

    Attributes:
        group: One more group left in the hand.
        digit: One point of the hand's mean value.
        control: Playing what others will hardly beat.
        danger: The same, the more so the fewer cards another seat holds.
        patience: Passing.
        urgency: Passing, the more so the fewer cards another seat holds.
        lead: Control, when leading.
        size: By how much each card beyond the first makes a set harder to beat.
    """

    group: float
    digit: float
    control: float
    danger: float
    patience: float
    urgency: float
    lead: float
    size: float


_WEIGHTS: Final[Mapping[int, Weights]] = {
    2: Weights(1.26, 0.08, -0.24, 1.16, 0.95, -1.5, -0.12, 0.63),
    3: Weights(1.2, 0.07, -0.28, 0.0, 0.0, 0.0, -0.08, 0.3),
    4: Weights(1.2, 0.07, -0.28, 0.0, 0.0, 0.0, -0.08, 0.3),
}
_MOST_WEIGHED: Final = 4

_DIGIT_SUMS: Final = tuple(
    sum(value + 1 for value in range(PER_COLOUR) if bits >> value & 1) for bits in range(COLOUR_BITS + 1)
)

_features: Final[dict[int, tuple[int, int, float]]] = {}


def features_of(hand: int) -> tuple[int, int, float]:
    """Return a hand's number of cards, fewest groups and mean value. The hand is not empty."""
    found = _features.get(hand)
    if found is None:
        rows = _rows(hand)
        count = hand.bit_count()
        digits = 0
        for row in rows:
            digits += _DIGIT_SUMS[row]
        if len(_features) >= _KEPT:
            _features.clear()
        found = _features[hand] = count, fewest_groups(rows), digits / count
    return found


def _rows(hand: int) -> list[int]:
    """Return the values held of each colour, as bits, where there are any."""
    rows = []
    while hand:
        if row := hand & COLOUR_BITS:
            rows.append(row)
        hand >>= PER_COLOUR
    return rows


def fewest_groups(rows: list[int]) -> int:
    """Return the fewest uniform groups that make up a hand, given the values held of each colour.

    A group is a colour or a value. A colour with one card is never better covered by itself than by that card's value,
    nor a value with one card than by its colour: both are settled first. What is left is tried out.

    >>> fewest_groups([0b100010001, 0b000010000, 0b000010000])
    2
    """
    settled = 0
    while rows:
        forced = 0
        for row in rows:
            if not row & row - 1:
                forced |= row
        if forced:
            settled += forced.bit_count()
            rows = [rest for row in rows if (rest := row & ~forced)]
            continue
        seen = twice = 0
        for row in rows:
            twice |= seen & row
            seen |= row
        once = seen & ~twice
        if once:
            before = len(rows)
            rows = [row for row in rows if not row & once]
            settled += before - len(rows)
            continue
        choices = [(0, 0)]
        for row in rows:
            choices = [(count + 1, values) for count, values in choices] + [
                (count, values | row) for count, values in choices
            ]
        return settled + min(count + values.bit_count() for count, values in choices)
    return settled


def burden(hand: int) -> float:
    """Return how far a hand is from being played out, in cards. The hand is not empty."""
    count, groups, _ = features_of(hand)
    return count + GROUP_WEIGHT * groups


def beginners_move(table: OdinTable) -> Move:
    """Play the lowest set that is allowed, and take the highest card; pass only if nothing can be played."""
    hand = table.hands[table.turn]
    sets = table.sets()
    if not sets:
        return 0, 0, 0
    cards, worth = min(sets, key=lambda each: each[1])
    takes = singles(table.centre) if hand & ~cards else ()
    return cards, max(takes, key=_digit, default=0), worth


def plain_move(table: OdinTable) -> Move:
    """Leave the lightest hand: few cards, and of equally many, those in fewer groups."""
    hand = table.hands[table.turn]
    best, lightest = (0, 0, 0), burden(hand) if table.count else float("inf")
    takes = singles(table.centre) or (0,)
    for cards, worth in table.sets():
        rest = hand & ~cards
        if not rest:
            return cards, 0, worth
        for take in takes:
            weight = burden(rest | take)
            if weight < lightest:
                best, lightest = (cards, take, worth), weight
    return best


def weighed_move(table: OdinTable, *, stays: bool = False) -> Move:
    """Weigh the hand that is left against who will hold the centre, and against how few cards the others hold.

    Args:
        table: The table.
        stays: Whether going out is to be avoided as long as there is anything else.
    """
    seat = table.turn
    hand = table.hands[seat]
    weights = _WEIGHTS[min(table.seats, _MOST_WEIGHED)]
    fewest = min([cards.bit_count() for other, cards in enumerate(table.hands) if other != seat])
    danger = 1 / fewest if fewest else 1.0
    control = weights.control + weights.danger * danger
    best, lightest = (0, 0, 0), float("inf")
    takes: tuple[int, ...] = (0,)
    out = best
    if table.count:
        count, groups, mean = features_of(hand)
        lightest = count + weights.group * groups - weights.digit * mean
        lightest += weights.patience + weights.urgency * danger
        takes = singles(table.centre)
    else:
        control += weights.lead
    for cards, worth in table.sets():
        rest = hand & ~cards
        if not rest:
            if not stays:
                return cards, 0, worth
            out = cards, 0, worth
            continue
        top = worth
        while top > PER_COLOUR:
            top //= 10
        strength = control * (top / PER_COLOUR + weights.size * (cards.bit_count() - 1))
        for take in takes:
            count, groups, mean = features_of(rest | take)
            weight = count + weights.group * groups - weights.digit * mean - strength
            if weight < lightest:
                best, lightest = (cards, take, worth), weight
    return best if best[0] or table.count else out


def _digit(card: int) -> int:
    return (card.bit_length() - 1) % PER_COLOUR
