"""Rulings O19 to O33: when tricks, rounds and matches end, who starts, what is public. Seats A, B, C are 0, 1, 2."""

from collections import Counter
from typing import get_args

import msgspec
import pytest

from domain.chance import Chance
from domain.errors import Refused
from domain.games.odin.cards import CARDS
from domain.games.odin.events import (
    CardsPlayed,
    FirstPlayerDrawn,
    Passed,
    RoundEnded,
    RoundStarted,
    TrickEnded,
)
from domain.games.odin.legal import OdinLegalMoves
from domain.games.odin.options import Limit, OdinOptions
from domain.viewers import SPECTATOR, seat_viewer
from tests.unit.domain.games.odin.arrange import (
    CHANCE,
    GAME,
    PASS,
    fold,
    given,
    hand,
    moves_of,
    names,
    play,
    started,
    when,
)


def test_o19_a_play_wipes_out_the_passes():
    state = given("R3 O1", "B9 O2", "G5 O3")

    after = when(state, play("R3"), PASS)
    assert after.state.passes == 1

    assert when(after.state, play("G5", "R3")).state.passes == 0


def test_o20_all_but_one_end_the_trick_at_once():
    state = given("R2 O1", "G9 G3 O2 O4", "O3 O5")

    after = when(state, play("R2"), play("G9 G3", "R2"), PASS, PASS)

    assert after.events[-3:] == (Passed(2, 0), Passed(0), TrickEnded(1, ("G9", "G3")))
    assert after.state.centre == ()
    assert after.state.turn == 1
    assert names(after.state, after.state.discard) == "G9 G3"


def test_o21_the_last_to_lay_leads():
    state = given("R2 O1", "G9 G3 O2 O4", "O3 O5")

    after = when(state, play("R2"), play("G9 G3", "R2"), PASS, PASS)

    assert after.state.turn == 1
    assert set(moves_of(after.state)) == {play("O2"), play("O4"), play("R2")}


def test_o22_between_two_one_pass_ends_the_trick():
    after = when(given("R3 O1", "B9 O2"), play("R3"), PASS)

    assert after.events[-1] == TrickEnded(0, ("R3",))
    assert after.state.turn == 0


def test_o23_a_lead_that_nobody_beats_is_led_on_without_end():
    state = given("R3 G1 O1", "B2 V5")

    after = when(state, play("R3"), PASS, play("G1"), PASS, play("O1"))

    assert after.state.totals == (0, 2)
    assert [event for event in after.events if isinstance(event, TrickEnded)] == [
        TrickEnded(0, ("R3",)),
        TrickEnded(0, ("G1",)),
    ]


def test_o24_who_can_play_nothing_passes_himself():
    state = given("G8 B7", "V1", centre="R9")

    assert GAME.legal_moves(state, 0) == OdinLegalMoves(can_pass=True)
    assert moves_of(state) == [PASS]
    assert GAME.to_act(state) == (0,)


def test_o25_a_point_for_each_card_left():
    state = given("R4", "Y9 Y8 Y7 V1", "G1 G2 G3 G4 G5 G6 G7 G8 G9", limit=20)

    after = when(state, play("R4"))

    assert after.events[1] == RoundEnded(1, 0, (0, 4, 9), (0, 4, 9))
    assert after.state.sheet == ((0, 4, 9),)


def test_o26_reaching_the_limit_is_enough():
    state = given("Y1", "R4", "G1 G2 G3", turn=1, totals=(14, 9, 9))

    after = when(state, play("R4"))

    assert after.state.totals == (15, 9, 12)
    assert GAME.is_over(after.state)
    assert GAME.standing(after.state).ranking == ((1,), (2,), (0,))
    assert GAME.to_act(after.state) == ()


def test_o26_several_may_cross_the_limit():
    state = given("R4", " ".join(CARDS[9:18]), totals=(14, 14))

    after = when(state, play("R4"))

    assert after.state.totals == (14, 23)
    assert GAME.is_over(after.state)
    assert GAME.standing(after.state).ranking[0] == (0,)


def test_o26_below_the_limit_the_match_goes_on():
    after = when(given("Y1", "R4", turn=1, totals=(13, 0)), play("R4"))

    assert after.state.totals == (14, 0)
    assert not GAME.is_over(after.state)
    assert after.state.round == 2


