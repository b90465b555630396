"""Plans in Odin: when they make a move, and how long they wait for one."""

import pytest
from msgspec.structs import replace

from domain.games.contract import Plan
from domain.games.odin.plans import PassThisTrick, PassWhenBeaten
from domain.games.odin.state import OdinState
from domain.viewers import seat_viewer
from tests.unit.domain.games.odin import arrange
from tests.unit.domain.games.odin.arrange import GAME, PASS

BEATEN = arrange.given("R1 B2", "V5", centre="O9")
BEATS = arrange.given("R9 B2", "V5", centre="O8")
GOES_OUT = arrange.given("R1 R2", "V5", centre="O9")
LEADS = arrange.given("R1 B2", "V5")


def planned(plan: Plan, state: OdinState) -> object:
    legal = GAME.legal_moves(state, 0)
    assert legal is not None
    return GAME.planned(plan, GAME.view(state, seat_viewer(0)), legal, 0)


def made(plan: Plan, state: OdinState) -> Plan:
    return GAME.plan_made(plan, GAME.view(state, seat_viewer(0)))


def lasts(plan: Plan, state: OdinState) -> bool:
    return GAME.plan_lasts(plan, GAME.view(state, seat_viewer(0)))


def test_whom_the_centre_beats_passes():
    assert planned(PassWhenBeaten(), BEATEN) == PASS


@pytest.mark.parametrize("state", [BEATS, GOES_OUT, LEADS], ids=["beats it", "goes out", "leads"])
def test_whoever_could_play_decides_themselves(state):
    assert planned(PassWhenBeaten(), state) is None


def test_passing_until_the_trick_ends_passes_with_a_good_hand_too():
    plan = made(PassThisTrick(), BEATS)
    assert plan == PassThisTrick(1, 1)
    assert planned(plan, BEATS) == PASS
    assert lasts(plan, BEATS)


@pytest.mark.parametrize("later", [{"trick": 2}, {"round": 2}])
def test_in_the_next_trick_it_has_nothing_to_wait_for(later):
    plan, state = made(PassThisTrick(), BEATS), replace(BEATS, **later)
    assert not lasts(plan, state)
    assert planned(plan, state) is None


def test_nobody_passes_who_has_to_lead():
    assert planned(made(PassThisTrick(), LEADS), LEADS) is None


def test_passing_when_beaten_is_for_the_whole_match():
    assert made(PassWhenBeaten(), BEATEN) == PassWhenBeaten()
    assert lasts(PassWhenBeaten(), replace(BEATEN, round=9, trick=9))
