"""Comparing moves by playing out the same possible tables after each of them."""

import math
from collections.abc import Callable, Sequence
from random import Random
from typing import Final, Generic, TypeVar

import msgspec

from domain.chance import Chance

Table = TypeVar("Table")
MoveOf = TypeVar("MoveOf")

Source = Random
"""A quick source of chance. It follows from a bot's own, see :func:`source_of`; the module's functions are not used."""


class Worth(msgspec.Struct, Generic[MoveOf], frozen=True):
    """What a move is worth.

    Attributes:
        move: The move.
        worth: The chance to win the match after it, from 0 to 1.
    """

    move: MoveOf
    worth: float


_FIRST: Final = 16
"""After so many tables, and each time they have doubled, moves that fell behind are given up."""


def source_of(chance: Chance) -> Source:
    """Return a quick source of chance that follows from a bot's own: thousands of tables are dealt for one move."""
    return Random(chance.seed)  # noqa: S311 - nothing is kept secret with it


def best_of(
    moves: int,
    deal: Callable[[], Table],
    outcome: Callable[[Table, int], float],
    playouts: int,
    certainty: float,
) -> tuple[int, Sequence[float]]:
    """Return the move that does best, and what each was worth on average.

    All moves are tried on the same tables, so that luck cancels out. Move 0 is the judgement's: another one is made
    only if it does better by enough standard errors. A few playouts otherwise lose more by chance than they find.

    Args:
        moves: How many moves there are.
        deal: Returns a possible table.
        outcome: Plays a copy of the table out after a move, by its number; returns what that is worth.
        playouts: How many courses of the game to play out in all.
        certainty: How many standard errors another move must be ahead of move 0.
    """
    alive = list(range(moves))
    totals, squares, counts = [0.0] * moves, [0.0] * moves, [0] * moves
    sums = [0.0] * moves
    tables, look = 0, _FIRST
    spent = 0
    while spent + len(alive) <= playouts and len(alive) > 1:
        table = deal()
        first = outcome(table, 0)
        sums[0] += first
        counts[0] += 1
        for move in alive:
            if move:
                worth = outcome(table, move)
                sums[move] += worth
                totals[move] += worth - first
                squares[move] += (worth - first) ** 2
                counts[move] += 1
        spent += len(alive)
        tables += 1
        if tables == look:
            look *= 2
            alive = _in_the_running(alive, totals, squares, tables)
    best, most = 0, 0.0
    for move in alive:
        if move and counts[move] > 1:
            lead = totals[move] / counts[move]
            if lead > most and lead > certainty * _error(totals[move], squares[move], counts[move]):
                best, most = move, lead
    return best, [total / count if count else 0.0 for total, count in zip(sums, counts, strict=True)]


def _in_the_running(alive: list[int], totals: list[float], squares: list[float], tables: int) -> list[int]:
    """Return move 0, and the moves that may still turn out best."""
    best = max(totals[move] for move in alive)
    return [
        move
        for move in alive
        if not move
        or (best - totals[move]) / tables <= 3 * _error(totals[move], squares[move], tables) + 1e-9
    ]


def _error(total: float, square: float, count: int) -> float:
    mean = total / count
    return math.sqrt(max(square / count - mean * mean, 1e-12) / count)
