"""How bots judge a turn of L.A.M.A. without playing it out: three ways, each a level of its own.

They look at a table's hand to move, at the sizes of the others and at nothing that is hidden.
"""

from collections.abc import Mapping
from typing import Final, NamedTuple

from domain.games.lama.simulator import DRAW, FOLLOWING, QUIT, LamaTable, cost_of

_DEAR: Final = 15
"""A beginner draws to a hand that costs more."""

_CHEAP: Final = 5
"""Somebody with some practice quits once their hand costs no more."""


class Weights(NamedTuple):
    """What makes a hand worth drawing to, in points; found by playing, see ``docs/understand/bots.md``.

    Attributes:
        enough: A hand that weighs no more is put down.
        card: For each card of the hand: many cards take long to play.
        rival: For each card of the shortest other hand: there is time left.
        gap: For each value between the top card and the next one that can be played.
        kind: For each different value of the hand: each of them costs.
        same: How much the top's own value is preferred to the next one.
        kept: For each point left in the hand after a play.
        run: For each value that can be played on in a row.
    """

    enough: float
    card: float
    rival: float
    gap: float
    kind: float
    same: float
    kept: float
    run: float


_WEIGHTS: Final[Mapping[int, Weights]] = {
    2: Weights(4.67, -2.81, -0.63, -1.13, 5.33, 1.49, -0.03, 1.92),
    3: Weights(3.90, -0.54, 2.10, -2.11, 0.14, 0.95, -0.03, 3.36),
    4: Weights(2.03, -2.64, 1.93, -2.26, 4.13, -0.16, 0.03, 0.51),
}
_MOST_WEIGHED: Final = 4


def beginners_move(table: LamaTable) -> int:
    """Get rid of the dearest card; with nothing to play, draw until the hand costs little."""
    hand, top = table.hands[table.turn], table.top
    following = FOLLOWING[top]
    if hand[top] and hand[following]:
        return max(top, following)
    if hand[top]:
        return top
    if hand[following]:
        return following
    return DRAW if _may_draw(table) and cost_of(hand) > _DEAR else QUIT


def plain_move(table: LamaTable) -> int:
    """Play the top's own value before the next one; quit with a cheap hand, whoever else is in the round."""
    hand, top = table.hands[table.turn], table.top
    if hand[top]:
        return top
    if hand[FOLLOWING[top]]:
        return FOLLOWING[top]
    return DRAW if _may_draw(table) and cost_of(hand) > _CHEAP else QUIT


def weighed_move(table: LamaTable) -> int:
    """Weigh both playable cards, and drawing against quitting, by hand, table and the time that is left."""
    seat = table.turn
    hand, top = table.hands[seat], table.top
    following = FOLLOWING[top]
    weights = _WEIGHTS[min(table.seats, _MOST_WEIGHED)]
    if hand[top] and hand[following]:
        hand[top] -= 1
        run, kept = run_of(hand, top), cost_of(hand)
        hand[top] += 1
        hand[following] -= 1
        run -= run_of(hand, following)
        kept -= cost_of(hand)
        hand[following] += 1
        return top if weights.same + weights.run * run - weights.kept * kept >= 0 else following
    if hand[top]:
        return top
    if hand[following]:
        return following
    if not table.pile or table.left == 1:
        return QUIT
    rival = 6
    for other in range(table.seats):
        if other != seat and table.active[other] and table.sizes[other] < rival:
            rival = table.sizes[other]
    weight = (
        cost_of(hand)
        + weights.card * table.sizes[seat]
        + weights.rival * rival
        + weights.gap * _gap(hand, top)
        + weights.kind * (7 - hand.count(0))
    )
    return DRAW if weight > weights.enough else QUIT


def _may_draw(table: LamaTable) -> bool:
    return bool(table.pile) and table.left > 1


def run_of(hand: list[int], top: int) -> int:
    """Return how many values the hand could play on the top one after the other if nobody else played."""
    length = 1 if hand[top] else 0
    following = FOLLOWING[top]
    while length < len(FOLLOWING) and hand[following]:
        length += 1
        following = FOLLOWING[following]
    return length


def _gap(hand: list[int], top: int) -> int:
    gap = 0
    while gap < len(FOLLOWING) and not hand[top]:
        gap += 1
        top = FOLLOWING[top]
    return gap
