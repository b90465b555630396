"""Plans in Skyjo: when they make a move, and how long they wait for one."""

import pytest
from msgspec.structs import replace

from domain.games.contract import Plan
from domain.games.lama.plans import QuitWhenStuck
from domain.games.skyjo.moves import Take
from domain.games.skyjo.plans import TakeIfLow
from domain.games.skyjo.state import SkyjoState
from domain.viewers import seat_viewer
from tests.unit.domain.games.skyjo import arrange
from tests.unit.domain.games.skyjo.arrange import GAME

BOARDS = "12 (8) 3 | gone", "1 2 3"
TABLE = arrange.given(*BOARDS, discard="3")


def made(state: SkyjoState, most: int = 3, slot: int = 0) -> Plan:
    return GAME.plan_made(TakeIfLow(most, slot), GAME.view(state, seat_viewer(0)))


def planned(plan: Plan, state: SkyjoState) -> object:
    legal = GAME.legal_moves(state, 0)
    assert legal is not None
    return GAME.planned(plan, GAME.view(state, seat_viewer(0)), legal, 0)


def test_a_card_that_is_low_enough_is_taken_for_the_slot():
    assert made(TABLE) == TakeIfLow(3, 0, TABLE.round)
    assert planned(made(TABLE), TABLE) == Take(0)


@pytest.mark.parametrize(
    ("most", "slot", "state"),
    [(2, 0, TABLE), (3, 3, TABLE), (3, 0, arrange.given(*BOARDS, discard="3", drawn=1))],
    ids=["a higher card", "a column that is gone", "a card was drawn"],
)
def test_else_its_owner_decides_themselves(most, slot, state):
    assert planned(made(state, most, slot), state) is None


def test_it_was_made_for_one_round():
    plan, later = made(TABLE), replace(TABLE, round=2)
    assert GAME.plan_lasts(plan, GAME.view(TABLE, seat_viewer(0)))
    assert not GAME.plan_lasts(plan, GAME.view(later, seat_viewer(0)))
    assert planned(plan, later) is None


def test_a_plan_of_another_game_waits_for_nothing_here():
    plan, view = QuitWhenStuck(), GAME.view(TABLE, seat_viewer(0))
    assert GAME.plan_made(plan, view) is plan
    assert not GAME.plan_lasts(plan, view)
    assert planned(plan, TABLE) is None
