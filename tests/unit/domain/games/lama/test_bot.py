"""The bot is sensible."""

from domain.chance import Chance
from domain.games.lama.moves import Draw, LamaMove, Play, Quit, Return
from domain.games.lama.state import LamaState
from domain.viewers import seat_viewer
from tests.unit.domain.games.lama.arrangement import GAME, A, Table, given


def choice(state: LamaState, seat: int) -> LamaMove:
    legal = GAME.legal_moves(state, seat)
    assert legal is not None
    return GAME.choose(GAME.view(state, seat_viewer(seat)), legal, seat, Chance("0e" * 16))


def bots_choice(table: Table) -> LamaMove:
    return choice(table.state, A)


def test_it_goes_out_and_returns_the_largest_chip():
    assert bots_choice(given("4 6", top="4", totals=(12, 0))) == Play("4", "black")
    assert bots_choice(given("4 6", top="4", totals=(3, 0))) == Play("4", "white")
    assert bots_choice(given("4 6", top="4", totals=(3, 0)).play(A, "4")) == Return("white")


def test_it_plays_the_card_that_keeps_its_run_playable():
    assert bots_choice(given("56L 66", top="5")) == Play("5")


def test_of_equal_runs_it_keeps_the_cheaper_cards():
    assert bots_choice(given("5623 66", top="5")) == Play("5")
    assert bots_choice(given("6L2 66", top="6")) == Play("6")
    assert bots_choice(given("123456L 66", top="5")) == Play("6")


def test_it_quits_a_cheap_hand_and_draws_to_a_dear_one():
    assert bots_choice(given("35 66", top="6")) == Quit()
    assert bots_choice(given("45 66", top="6")) == Draw()


def test_against_more_players_it_quits_less_readily():
    assert bots_choice(given("5 66 66", top="6")) == Quit()
    assert bots_choice(given("5 66 66 11", top="6")) == Draw()
    assert bots_choice(given("4 66 66 11 11 22", top="6")) == Quit()


def test_it_quits_when_nothing_else_is_left():
    assert bots_choice(given("6L 66", top="2", pile="")) == Quit()
    assert bots_choice(given("6L 66", top="2", quit=(1,))) == Quit()


def test_who_runs_out_of_time_leaves_the_round_or_returns_the_largest_chip():
    assert GAME.fallback(given("6L 66", top="6").state, A) == Quit()
    assert GAME.fallback(given("4 6", top="4", totals=(12, 0)).play(A, "4").state, A) == Return("black")
