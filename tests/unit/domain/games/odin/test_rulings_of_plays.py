"""Rulings O1 to O18: which cards may be laid, and what is picked up. Seats A, B, C are 0, 1, 2."""

import pytest

from domain.games.odin.cards import CARDS, is_uniform, value_of
from domain.games.odin.events import CardsPlayed, RoundEnded
from domain.games.odin.moves import Play
from tests.unit.domain.games.odin.arrange import PASS, given, hand, moves_of, names, play, refused_with, when


def test_o1_as_many_cards_as_lie_there_or_one_more():
    state = given("R5 R6 V1 R7 R8", "B1", centre="G9 G3")

    assert refused_with(state, play("V1", "G9")) == "odin.wrong_count"
    assert refused_with(state, play("R5 R6", "G9")) == "odin.value_not_higher"
    assert refused_with(state, play("R5 R6 R7", "G9")) is None
    assert refused_with(state, play("R5 R6 R7 R8", "G9")) == "odin.wrong_count"
    assert {len(move.cards) for move in moves_of(state) if isinstance(move, Play)} == {3}


def test_o1_counts_against_the_centre_that_lies_now():
    state = given("R5 R6 R9", "B1 B8 B9", centre="G9")

    after = when(state, play("R5 R6", "G9"))

    assert refused_with(after.state, play("B9", "R5")) == "odin.wrong_count"
    assert refused_with(after.state, play("B8 B9", "R5")) is None


@pytest.mark.parametrize(("centre", "answer"), [("R8 R2", "B9 V9"), ("B3 V3", "R4 R2")])
def test_o2_the_kind_of_combination_may_change(centre: str, answer: str):
    state = given(f"{answer} O1", "Y1", centre=centre)

    assert refused_with(state, play(answer, centre[:2])) is None


def test_o3_equal_worth_is_not_enough():
    state = given("B8 B2 B3 O1", "Y1", centre="R8 R2")

    assert refused_with(state, play("B8 B2", "R8")) == "odin.value_not_higher"
    assert refused_with(state, play("B8 B3", "R8")) is None


def test_o4_one_card_more_is_always_higher():
    state = given("G1 G2 O4", "Y1", centre="R9")

    assert refused_with(state, play("G1 G2", "R9")) is None
    assert value_of(["G1", "G2"]) == 21


@pytest.mark.parametrize(
    ("cards", "worth"),
    [
        ("R2 R8", 82),
        ("R8 R2", 82),
        ("R2 R4 R9", 942),
        ("R1", 1),
        ("R1 R2 R3 R4 R5 R6 R7 R8 R9", 987654321),
        ("R9 B9", 99),
    ],
)
def test_o5_digits_are_read_from_high_to_low(cards: str, worth: int):
    assert value_of(cards.split()) == worth


def test_o5_the_order_of_the_named_cards_is_irrelevant():
    state = given("R2 R8 O1", "Y1", centre="B8 B1")

    forwards, backwards = when(state, play("R2 R8", "B8")), when(state, play("R8 R2", "B8"))

    assert forwards == backwards
    assert forwards.events[0] == CardsPlayed(0, ("R8", "R2"), "B8", ("B1",), 1)


def test_o6_all_of_one_colour_or_all_of_one_value():
    state = given("R5 B5 R7 G5 R9 O1", "Y1", centre="V2 V1")

    assert refused_with(state, play("R5 B5 R7", "V2")) == "odin.mixed_set"
    assert refused_with(state, play("R5 B5 G5", "V2")) is None
    assert refused_with(state, play("R5 R7 R9", "V2")) is None
    assert is_uniform(["O1"])


def test_o7_a_trick_is_led_with_one_card_or_the_whole_hand():
    state = given("R1 R2 R3", "Y1")

    assert refused_with(state, play("R1 R2")) == "odin.lead_one_card"
    assert refused_with(state, play("R1")) is None
    assert when(state, play("R1 R2 R3")).events[1] == RoundEnded(1, 0, (0, 1), (0, 1))


