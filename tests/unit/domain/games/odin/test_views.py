"""What each viewer sees and knows, and that he sees nothing else."""

import random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from domain.canonical import canonical_json
from domain.chance import Chance
from domain.games.odin.cards import CARDS
from domain.games.odin.legal import OdinLegalMoves
from domain.games.odin.options import OdinOptions
from domain.games.odin.state import OdinState, hand_of
from domain.viewers import EVERYTHING, SPECTATOR, Viewer, seat_viewer
from tests.unit.domain.games.odin import arrange
from tests.unit.domain.games.odin.arrange import GAME, PASS, moves_of, play, refusal, started, when
from tests.unit.domain.games.odin.positions import SEEDS, positions

POSITION = arrange.given(
    "R1 R2 + B5", "G9 V8", "O3", centre="Y8 Y2", owner=1, turn=2, discard="V1", totals=(3, 0, 7), limit=20
)


def hidden_places(state: OdinState, viewer: Viewer) -> list[int]:
    known = {place for _, place in GAME.knows(state, viewer)}
    return [place for place in range(len(state.order)) if place not in known]


def reshuffled(state: OdinState, viewer: Viewer, seed: int) -> OdinState:
    """Return the position with all cards that the viewer does not know laid anew."""
    hidden = hidden_places(state, viewer)
    cards = [state.order[place] for place in hidden]
    random.Random(seed).shuffle(cards)
    order = list(state.order)
    for place, card in zip(hidden, cards, strict=True):
        order[place] = card
    return msgspec.structs.replace(state, order=tuple(order))


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


@settings(max_examples=100, deadline=None)
@given(positions(), SEEDS)
def test_cards_that_a_viewer_does_not_know_change_nothing_for_him(state: OdinState, seed: int):
    for viewer in (SPECTATOR, *map(seat_viewer, range(state.seats))):
        other = reshuffled(state, viewer, seed)
        assert canonical_json(GAME.view(state, viewer)) == canonical_json(GAME.view(other, viewer))
        assert GAME.knows(state, viewer) == GAME.knows(other, viewer)
        assert GAME.standing(state) == GAME.standing(other)
        if viewer.seat is not None:
            legal = GAME.legal_moves(state, viewer.seat)
            assert canonical_json(legal) == canonical_json(GAME.legal_moves(other, viewer.seat))


@settings(max_examples=50, deadline=None)
@given(positions(), SEEDS)
def test_refusals_tell_nothing_of_hidden_cards(state: OdinState, seed: int):
    (seat,) = GAME.to_act(state)
    own, centre = hand_of(state, seat), tuple(state.order[place] for place in state.centre)
    other = reshuffled(state, seat_viewer(seat), seed)
    for cards in (own, own[:2], own[:1], (*own[:1], *centre), *((card,) for card in CARDS)):
        for take in (None, *centre[:1], "R1", "V9"):
            move = play(" ".join(cards), take)
            one, two = refusal(state, move), refusal(other, move)
            assert (one is None) is (two is None)
            if one and two:
                assert (one.code, one.rule, one.arguments) == (two.code, two.rule, two.arguments)


@settings(max_examples=100, deadline=None)
@given(positions(), SEEDS, st.data())
def test_a_sample_agrees_with_the_view(state: OdinState, seed: int, data: st.DataObject):
    seat = data.draw(st.integers(0, state.seats - 1))
    seen = GAME.view(state, seat_viewer(seat))

    sampled = GAME.sample(seen, seat, Chance(f"{seed:064x}"))

    assert GAME.view(sampled, seat_viewer(seat)) == seen
    assert sorted(sampled.order) == sorted(CARDS)
    assert GAME.legal_moves(sampled, seat) == GAME.legal_moves(state, seat)
    assert GAME.view(sampled, EVERYTHING).hand_sizes == seen.hand_sizes
    (turn,) = GAME.to_act(sampled)
    assert when(sampled, moves_of(sampled)[0]).events[0].seat == turn  # type: ignore[union-attr]


@settings(max_examples=50, deadline=None)
@given(positions(), SEEDS)
def test_dealing_anew_changes_only_what_the_seat_does_not_know(state: OdinState, seed: int):
    for viewer in map(seat_viewer, range(state.seats)):
        assert viewer.seat is not None
        anew = GAME.redeal(state, viewer.seat, Chance(f"{seed:064x}"))
        assert GAME.view(anew, viewer) == GAME.view(state, viewer)
        assert GAME.knows(anew, viewer) == GAME.knows(state, viewer)
        assert sorted(anew.order) == sorted(CARDS)


def test_samples_differ_and_can_be_drawn_again():
    seen = GAME.view(started(4), seat_viewer(0))

    one, two = (GAME.sample(seen, 0, Chance(f"{seed:064x}")) for seed in (1, 2))

    assert one != two
    assert GAME.sample(seen, 0, Chance(f"{1:064x}")) == one


@pytest.mark.parametrize("seats", [2, 6])
def test_a_sample_before_the_start_and_after_the_end_agrees_too(seats: int):
    before = GAME.initial(OdinOptions(20), seats)
    ended = when(
        arrange.given("R4", *(["Y1", "B1", "O1", "G1", "V1"][: seats - 1]), limit="single"), play("R4")
    ).state

    for state in (before, ended):
        for seat in range(seats):
            seen = GAME.view(state, seat_viewer(seat))
            assert GAME.view(GAME.sample(seen, seat, Chance("07" * 32)), seat_viewer(seat)) == seen


@settings(max_examples=50, deadline=None)
@given(positions())
def test_views_and_legal_moves_can_be_written_and_read(state: OdinState):
    seat = GAME.to_act(state)[0]
    for viewer in (SPECTATOR, EVERYTHING, seat_viewer(seat)):
        seen = GAME.view(state, viewer)
        assert msgspec.json.decode(msgspec.json.encode(seen), type=GAME.view_type) == seen
    legal = GAME.legal_moves(state, seat)
    assert msgspec.json.decode(msgspec.json.encode(legal), type=OdinLegalMoves) == legal
