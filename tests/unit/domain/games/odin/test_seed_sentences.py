"""One test for each sentence of the customer's two texts, in the order of the specification's table."""

from collections import Counter

import msgspec
import pytest

from domain.chance import Chance
from domain.games.odin.cards import CARDS, COLOURS, VALUES, value_of
from domain.games.odin.events import CardsPlayed, RoundEnded, RoundStarted, TrickEnded
from domain.games.odin.options import OdinOptions
from domain.viewers import seat_viewer
from tests.unit.domain.games.odin.arrange import (
    GAME,
    PASS,
    given,
    hand,
    moves_of,
    names,
    play,
    refused_with,
    started,
    when,
)


def test_54_cards_of_6_colours_and_values_1_to_9():
    assert len(CARDS) == len(set(CARDS)) == 54
    assert Counter(card[0] for card in CARDS) == dict.fromkeys(COLOURS, 9)
    assert Counter(int(card[1]) for card in CARDS) == dict.fromkeys(VALUES, 6)
    assert GAME.cards == CARDS


@pytest.mark.parametrize("seats", range(2, 7))
def test_9_cards_for_each_that_only_he_knows(seats: int):
    state = started(seats)

    for seat in range(seats):
        seen = GAME.view(state, seat_viewer(seat))
        assert [len(cards) if cards else cards for cards in seen.hands] == [
            9 if other == seat else None for other in range(seats)
        ]
        assert seen.hand_sizes == (9,) * seats
    assert GAME.view(state, seat_viewer(0)).undealt == 54 - 9 * seats


def test_the_first_player_is_chosen_at_random():
    drawn = {started(6, chance=Chance(f"{seed:064x}")).turn for seed in range(60)}

    assert drawn == set(range(6))


def test_turns_go_clockwise():
    state = given("R1 O1", "R2 O2", "R3 O3", "R4 O4", turn=2)

    assert when(state, play("R3")).state.turn == 3
    assert when(state, play("R3"), PASS).state.turn == 0
    assert when(state, play("R3"), PASS, PASS).state.turn == 1


def test_a_match_has_rounds_and_a_round_has_tricks():
    state = given("R4 R5", "Y1 B1")

    first = when(state, play("R4"), PASS).state
    second = when(first, play("R5")).state

    assert (state.round, state.trick) == (1, 1)
    assert (first.round, first.trick) == (1, 2)
    assert (second.round, second.trick) == (2, 1)


def test_a_trick_ends_when_all_others_passed_in_a_row():
    state = given("R3 O1", "B9 O2", "G5 O3")

    interrupted = when(state, play("R3"), PASS, play("G5", "R3"), PASS)
    assert TrickEnded not in map(type, interrupted.events)
    ended = when(interrupted.state, PASS)
    assert ended.events[-1] == TrickEnded(2, ("G5",))


def test_the_first_person_must_lay_a_card():
    state = given("R3 R4 O1", "B9 O2")

    assert refused_with(state, PASS) == "odin.cannot_pass_when_leading"
    assert refused_with(state, play("R3 R4")) == "odin.lead_one_card"


def test_the_worth_must_be_strictly_higher():
    state = given("V8 V2 V3 O1", "Y1", centre="R8 R2")

    assert refused_with(state, play("V8 V2", "R2")) == "odin.value_not_higher"
    assert refused_with(state, play("V8 V3", "R2")) is None


@pytest.mark.parametrize(
    ("played", "right"), [("B9", False), ("B9 B8", True), ("B9 B8 B7", True), ("B9 B8 B7 B6", False)]
)
def test_as_many_cards_or_one_more(played: str, *, right: bool):
    state = given("B9 B8 B7 B6 O1", "Y1", centre="R8 R2")

    assert (refused_with(state, play(played, "R2")) is None) is right


def test_same_value_or_same_colour():
    state = given("B9 V8 V9 O1", "Y1", centre="R2")

    assert refused_with(state, play("B9 V8", "R2")) == "odin.mixed_set"
    assert refused_with(state, play("B9 V9", "R2")) is None
    assert refused_with(state, play("V8 V9", "R2")) is None


