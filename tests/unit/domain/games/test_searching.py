"""Moves are compared on the same tables, and no longer than it takes to tell them apart."""

from itertools import count
from random import Random

import pytest

from domain.games.searching import best_of

MANY = 10_000


class Dealing:
    """Tables by their numbers, and how often each move was tried."""

    def __init__(self, *worths: float) -> None:
        self.worths = worths
        self.tables = count()
        self.tried = [0] * len(worths)

    def outcome(self, table: int, move: int) -> float:
        self.tried[move] += 1
        # The same luck for all moves on the same table.
        return self.worths[move] + Random(table).uniform(-0.2, 0.2)

    def best(self, playouts: int = MANY) -> tuple[int, list[float]]:
        best, worths = best_of(len(self.worths), lambda: next(self.tables), self.outcome, playouts, 1.0)
        return best, list(worths)


def test_the_best_move_is_found_and_what_each_is_worth():
    best, worths = Dealing(0.4, 0.3, 0.6).best()
    assert best == 2
    assert worths == pytest.approx([0.4, 0.3, 0.6], abs=0.1)


def test_a_move_that_falls_behind_is_given_up_and_the_clear_best_one_tried_no_longer():
    dealing = Dealing(0.4, 0.1, 0.8)
    dealing.best()
    assert dealing.tried == [24, 24, 24]


def test_equal_moves_are_compared_as_long_as_one_may_and_judgement_keeps_its_own():
    dealing = Dealing(0.5, 0.5)
    assert dealing.best(1000)[0] == 0
    assert sum(dealing.tried) == 1000


def test_a_worth_is_a_chance():
    assert Dealing(0.95, 1.4).best()[1][1] == 1.0
    assert Dealing(0.3, -0.4).best()[1][1] == 0.0
