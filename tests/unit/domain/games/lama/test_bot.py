"""The bot: sensible, and blind to what its seat may not see."""

from random import Random

from hypothesis import given

from domain.chance import Chance
from domain.games.lama.moves import Draw, LamaMove, Play, Quit, Return
from domain.games.lama.options import LamaOptions
from domain.games.lama.state import LamaState
from domain.viewers import seat_viewer
from tests.unit.domain.games.lama.arrangement import GAME, A, Table, started
from tests.unit.domain.games.lama.arrangement import given as given_table
from tests.unit.domain.games.lama.playing import examples, positions, seeds
from tests.unit.domain.games.lama.test_leaks import hidden_cards_changed


def choice(state: LamaState, seat: int) -> LamaMove:
    legal = GAME.legal_moves(state, seat)
    assert legal is not None
    return GAME.choose(GAME.view(state, seat_viewer(seat)), legal, seat, Chance("0e" * 16))


def bots_choice(table: Table) -> LamaMove:
    return choice(table.state, A)


def test_it_goes_out_and_returns_the_largest_chip():
    assert bots_choice(given_table("4 6", top="4", totals=(12, 0))) == Play("4", "black")
    assert bots_choice(given_table("4 6", top="4", totals=(3, 0))) == Play("4", "white")
    assert bots_choice(given_table("4 6", top="4", totals=(3, 0)).play(A, "4")) == Return("white")


def test_it_plays_the_card_that_keeps_its_run_playable():
    assert bots_choice(given_table("56L 66", top="5")) == Play("5")


def test_of_equal_runs_it_keeps_the_cheaper_cards():
    assert bots_choice(given_table("5623 66", top="5")) == Play("5")
    assert bots_choice(given_table("6L2 66", top="6")) == Play("6")
    assert bots_choice(given_table("123456L 66", top="5")) == Play("6")


def test_it_quits_a_cheap_hand_and_draws_to_a_dear_one():
    assert bots_choice(given_table("35 66", top="6")) == Quit()
    assert bots_choice(given_table("45 66", top="6")) == Draw()


def test_against_more_players_it_quits_less_readily():
    assert bots_choice(given_table("5 66 66", top="6")) == Quit()
    assert bots_choice(given_table("5 66 66 11", top="6")) == Draw()
    assert bots_choice(given_table("4 66 66 11 11 22", top="6")) == Quit()


def test_it_quits_when_nothing_else_is_left():
    assert bots_choice(given_table("6L 66", top="2", pile="")) == Quit()
    assert bots_choice(given_table("6L 66", top="2", quit=(1,))) == Quit()


@examples(150)
@given(positions, seeds)
def test_its_move_is_legal_and_does_not_depend_on_what_it_cannot_see(state: LamaState, seed: int):
    (seat,) = GAME.to_act(state)
    legal = GAME.legal_moves(state, seat)
    assert legal is not None

    move = choice(state, seat)

    assert move in GAME.expand(legal)
    assert choice(hidden_cards_changed(state, seat_viewer(seat), seed), seat) == move


def test_it_beats_random_play_heads_up():
    won = 0.0
    for seed in range(60):
        dice = Random(seed)
        bot = seed % 2
        table = started(2, LamaOptions(), Chance(f"{seed:032x}"))
        while not GAME.is_over(table.state):
            (seat,) = table.to_act
            table.move(seat, choice(table.state, seat) if seat == bot else dice.choice(table.legal(seat)))
        best = GAME.standing(table.state).ranking[0]
        won += (bot in best) / len(best)

    assert won >= 54
