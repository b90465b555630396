"""The score through a match: after each round, with all that followed it, and without what was taken back."""

from random import Random

import pytest

from domain.games.contract import GameResult
from domain.viewers import EVERYTHING
from services.matches.course import (
    Reign,
    Scored,
    Swing,
    course_of,
    most_wins_by,
    reigns_of,
    swings_of,
)
from services.matches.history import lines_of
from services.matches.moments import left_in
from tests.kit.games import every_key
from tests.kit.play import Player
from tests.kit.table import started

NAMES = ("Anna", "Ben")

COURSE = [
    Scored(1, 10, (5, 9), (0,)),
    Scored(2, 20, (30, 12), (1,)),
    Scored(3, 30, (31, 31), (0, 1)),
    Scored(4, 40, (33, 40), (0,)),
]


def test_who_led_when():
    assert reigns_of([*COURSE, Scored(5, 50, (34, 44), (0,))]) == [
        Reign((0,), 1, 1, 10),
        Reign((1,), 2, 2, 20),
        Reign((0, 1), 3, 3, 30),
        Reign((0,), 4, 5, 40),
    ]
    assert reigns_of([]) == []


def test_what_turned_it():
    assert swings_of(COURSE, most_wins=False, most=2) == [Swing(2, 20, 1, 22), Swing(3, 30, 0, 18)]
    assert [one.seat for one in swings_of(COURSE, most_wins=True)] == [0, 1, 1]
    assert swings_of(COURSE[:1], most_wins=False) == []
    assert most_wins_by(GameResult(((1,), (0,)), (3, 8)))
    assert not most_wins_by(GameResult(((0,), (1,)), (3, 8)))
    assert not most_wins_by(GameResult(((0, 1),), (3, 3)))


@every_key
@pytest.mark.parametrize("undo", ["practice", "off"])
def test_the_last_score_is_how_the_match_ended_and_rounds_come_once(game, undo):
    table, random = started(game, 2, undo=undo), Random(3)
    player = Player(table, random)
    while player.is_on:
        player.bot_move()
        if undo == "practice" and random.random() < 0.15:
            player.undo()
    entries = list(table.entries)
    lines = list(lines_of(entries, EVERYTHING, game, NAMES, "en"))
    course = course_of("m1", entries, lines, left_in(entries))
    assert [one.round for one in course] == list(range(1, len(course) + 1))
    assert course[-1].totals == table.state.lifecycle.totals
    assert course[-1].leaders == table.state.lifecycle.ranking[0]
