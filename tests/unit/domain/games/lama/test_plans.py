"""Plans in L.A.M.A.: when they make a move, and which."""

import pytest

from domain.games.lama.moves import Quit
from domain.games.lama.plans import QuitWhenStuck
from domain.viewers import seat_viewer
from tests.unit.domain.games.lama.arrangement import GAME, A, Table, given


def planned(table: Table) -> object:
    legal = GAME.legal_moves(table.state, A)
    assert legal is not None
    return GAME.planned(QuitWhenStuck(), GAME.view(table.state, seat_viewer(A)), legal, A)


def test_who_can_neither_play_nor_draw_quits():
    assert planned(given("3 6", top="5", pile="")) == Quit()


@pytest.mark.parametrize(
    "table",
    [given("5 6", top="5", pile=""), given("6 6", top="5", pile=""), given("3 6", top="5", pile="1")],
    ids=["the top's own value", "the next value", "a card to draw"],
)
def test_whoever_can_do_anything_else_decides_themselves(table):
    assert planned(table) is None
