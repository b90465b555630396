"""K1 to K4 and K34: who plays, the deal, the first flips, who starts."""

from collections import Counter

import msgspec
import pytest

from domain.errors import Refused
from domain.games.skyjo.cards import CARDS
from domain.games.skyjo.events import CardsRevealed, PlayBegan, RoundStarted
from domain.games.skyjo.moves import Flip, Reveal
from domain.games.skyjo.options import SkyjoOptions
from domain.games.skyjo.rules import decide, first_starter
from domain.games.skyjo.rulings import RULINGS
from tests.unit.domain.games.skyjo.arrange import (
    CHANCE,
    GAME,
    board,
    discard_pile,
    first_flips,
    given,
    new_round,
    refused,
    when,
)


def test_k1_a_tie_for_the_highest_sum_goes_to_the_lowest_seat() -> None:
    state = given("(3) (4) (1)", "(1) (2) (0)", "(3) (4) (1)", "(1) (1) (0)", turn=None, starter=None)

    outcome = first_flips(state)

    assert outcome.one(PlayBegan) == PlayBegan(0, (7, 3, 7, 2))
    assert GAME.to_act(outcome.state) == (0,)


def test_k1_is_a_named_ruling_that_another_rules_number_can_change() -> None:
    other = msgspec.structs.replace(RULINGS[1], start_tie="highest_seat")

    assert RULINGS[1].start_tie == "lowest_seat"
    assert first_starter((7, 3, 7, 2), other) == 2
    state = given("(3) (4) (1)", "(4) (3) (0)", turn=None, starter=None)
    state = first_flips(state, 0).state
    assert decide(state, 1, Reveal((0, 1)), other, CHANCE)[-1] == PlayBegan(1, (7, 7))


def test_k2_the_highest_sum_starts_the_first_round() -> None:
    state = given("(4) (2) (0)", "(12) (-2) (0)", turn=None, starter=None)

    outcome = first_flips(state)

    assert outcome.one(PlayBegan) == PlayBegan(1, (6, 10))
    assert outcome.state.starter == 1


def test_k3_the_closer_starts_the_next_round_whatever_the_sums() -> None:
    state = given("(12) (8) (0)", "(1) (2) (0)", "(-2) (-2) (0)", turn=None, starter=2)

    outcome = first_flips(state)

    assert outcome.one(PlayBegan) == PlayBegan(2, (20, 3, -4))
    assert GAME.to_act(outcome.state) == (2,)


def test_k4_every_seat_is_asked_at_once_and_flips_in_any_order() -> None:
    state = new_round(3)
    assert GAME.to_act(state) == (0, 1, 2)

    state = when(state, 2, Reveal((11,))).state
    assert GAME.to_act(state) == (0, 1, 2)
    state = when(state, 0, Reveal((5, 4))).state
    assert GAME.to_act(state) == (1, 2)
    state = when(state, 2, Reveal((0,))).state
    assert GAME.to_act(state) == (1,)

    outcome = when(state, 1, Reveal((0, 3)))

    assert outcome.kinds == ["CardsRevealed", "PlayBegan"]
    assert [state.count(None) for state in (board(outcome.state, seat) for seat in range(3))] == [10, 10, 10]


def test_k4_a_third_flip_is_rejected() -> None:
    state = when(new_round(2), 0, Reveal((0, 1))).state
    assert refused(state, 0, Reveal((2,))).code == "not_your_turn"

    state = first_flips(given("(3) (4) (0)", "(1) (2) (0)", turn=None, starter=None)).state
    assert refused(state, 0, Reveal((2,))).code == "skyjo.reveal_over"
    assert refused(state, 1, Reveal((2,))).code == "not_your_turn"


def test_k4_both_flips_may_be_in_one_column_and_remove_nothing() -> None:
    state = given("(5) (5) (5)", "(1) (2) (3)", turn=None, starter=None)

    outcome = when(state, 0, Reveal((1, 0)))

    assert outcome.events == (CardsRevealed(0, (0, 1), (5, 5)),)
    assert board(outcome.state, 0)[:3] == (5, 5, None)


def test_k4_flips_are_final() -> None:
    state = when(new_round(2), 0, Reveal((0,))).state

    assert refused(state, 0, Reveal((0,))).code == "skyjo.reveal_needs_hidden"
    assert refused(state, 0, Flip(0)).code == "skyjo.reveal_first"


@pytest.mark.parametrize("seats", [1, 9])
def test_k34_rejects_one_and_nine_players(seats: int) -> None:
    with pytest.raises(Refused) as caught:
        GAME.initial(SkyjoOptions(), seats)

    assert caught.value.code == "skyjo.seats_out_of_range"
    assert caught.value.rule == "K34"
    assert caught.value.arguments == {"seats": seats, "fewest": 2, "most": 8}


@pytest.mark.parametrize(
    ("seats", "pile"), [(2, 125), (3, 113), (4, 101), (5, 89), (6, 77), (7, 65), (8, 53)]
)
def test_k34_one_deck_serves_two_to_eight(seats: int, pile: int) -> None:
    state = GAME.initial(SkyjoOptions(), seats)

    (dealt,) = GAME.start(state, CHANCE)

    assert isinstance(dealt, RoundStarted)
    state = GAME.evolve(state, dealt)
    assert state.pile_size == pile
    assert [len(cards) for cards in dealt.boards] == [12] * seats
    assert discard_pile(state) == [dealt.discard]
    on_boards = [card for cards in dealt.boards for card in cards]
    assert Counter([*on_boards, dealt.discard, *dealt.pile]) == Counter(CARDS)
