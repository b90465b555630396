"""Bots are sensible, each level in its way; what is certain they play with certainty."""

import pytest

from domain.chance import Chance
from domain.games.contract import Level
from domain.games.lama.moves import Draw, LamaMove, Play, Quit, Return
from domain.games.lama.state import LamaState
from domain.match.levels import LEVELS, allowance_of
from domain.viewers import seat_viewer
from tests.unit.domain.games.lama.arrangement import GAME, A, Table, given

every_level = pytest.mark.parametrize("level", LEVELS)
from_normal_up = pytest.mark.parametrize("level", LEVELS[1:])


def choice(state: LamaState, seat: int, level: Level) -> LamaMove:
    legal = GAME.legal_moves(state, seat)
    assert legal is not None
    return GAME.choose(
        GAME.view(state, seat_viewer(seat)), legal, seat, Chance("0e" * 16), allowance_of(level)
    )


def bots_choice(table: Table, level: Level = "hard") -> LamaMove:
    return choice(table.state, A, level)


@every_level
def test_it_goes_out_and_returns_the_largest_chip(level: Level) -> None:
    assert bots_choice(given("4 66", top="4", totals=(12, 0)), level) == Play("4", "black")
    assert bots_choice(given("4 66", top="4", totals=(3, 0)), level) == Play("4", "white")
    assert bots_choice(given("4 66", top="4"), level) == Play("4", "none")
    assert bots_choice(given("4 66", top="4", totals=(3, 0)).play(A, "4"), level) == Return("white")


def test_a_beginner_gets_rid_of_the_dearest_card() -> None:
    assert bots_choice(given("56L 66", top="5"), "easy") == Play("6")
    assert bots_choice(given("45 66", top="6"), "easy") == Quit()
    assert bots_choice(given("345L 66", top="1"), "easy") == Draw()


@pytest.mark.parametrize("level", ["normal", "hard"])
def test_it_plays_the_card_that_keeps_its_run_playable(level: Level) -> None:
    assert bots_choice(given("56L 66", top="5"), level) == Play("5")


def test_it_quits_a_cheap_hand_and_draws_to_a_dear_one() -> None:
    assert bots_choice(given("11 66", top="6"), "normal") == Quit()
    assert bots_choice(given("45 66", top="6"), "normal") == Draw()
    assert bots_choice(given("11 66", top="6"), "hard") == Quit()
    assert bots_choice(given("2345 66", top="L"), "hard") == Draw()


@every_level
def test_it_quits_when_nothing_else_is_left(level: Level) -> None:
    assert bots_choice(given("6L 66", top="2", pile=""), level) == Quit()
    assert bots_choice(given("6L 66", top="2", quit=(1,)), level) == Quit()


@from_normal_up
def test_it_does_not_quit_into_a_certain_loss(level: Level) -> None:
    """33 points and a hand of 10 end the match, and the other cannot get that many."""
    assert bots_choice(given("L 66", top="2", totals=(33, 10)), level) == Draw()


@from_normal_up
def test_alone_it_plays_down_whatever_can_go(level: Level) -> None:
    """Both fives first: after the six they could not go any more."""
    assert bots_choice(given("556 66", top="5", quit=(1,)), level) == Play("5")


@from_normal_up
def test_it_does_not_go_out_when_that_ends_the_match_for_it(level: Level) -> None:
    """The second seat reaches the limit, and the third one stays below."""
    table = given("4 66 1", top="4", totals=(39, 39, 2))

    assert bots_choice(table, level) == Draw()
    assert bots_choice(given("4 66 1", top="4", totals=(2, 39, 39)), level) == Play("4", "white")


def test_an_expert_plays_the_same_again_with_the_same_chance() -> None:
    table = given("345L 2266", top="4")

    assert bots_choice(table, "expert") == bots_choice(table, "expert")


def test_what_moves_are_worth_is_told_best_first() -> None:
    state = given("345L 2266", top="4").state
    legal = GAME.legal_moves(state, A)
    assert legal is not None

    worths = GAME.consider(
        GAME.view(state, seat_viewer(A)), legal, A, Chance("0e" * 16), allowance_of("expert")
    )

    assert {type(each.move) for each in worths} == {Play, Draw, Quit}
    assert [each.worth for each in worths] == sorted((each.worth for each in worths), reverse=True)
    assert all(0 <= each.worth <= 1 for each in worths)
    alone = GAME.legal_moves(given("6L 66", top="2", quit=(1,)).state, A)
    assert alone is not None
    assert not GAME.consider(
        GAME.view(state, seat_viewer(A)), alone, A, Chance("0e" * 16), allowance_of("expert")
    )


def test_who_runs_out_of_time_leaves_the_round_or_returns_the_largest_chip() -> None:
    assert GAME.fallback(given("6L 66", top="6").state, A) == Quit()
    assert GAME.fallback(given("4 6", top="4", totals=(12, 0)).play(A, "4").state, A) == Return("black")
