"""K5 to K8 and K29 to K33: taking, drawing, swapping, flipping."""

import msgspec
import pytest

from domain.games.skyjo.events import CardDrawn, CardFlipped, CardSwapped, DiscardTaken
from domain.games.skyjo.moves import Draw, Flip, SkyjoMove, Swap, Take
from domain.viewers import EVERYTHING, SPECTATOR, seat_viewer
from tests.unit.domain.games.skyjo.arrange import GAME, board, discard_pile, given, refused, when


def test_k5_taking_the_discard_obliges_a_swap() -> None:
    with pytest.raises(msgspec.ValidationError, match="slot"):
        msgspec.json.decode(b'{"type":"take"}', type=SkyjoMove)


@pytest.mark.parametrize(("slot", "replaced"), [(0, 9), (1, 8)])
def test_k5_the_taken_card_replaces_a_visible_or_a_hidden_card(slot: int, replaced: int) -> None:
    state = given("9 (8) 7", "1 2 3", discard="4 2")

    outcome = when(state, 0, Take(slot))

    assert outcome.events == (DiscardTaken(0, slot, 2, replaced, 1),)
    assert board(outcome.state, 0)[slot] == 2
    assert discard_pile(outcome.state) == [4, replaced]
    assert GAME.to_act(outcome.state) == (1,)


def test_a_turn_goes_on_for_whoever_has_drawn_and_must_place() -> None:
    drawn = given("9 (8) 7", "1 2 3", drawn=4)
    assert GAME.is_mid_turn(drawn, 0)
    assert not GAME.is_mid_turn(drawn, 1)
    assert not GAME.is_mid_turn(when(drawn, 0, Flip(1)).state, 1)


def test_k5_flipping_after_taking_is_not_offered() -> None:
    state = given("9 (8) 7", "1 2 3")

    assert refused(state, 0, Flip(1)).code == "skyjo.nothing_drawn"
    state = when(state, 0, Take(0)).state
    assert refused(state, 0, Flip(1)).code == "not_your_turn"


def test_k6_a_hidden_card_replaced_unseen_becomes_known_on_the_discard_pile() -> None:
    state = given("9 (8) 7", "1 2 3", discard="2")
    hidden_card = (1, 2)
    assert all(hidden_card not in GAME.knows(state, seat_viewer(seat)) for seat in range(2))
    assert board(state, 0)[1] is None

    state = when(state, 0, Take(1)).state

    assert discard_pile(state)[-1] == 8
    assert hidden_card in GAME.knows(state, SPECTATOR)


def test_k7_flipping_a_visible_card_is_rejected_and_the_drawn_card_stays() -> None:
    state = given("9 (8) 7", "1 2 3", drawn=5)

    refusal = refused(state, 0, Flip(0))

    assert (refusal.code, refusal.rule) == ("skyjo.flip_needs_hidden", "K7")
    assert refusal.arguments == {"slot": 0, "hidden": (1, *range(3, 12))}
    assert GAME.view(state, seat_viewer(0)).drawn == 5


def test_k7_discarding_the_drawn_card_turns_a_hidden_one() -> None:
    state = given("9 (8) 7", "1 2 3", discard="0", drawn=5)

    outcome = when(state, 0, Flip(1))

    assert outcome.events == (CardFlipped(0, 1, 8, 5, 1),)
    assert discard_pile(outcome.state) == [0, 5]
    assert board(outcome.state, 0)[:3] == (9, 8, 7)


def test_k7_a_drawn_card_cannot_be_left_lying() -> None:
    state = given("9 (8) 7", "1 2 3", drawn=5)

    assert refused(state, 0, Take(0)).code == "skyjo.drawn_card_first"
    assert refused(state, 0, Draw()).code == "skyjo.drawn_card_first"


def test_k8_a_seat_that_is_asked_has_a_hidden_card() -> None:
    # The only seat without hidden cards is the closer, who is not asked again; random play is in
    # test_random_play.
    state = given("9 (8) 7 | 1 1 2 | 3 3 4 | 5 5 6", "1 (2) 3 | 1 1 2 | 3 3 4 | 5 5 6", discard="0")

    state = when(state, 0, Take(1)).state

    assert state.closer == 0
    assert GAME.to_act(state) == (1,)
    assert GAME.fallback(when(state, 1, Draw()).state, 1) == Flip(1)


def test_k29_the_discard_pile_is_never_empty_between_turns() -> None:
    state = given("9 (8) 7", "1 2 3", discard="2")

    assert discard_pile(when(state, 0, Take(0)).state) == [9]
    assert discard_pile(when(state, 0, Draw()).state) == [2]


@pytest.mark.parametrize("move", [Take(3), Swap(5), Flip(4)])
def test_k30_a_removed_slot_cannot_be_chosen(move: SkyjoMove) -> None:
    drawn = None if isinstance(move, Take) else 5
    state = given("9 (8) 7 | gone | 1 (2) 3 | 1 2 (3)", "1 2 3", drawn=drawn)

    refusal = refused(state, 0, move)

    assert (refusal.code, refusal.rule) == ("skyjo.slot_gone", "K30")
    assert refusal.arguments["remaining"] == (0, 1, 2, 6, 7, 8, 9, 10, 11)


def test_k31_an_exchange_that_changes_nothing_is_legal() -> None:
    state = given("5 (8) 7", "1 2 3", discard="5")

    outcome = when(state, 0, Take(0))

    assert discard_pile(outcome.state) == [5]
    assert board(outcome.state, 0) == board(state, 0)
    assert GAME.to_act(outcome.state) == (1,)
    assert outcome.state.idle_turns == 1


def test_k32_only_the_drawer_sees_the_drawn_card() -> None:
    state = given("9 (8) 7", "1 2 3", pile="12 0 0")

    outcome = when(state, 0, Draw())

    assert outcome.events == (CardDrawn(0, 12),)
    views = {
        viewer: GAME.view(outcome.state, viewer) for viewer in (seat_viewer(0), seat_viewer(1), SPECTATOR)
    }
    assert [view.drawn for view in views.values()] == [12, None, None]
    assert GAME.view(outcome.state, EVERYTHING).drawn == 12
    assert b'"drawn":null' in msgspec.json.encode(views[SPECTATOR])
    assert b"drawn" not in msgspec.json.encode(GAME.view(state, seat_viewer(0)))


@pytest.mark.parametrize("move", [Swap(0), Flip(1)])
def test_k32_the_drawn_card_is_public_once_it_is_placed(move: SkyjoMove) -> None:
    outcome = when(given("9 (8) 7", "1 2 3", drawn=12), 0, move)

    (event,) = outcome.events
    assert event in {CardSwapped(0, 0, 12, 9, 1), CardFlipped(0, 1, 8, 12, 1)}
    view = GAME.view(outcome.state, SPECTATOR)
    assert 12 in (view.top, view.boards[0][0])


def test_k33_the_next_player_may_take_from_the_removed_column() -> None:
    state = given("9 9 -1", "1 (2) 3", discard="9")
    state = when(state, 0, Take(2)).state
    assert discard_pile(state) == [-1, 9, 9, 9]

    outcome = when(state, 1, Take(0))

    assert outcome.events == (DiscardTaken(1, 0, 9, 1, 0),)
    assert discard_pile(outcome.state) == [-1, 9, 9, 1]
