"""K9 to K16: columns of three equal cards."""

import pytest

from domain.games.skyjo.cards import GONE
from domain.games.skyjo.events import CardFlipped, ColumnDiscarded, RoundClosed, RoundScored
from domain.games.skyjo.moves import Flip, Swap, Take
from domain.games.skyjo.state import face_at
from domain.viewers import SPECTATOR
from tests.unit.domain.games.skyjo.arrange import GAME, board, discard_pile, given, rows, when


def test_k9_an_exchange_lays_the_replaced_card_first_and_the_three_on_top() -> None:
    state = given("9 9 -1", "1 2 3", discard="9")

    outcome = when(state, 0, Take(2))

    assert outcome.kinds == ["DiscardTaken", "ColumnDiscarded"]
    assert discard_pile(outcome.state) == [-1, 9, 9, 9]
    assert GAME.view(outcome.state, SPECTATOR).top == 9


def test_k9_a_slot_whose_card_left_with_its_column_has_no_face() -> None:
    state = when(given("9 9 -1", "1 2 3", discard="9"), 0, Take(2)).state

    with pytest.raises(ValueError, match="slot 0 of seat 0 is empty"):
        face_at(state, 0, 0)


def test_k9_holds_for_a_drawn_card_too() -> None:
    state = given("9 9 -1", "1 2 3", discard="0", drawn=9)

    assert discard_pile(when(state, 0, Swap(2)).state) == [0, -1, 9, 9, 9]


def test_k10_a_flip_discards_the_drawn_card_first() -> None:
    state = given("4 4 (4)", "1 2 3", discard="0", drawn=12)

    outcome = when(state, 0, Flip(2))

    assert outcome.events == (CardFlipped(0, 2, 4, 12, 1), ColumnDiscarded(0, 0, 4))
    assert discard_pile(outcome.state) == [0, 12, 4, 4, 4]


def test_k11_a_hidden_third_card_does_nothing_until_it_is_turned() -> None:
    state = given("1 2 3", "4 4 (4)", discard="0", drawn=5)

    outcome = when(state, 0, Swap(0))

    assert outcome.kinds == ["CardSwapped"]
    assert board(outcome.state, 1)[:3] == (4, 4, None)
    assert when(given("1 2 3", "4 4 (4)", drawn=5), 0, Flip(3)).kinds == ["CardFlipped"]


def test_k12_removal_is_compulsory_even_for_the_best_cards() -> None:
    # The closer's column of -2 leaves: his board costs 6 more than with it.
    state = given(
        "-2 -2 (-2) | 1 2 3 | 1 2 3 | 1 2 3", "gone | 1 2 3 | 1 2 3 | 1 2 (9)", drawn=12, turn=0, closer=1
    )

    outcome = when(state, 0, Flip(2))

    assert outcome.events[1] == ColumnDiscarded(0, 0, -2)
    assert outcome.one(RoundScored).raw[0] == 18


def test_k13_removal_happens_within_the_turn_before_the_closing_test() -> None:
    state = given("4 4 (4) | 1 2 3 | 1 2 5 | 1 2 6", "1 (2) 3", drawn=12)

    outcome = when(state, 0, Flip(2))

    assert outcome.kinds == ["CardFlipped", "ColumnDiscarded", "RoundClosed"]
    assert board(outcome.state, 0)[:3] == (GONE, GONE, GONE)


def test_k14_four_equal_cards_in_a_row_mean_nothing() -> None:
    state = given(rows("5 5 5 (5) / 1 (2) 3 4 / 2 3 4 1"), "1 2 3", drawn=12)

    outcome = when(state, 0, Flip(9))

    assert outcome.kinds == ["CardFlipped"]
    assert board(outcome.state, 0)[::3] == (5, 5, 5, 5)


def test_k15_a_column_with_the_last_hidden_card_leaves_and_closes() -> None:
    state = given("1 2 3 | 4 4 (4) | 1 2 5 | 1 2 6", "1 (2) 3", drawn=12)

    outcome = when(state, 0, Flip(5))

    assert outcome.events[-1] == RoundClosed(0)
    assert outcome.state.closer == 0
    assert outcome.state.boards[0][3:6] == (None, None, None)


def test_k16_an_empty_board_closes_and_counts_nothing() -> None:
    state = given("gone | gone | gone | 6 6 (6)", "gone | gone | gone | -1 -1 (-2)", drawn=12)

    closing = when(state, 0, Flip(11))

    assert closing.kinds == ["CardFlipped", "ColumnDiscarded", "RoundClosed"]
    assert board(closing.state, 0) == (GONE,) * 12
    scored = when(closing.state, 1, Take(9)).one(RoundScored)
    assert scored.raw[0] == scored.points[0] == 0
    assert scored.doubled is None
