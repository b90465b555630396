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


_LOOK: Final = 24
"""After so many tables, again and again, moves that fell behind are given up."""

_BEHIND: Final = 3.0
"""How many standard errors a move is behind when it is given up."""

_CLEAR: Final = 3.5
"""How many standard errors the last other move is ahead of move 0 when nothing is left to find out."""


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
    leads = [_Lead() for _ in range(moves)]
    alive = list(range(moves))
    first_total, tables, spent = 0.0, 0, 0
    while spent + len(alive) <= playouts and len(alive) > 1:
        table = deal()
        first = outcome(table, 0)
        first_total += first
        for move in alive[1:]:
            leads[move].add(outcome(table, move) - first)
        spent += len(alive)
        tables += 1
        if tables % _LOOK == 0:
            alive = _in_the_running(alive, leads)
            others = [leads[move] for move in alive[1:]]
            if len(others) == 1 and others[0].mean > _CLEAR * others[0].error:
                break
    best, most = 0, 0.0
    for move in alive[1:]:
        lead = leads[move]
        if lead.count > 1 and lead.mean > max(most, certainty * lead.error):
            best, most = move, lead.mean
    # A move that was given up early is compared on the tables that it was tried on: others may have been luckier.
    base = first_total / tables if tables else 0.0
    return best, [min(1.0, max(0.0, base + lead.mean)) for lead in leads]


class _Lead:
    """By how much a move does better than move 0, on the tables on which both were tried."""

    __slots__ = ("_square", "_total", "count")

    def __init__(self) -> None:
        self.count = 0
        self._total = self._square = 0.0

    def add(self, difference: float) -> None:
        self.count += 1
        self._total += difference
        self._square += difference * difference

    @property
    def mean(self) -> float:
        return self._total / self.count if self.count else 0.0

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        return math.sqrt(max(self._square / self.count - self.mean**2, 1e-12) / self.count)


def _in_the_running(alive: list[int], leads: Sequence[_Lead]) -> list[int]:
    """Return move 0, and the moves that may still turn out best."""
    best = max(leads[move].mean for move in alive)
    return [
        move for move in alive if not move or best - leads[move].mean <= _BEHIND * leads[move].error + 1e-9
    ]
