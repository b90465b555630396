"""What each viewer sees and knows."""

import msgspec

from domain.games.odin.cards import CARDS
from domain.games.odin.options import OdinOptions
from domain.viewers import EVERYTHING, SPECTATOR, Viewer, seat_viewer
from tests.unit.domain.games.odin import arrange
from tests.unit.domain.games.odin.arrange import GAME, PASS, play, when

POSITION = arrange.given(
    "R1 R2 + B5", "G9 V8", "O3", centre="Y8 Y2", owner=1, turn=2, discard="V1", totals=(3, 0, 7), limit=20
)


def test_a_seat_s_view_on_the_wire():
    assert msgspec.to_builtins(GAME.view(POSITION, seat_viewer(0))) == {
        "limit": 20,
        "seats": 3,
        "round": 1,
        "trick": 1,
        "starter": 0,
        "turn": 2,
        "centre": ("Y8", "Y2"),
        "owner": 1,
        "passes": 0,
        "hands": (("R1", "R2", "B5"), None, None),
        "hand_sizes": (3, 2, 1),
        "taken": (("B5",), (), ()),
        "discard": ("V1",),
        "undealt": 45,
        "undealt_cards": None,
        "totals": (3, 0, 7),
        "sheet": (),
        "over": False,
    }


def test_a_spectator_sees_no_hand():
    assert GAME.view(POSITION, SPECTATOR).hands == (None, None, None)


def test_whoever_may_see_everything_sees_all_cards():
    seen = GAME.view(POSITION, EVERYTHING)

    held = [card for cards in seen.hands for card in cards or ()]
    assert seen.hands == (("R1", "R2", "B5"), ("G9", "V8"), ("O3",))
    assert seen.undealt_cards is not None
    assert sorted([*held, *seen.centre, *seen.discard, *seen.undealt_cards]) == sorted(CARDS)


def test_leftover_hands_stay_closed_after_the_last_round():
    after = when(arrange.given("R4", "Y1 Y2", limit="single"), play("R4")).state

    assert after.over
    assert GAME.view(after, seat_viewer(0)).hands == ((), None)
    assert GAME.view(after, seat_viewer(0)).hand_sizes == (0, 2)
    assert GAME.view(after, EVERYTHING).hands == ((), ("Y1", "Y2"))


def test_before_the_start_there_is_nothing_to_see():
    seen = GAME.view(GAME.initial(OdinOptions(), 2), EVERYTHING)

    assert (seen.round, seen.starter, seen.turn, seen.hands, seen.undealt) == (0, None, None, ((), ()), 0)


def test_known_are_the_cards_that_lay_open_and_one_s_own():
    order = POSITION.order
    lying_open = {"B5", "Y8", "Y2", "V1"}

    def known(viewer: Viewer) -> set[str]:
        return {order[place] for deal, place in GAME.knows(POSITION, viewer) if deal == 1}

    assert known(SPECTATOR) == lying_open
    assert known(seat_viewer(0)) == lying_open | {"R1", "R2"}
    assert known(seat_viewer(2)) == lying_open | {"O3"}
    assert known(EVERYTHING) == set(CARDS)


def test_a_play_tells_the_others_its_cards_and_a_new_deal_tells_new_ones():
    state = arrange.given("R4 R5", "Y1 Y2")

    played = when(state, play("R4")).state
    dealt = when(arrange.given("R4", "Y1 Y2"), play("R4")).state

    told = GAME.knows(played, seat_viewer(1)) - GAME.knows(state, seat_viewer(1))
    assert {state.order[place] for _, place in told} == {"R4"}
    assert {deal for deal, _ in GAME.knows(dealt, seat_viewer(1))} == {2}
    assert GAME.knows(when(played, PASS).state, seat_viewer(0)) == GAME.knows(state, seat_viewer(0))
