"""How others may play: an expert that takes all of them for its like is surprised too often.

Each is a plain rule, quick enough to play out thousands of rounds with, and looks at nothing that is hidden.
"""

from collections.abc import Callable
from typing import Final

from domain.games.lama.judgement import run_of, weighed_move
from domain.games.lama.simulator import DRAW, FOLLOWING, QUIT, LamaTable, cost_of

Habit = Callable[[LamaTable], int]
"""From a table to the move of the seat whose turn it is."""

_CHEAP: Final = (0, 8, 5, 4)
"""By how many others are still in the round, what a hand may cost that somebody thrifty puts down."""

_FAR: Final = 5
"""With so many cards in every hand, even a single llama can still be played in time."""


def thrifty_move(table: LamaTable) -> int:
    """Keep the longest run playable, and put down a hand that is cheap for the number of others."""
    hand, top = table.hands[table.turn], table.top
    following = FOLLOWING[top]
    if hand[top] and hand[following]:
        return top if _kept(hand, top) >= _kept(hand, following) else following
    if hand[top]:
        return top
    if hand[following]:
        return following
    others = min(table.left - 1, len(_CHEAP) - 1)
    return DRAW if others and table.pile and cost_of(hand) > _CHEAP[others] else QUIT


def patient_move(table: LamaTable) -> int:
    """Play the top's own value first, and put down nothing but cards of a single value."""
    hand, top = table.hands[table.turn], table.top
    if hand[top]:
        return top
    if hand[FOLLOWING[top]]:
        return FOLLOWING[top]
    if not table.pile or table.left == 1:
        return QUIT
    kinds = len(hand) - hand.count(0)
    return DRAW if kinds > 1 or (cost_of(hand) == cost_of(_LLAMA) and min(table.sizes) >= _FAR) else QUIT


HABITS: Final[tuple[Habit, ...]] = (weighed_move, thrifty_move, patient_move)

_LLAMA: Final = [0, 0, 0, 0, 0, 0, 1]


def _kept(hand: list[int], card: int) -> tuple[int, int]:
    """Return how many values can go on a card one after the other once it is played, and what is saved by that."""
    hand[card] -= 1
    run, cost = run_of(hand, card), cost_of(hand)
    hand[card] += 1
    return run, -cost
