"""Legal moves in the form in which they are sent, and how long it takes to find them."""

import sys
from time import process_time

import pytest

from domain.games.odin.legal import OdinLegalMoves
from tests.unit.domain.games.odin import arrange
from tests.unit.domain.games.odin.arrange import GAME, moves_of, play


def test_sets_and_cards_to_take_are_given_apart():
    state = arrange.given("B9 V9 B8 V1", "Y1", centre="R8 R2")

    assert GAME.legal_moves(state, 0) == OdinLegalMoves(
        sets=(("B9", "B8"), ("V9", "V1"), ("B9", "V9")), take=("R8", "R2"), can_pass=True
    )
    assert len(moves_of(state)) == 7


def test_the_whole_hand_is_given_apart_as_nothing_is_taken_with_it():
    following = arrange.given("B9 V9", "Y1", centre="R8")
    leading = arrange.given("B9 V9", "Y1")

    assert GAME.legal_moves(following, 0) == OdinLegalMoves(
        sets=(("B9",), ("V9",)), take=("R8",), going_out=("B9", "V9"), can_pass=True
    )
    assert set(moves_of(leading)) == {play("B9"), play("V9"), play("B9 V9")}


@pytest.mark.skipif(sys.gettrace() is not None, reason="a tracer slows the code down")
def test_the_greatest_number_of_sets_is_found_in_less_than_a_millisecond():
    state = arrange.given("B1 B2 B3 B4 B5 B6 B7 B8 B9", "Y9", centre="R4 R3 R2 R1")

    legal = GAME.legal_moves(state, 0)
    seconds = []
    for _ in range(20):
        begun = process_time()
        GAME.legal_moves(state, 0)
        seconds.append(process_time() - begun)

    assert legal is not None
    assert len(legal.sets) == 126 + 125
    assert min(seconds) < 0.001