def test_digits_from_the_greatest_to_the_least():
    assert value_of(("R2", "R8")) == value_of(("R8", "R2")) == 82


def test_one_card_is_taken_and_the_rest_discarded():
    state = given("B9 B8 B7 O1", "Y1", centre="R8 R5 R2")

    assert refused_with(state, play("B9 B8 B7")) == "odin.take_required"
    assert refused_with(state, play("B9 B8 B7", "Y1")) == "odin.take_not_in_centre"
    after = when(state, play("B9 B8 B7", "R5"))
    assert hand(after.state, 0) == "O1 R5"
    assert names(after.state, after.state.discard) == "R8 R2"


def test_passing_hands_on_to_the_left_and_keeps_one_in():
    state = given("R9 O1", "B9 O2", "G5 O3", centre="R1", owner=2)

    after = when(state, PASS, play("B9", "R1"), PASS)

    assert after.state.turn == 0
    assert moves_of(after.state) == [PASS]
    assert when(state, PASS).state.turn == 1


def test_when_all_but_one_passed_the_trick_ends_at_once():
    state = given("R9 O1", "B9 O2", "G5 O3", centre="R8 R1", owner=2, turn=0)

    after = when(state, PASS, PASS)

    assert after.state.turn == 2
    assert after.state.centre == ()
    assert names(after.state, after.state.discard) == "R8 R1"
    assert [hand(after.state, seat) for seat in range(3)] == ["R9 O1", "B9 O2", "G5 O3"]


def test_a_leader_may_lay_a_hand_of_one_colour_or_value_at_once():
    assert refused_with(given("R1 G1 B1", "Y1"), play("R1 G1 B1")) is None
    assert refused_with(given("R1 R2 R5", "Y1"), play("R1 R2 R5")) is None
    assert refused_with(given("R1 R2 R5", "Y1"), play("R1")) is None
    assert refused_with(given("R1 R2 B5", "Y1"), play("R1 R2 B5")) == "odin.mixed_set"


def test_an_empty_hand_ends_the_round_without_a_pick_up():
    state = given("R9 B9", "Y1 Y2", centre="R8 R1")

    after = when(state, play("R9 B9"))

    assert after.events[:2] == (
        CardsPlayed(0, ("R9", "B9"), None, ("R8", "R1")),
        RoundEnded(1, 0, (0, 2), (0, 2)),
    )
    assert isinstance(after.events[2], RoundStarted)


def test_points_are_the_cards_left():
    state = given("R9", "Y1 Y2 Y3 Y4", "B1 B2 B3 B4 B5 B6 B7 B8 B9", totals=(1, 2, 3))

    assert when(state, play("R9")).state.totals == (1, 6, 12)


def test_nine_new_cards_and_the_left_neighbour_of_the_first_player_starts():
    state = given("R9", "Y1", "B1", "V1", starter=2)

    after = when(state, play("R9"))

    assert isinstance(after.events[-1], RoundStarted)
    assert after.events[-1].starter == after.state.turn == 3
    assert [len(cards) for cards in after.state.dealt] == [9, 9, 9, 9]


def test_15_points_end_the_match_and_the_fewest_win():
    state = given("R9", "Y1 Y2", "B1", "V1", totals=(9, 13, 8, 0))

    after = when(state, play("R9"))

    assert after.state.over
    assert GAME.standing(after.state).ranking == ((3,), (0, 2), (1,))


def test_longer_and_shorter_matches():
    for limit in (10, 20, "single"):
        assert msgspec.convert({"limit": limit}, OdinOptions).limit == limit
    assert when(given("R9", "Y1", limit="single"), play("R9")).state.over
    assert not when(given("R9", "Y1", limit=20, totals=(0, 18)), play("R9")).state.over
    assert when(given("R9", "Y1", limit=10, totals=(0, 9)), play("R9")).state.over
