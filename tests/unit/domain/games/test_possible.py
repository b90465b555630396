"""Of states that nobody vouches for, those that could be a game's are told from those that could not."""

from random import Random

import pytest
from msgspec.structs import replace

from domain.games.possible import is_possible
from tests.kit.games import every_game
from tests.kit.play import Player
from tests.kit.table import gathered, started
from tests.unit.domain.games.lama import arrangement as lama
from tests.unit.domain.games.odin import arrange as odin
from tests.unit.domain.games.skyjo import arrange as skyjo


@every_game
def test_every_state_of_a_match_is_possible(game):
    table = started(game, 3)
    assert is_possible(game, game.initial(game.options_type(), 3), 3)
    player = Player(table, Random(7))
    for _ in range(25):
        assert is_possible(game, table.present, 3)
        if not player.is_on:
            break
        player.random_move()


@every_game
def test_a_state_is_one_of_as_many_seats_as_there_are(game):
    assert gathered(game, 3).state.game is None
    state = started(game, 3).present
    assert not is_possible(game, state, 2)
    assert not is_possible(game, state, 4)


RETURNING = lama.given("4 6", top="4", totals=(12, 0)).play(0, "4").state
"""Seat 0 is to say which chip it returns."""

LAMA = lama.given("12 34", top="5").state
ODIN = odin.given("R1 B2", "V5")
SKYJO = skyjo.given("1 2 3", "4 5 6")


@pytest.mark.parametrize(
    ("game", "state"),
    [
        (lama.GAME, replace(LAMA, order=("1", "1", *LAMA.order[2:]))),
        (odin.GAME, replace(ODIN, order=("R1", "R1", *ODIN.order[2:]))),
        (skyjo.GAME, replace(SKYJO, dealt=(12, 12, *SKYJO.dealt[2:]))),
        (odin.GAME, replace(ODIN, order=ODIN.order[:-1])),
        (lama.GAME, replace(LAMA, turn=2)),
        (odin.GAME, replace(ODIN, turn=-1)),
        (skyjo.GAME, replace(SKYJO, boards=SKYJO.boards[:1])),
        (skyjo.GAME, skyjo.given("gone | gone | gone | gone", "1 2 3", drawn=5)),
    ],
    ids=[
        "a card twice in L.A.M.A.",
        "a card twice in Odin",
        "a card twice in Skyjo",
        "a card too few",
        "a turn of a seat that is not there",
        "a turn before the first seat",
        "a board too few",
        "a turn of a seat that can do nothing",
    ],
)
def test_what_cannot_be_is_found(game, state):
    assert not is_possible(game, state, 2)


@pytest.mark.parametrize(
    ("game", "state"), [(lama.GAME, LAMA), (lama.GAME, RETURNING), (odin.GAME, ODIN), (skyjo.GAME, SKYJO)]
)
def test_the_same_states_unspoilt_are_possible(game, state):
    assert is_possible(game, state, 2)