def test_o27_equal_totals_share_the_victory():
    state = given("Y1", "R4", "B1", turn=1, totals=(14, 8, 7))

    after = when(state, play("R4"))

    assert after.state.totals == (15, 8, 8)
    assert GAME.standing(after.state).ranking == ((1, 2), (0,))


def test_o28_the_next_round_starts_left_of_the_last_starter():
    state = given("R4", "Y1", "B1", starter=2)

    second = when(state, play("R4")).state
    third = when(given("R4", "Y1", "B1", starter=second.starter), play("R4")).state

    assert (second.starter, second.turn) == (0, 0)
    assert (third.starter, third.turn) == (1, 1)


def test_o29_the_first_player_is_drawn_from_the_seed():
    events = GAME.start(GAME.initial(OdinOptions(), 4), CHANCE)

    assert events[0] == FirstPlayerDrawn(CHANCE.pick(4, "first"), 4)
    assert isinstance(events[1], RoundStarted)
    assert events[1].starter == events[0].seat
    assert GAME.start(GAME.initial(OdinOptions(), 4), CHANCE) == events


def test_o29_every_seat_is_drawn_equally_often():
    drawn = Counter(started(4, chance=Chance(f"{seed:064x}")).turn for seed in range(800))

    assert all(150 < drawn[seat] < 250 for seat in range(4))


def test_o29_a_table_may_name_the_first_player():
    state = GAME.initial(OdinOptions(first=2), 3)

    events = GAME.start(state, CHANCE)

    assert [type(event) for event in events] == [RoundStarted]
    assert fold(state, events).turn == 2


def test_o29_the_first_player_must_be_a_seat():
    with pytest.raises(Refused) as refused:
        GAME.initial(OdinOptions(first=3), 3)
    assert (refused.value.code, refused.value.rule) == ("odin.first_is_no_seat", "O29")
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"first": -1}, OdinOptions)


def test_o30_six_hands_are_all_cards():
    state = started(6)

    assert sorted(" ".join(hand(state, seat) for seat in range(6)).split()) == sorted(CARDS)
    assert GAME.view(state, SPECTATOR).undealt == 0


def test_o31_the_taken_card_is_public_and_hands_are_not():
    state = given("B6 R9 Y1", "V1 V2", centre="R5")

    after = when(state, play("B6", "R5"))

    assert after.events[0] == CardsPlayed(0, ("B6",), "R5", (), 1)
    for viewer in (SPECTATOR, seat_viewer(1)):
        seen = GAME.view(after.state, viewer)
        assert seen.hand_sizes == (3, 2)
        assert seen.taken == (("R5",), ())
        assert seen.hands[0] is None
        assert not {"R9", "Y1"} & set(str(seen).split("'"))


def test_o31_discarded_cards_are_public_and_undealt_ones_are_not():
    seen = GAME.view(given("B6", "V1", discard="R5 R2"), SPECTATOR)

    assert seen.discard == ("R5", "R2")
    assert (seen.undealt, seen.undealt_cards) == (50, None)


@pytest.mark.parametrize(("limit", "ends"), [(10, True), (15, False), (20, False), ("single", True)])
def test_o32_limits(limit: Limit, ends: bool):
    state = given("R4", "Y1", limit=limit, totals=(0, 9))

    assert GAME.is_over(when(state, play("R4")).state) is ends


def test_o32_no_other_limit_can_be_chosen():
    assert get_args(Limit) == (15, 10, 20, "single")
    assert OdinOptions().limit == 15
    for limit in (0, 11, 15.0, "15", None, True):
        with pytest.raises(msgspec.ValidationError):
            msgspec.convert({"limit": limit}, OdinOptions)
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"limits": 15}, OdinOptions)


@pytest.mark.parametrize("seats", [-1, 0, 1, 7])
def test_o33_too_few_or_too_many_seats(seats: int):
    with pytest.raises(Refused) as refused:
        GAME.initial(OdinOptions(), seats)
    assert refused.value.code == "odin.wrong_number_of_seats"
    assert refused.value.arguments == {"seats": seats, "fewest": 2, "most": 6}


@pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
def test_o33_two_to_six_seats(seats: int):
    assert GAME.seats == (2, 6)
    assert len(GAME.view(started(seats), SPECTATOR).hand_sizes) == seats
