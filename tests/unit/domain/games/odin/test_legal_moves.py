"""Legal moves are complete, without duplicates, and agree with what is accepted."""

import sys
from collections.abc import Iterator
from itertools import combinations
from time import process_time

import pytest
from hypothesis import given, settings

from domain.games.odin.legal import OdinLegalMoves
from domain.games.odin.moves import OdinMove, Pass, Play
from domain.games.odin.state import OdinState, centre_of, hand_of
from tests.unit.domain.games.odin import arrange
from tests.unit.domain.games.odin.arrange import GAME, PASS, moves_of, play, refusal
from tests.unit.domain.games.odin.model import MoveKey, Table
from tests.unit.domain.games.odin.positions import positions


def key(move: OdinMove) -> MoveKey:
    return (frozenset(), None) if isinstance(move, Pass) else (frozenset(move.cards), move.take)


def names_a_card_twice(move: OdinMove) -> bool:
    return isinstance(move, Play) and len(set(move.cards)) < len(move.cards)


def table(state: OdinState) -> Table:
    hands = [set(hand_of(state, seat)) for seat in range(state.seats)]
    turn = GAME.to_act(state)[0]
    return Table(hands, turn, set(centre_of(state)), state.owner or 0, state.passes)


def every_move(state: OdinState) -> Iterator[OdinMove]:
    """All that the seat to act could say about cards that are its own, and some about others."""
    hand = hand_of(state, GAME.to_act(state)[0])
    centre = centre_of(state)
    foreign = next(card for card in state.order if card not in hand and card not in centre)
    takes = (None, *centre, foreign, hand[0])
    yield PASS
    for size in range(1, len(hand) + 1):
        for cards in combinations(hand, size):
            for take in takes:
                yield Play(cards, take)
    for cards in ((foreign,), (hand[0], hand[0]), (*hand, foreign), (*centre, foreign)):
        for take in takes:
            yield Play(cards, take)


@settings(max_examples=60, deadline=None)
@given(positions())
def test_what_is_legal_is_accepted_and_nothing_else(state: OdinState):
    legal = moves_of(state)
    keys = {key(move) for move in legal}

    assert len(keys) == len(legal)
    for move in every_move(state):
        right = key(move) in keys and not names_a_card_twice(move)
        assert (refusal(state, move) is None) is right, move
    assert refusal(state, Play(())) is not None


@settings(max_examples=150, deadline=None)
@given(positions())
def test_the_second_reading_of_the_rules_finds_the_same_moves(state: OdinState):
    assert {key(move) for move in moves_of(state)} == table(state).moves()


@settings(max_examples=60, deadline=None)
@given(positions())
def test_only_the_seat_to_act_may_do_anything(state: OdinState):
    for seat in range(state.seats):
        if seat not in GAME.to_act(state):
            assert GAME.legal_moves(state, seat) is None
            assert arrange.refused_with(state, PASS, seat) == "not_your_turn"


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