def test_o7_a_mixed_hand_is_not_led_whole():
    state = given("R1 B2", "Y1")

    assert refused_with(state, play("R1 B2")) == "odin.mixed_set"


def test_o8_nine_cards_of_one_colour_are_led_on_the_first_turn():
    nine = " ".join(CARDS[:9])
    state = given(nine, " ".join(CARDS[9:18]))

    after = when(state, play(nine))

    assert after.state.totals == (0, 9)
    assert names(state, range(9)) == nine


def test_o9_a_uniform_hand_need_not_be_led_whole():
    state = given("R1 R2 R3", "Y1")

    after = when(state, play("R1"))

    assert hand(after.state, 0) == "R2 R3"
    assert after.state.turn == 1


def test_o10_a_leader_with_one_card_goes_out():
    state = given("R4", "Y1 Y2")

    after = when(state, play("R4"))

    assert moves_of(state) == [play("R4")]
    assert after.events[1] == RoundEnded(1, 0, (0, 2), (0, 2))


def test_o11_the_play_that_empties_a_hand_must_be_legal_itself():
    too_many = given("V1", "B5 B6 B7", centre="R4", turn=1)
    two = given("V1", "B5 G5", centre="R4", turn=1)

    assert refused_with(too_many, play("B5 B6 B7")) == "odin.wrong_count"
    after = when(two, play("B5 G5"))
    assert after.events[0] == CardsPlayed(1, ("G5", "B5"), discarded=("R4",))
    assert after.state.totals == (1, 0)


def test_o12_nothing_is_picked_up_when_going_out():
    state = given("V1", "B5 G5", centre="R4", turn=1)

    assert refused_with(state, play("B5 G5", "R4")) == "odin.take_when_going_out"
    assert refused_with(state, play("B5 G5")) is None


def test_o13_one_card_of_the_beaten_combination_is_picked_up():
    state = given("V1", "V2", "G9 G8 O5", centre="B3 B4", discard="R1", turn=2)

    assert refused_with(state, play("G9 G8", "B3")) is None
    assert refused_with(state, play("G9 G8", "B4")) is None
    assert refused_with(state, play("G9 G8", "R1")) == "odin.take_not_in_centre"
    assert refused_with(state, play("G9 G8", "G9")) == "odin.take_not_in_centre"
    assert refused_with(state, play("G9 G8")) == "odin.take_required"
    after = when(state, play("G9 G8", "B3"))
    assert names(after.state, after.state.discard) == "R1 B4"
    assert hand(after.state, 2) == "O5 B3"


def test_o13_a_single_card_must_be_named_too():
    state = given("G9 O5", "V1", centre="B3")

    assert refused_with(state, play("G9")) == "odin.take_required"
    assert when(state, play("G9", "B3")).state.discard == ()


def test_o14_the_turn_is_over_after_the_pick_up():
    state = given("B6 R9 Y1", "V1", centre="R5")

    after = when(state, play("B6", "R5"))

    assert after.state.turn == 1
    assert refused_with(after.state, play("R5 R9", "B6"), seat=0) == "not_your_turn"
    assert refused_with(state, play("R5 R9", "R5")) == "card_not_in_hand"


def test_o15_a_leader_picks_nothing_up():
    state = given("R2 B7 O3", "V1", discard="G4")

    assert hand(when(state, play("R2")).state, 0) == "B7 O3"
    assert refused_with(state, play("R2", "G4")) == "odin.take_when_leading"


def test_o16_a_leader_may_not_pass():
    assert refused_with(given("R2 B7", "V1"), PASS) == "odin.cannot_pass_when_leading"


def test_o17_passing_is_allowed_with_a_playable_hand():
    state = given("G9 B2", "V1", "V2", centre="R1")

    after = when(state, PASS)

    assert hand(after.state, 0) == "G9 B2"
    assert after.state.turn == 1


def test_o18_who_passed_is_asked_again():
    state = given("R3 O1", "B9 O2", "G5 O3")

    after = when(state, play("R3"), PASS, play("G5", "R3"), PASS)

    assert after.state.turn == 1
    assert refused_with(after.state, play("B9", "G5")) is None
