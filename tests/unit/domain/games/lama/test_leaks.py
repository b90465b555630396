"""What a viewer may not know is in nothing that reaches him."""

from random import Random
from typing import Any

import msgspec
from hypothesis import assume, given
from hypothesis.strategies import sampled_from
from msgspec.structs import replace

from domain.errors import Refused
from domain.games.lama.events import CardDrawn, CardPlayed, LamaEvent, RoundEnded, RoundStarted
from domain.games.lama.moves import Draw, Quit
from domain.games.lama.state import LamaState, LastRound
from domain.sealing import redact, seal, sealed_fields
from domain.viewers import EVERYTHING, SPECTATOR, Viewer, seat_viewer
from tests.unit.domain.games.lama.arrangement import (
    CHANCE,
    EVERY_MOVE,
    GAME,
    A,
    B,
    started,
    viewers,
)
from tests.unit.domain.games.lama.arrangement import given as given_table
from tests.unit.domain.games.lama.playing import examples, positions, seeds


def hidden_cards_changed(state: LamaState, viewer: Viewer, seed: int) -> LamaState:
    """Return the state with the cards that the viewer does not know dealt anew among their places."""
    known = {place for _, place in GAME.knows(state, viewer)}
    places = [place for place in range(len(state.order)) if place not in known]
    names = [state.order[place] for place in places]
    Random(seed).shuffle(names)
    order = list(state.order)
    for place, name in zip(places, names, strict=True):
        order[place] = name
    return replace(state, order=tuple(order))


def refusals(state: LamaState, seat: int) -> list[object]:
    said: list[object] = []
    for move in EVERY_MOVE:
        try:
            GAME.decide(state, seat, move, CHANCE)
        except Refused as refusal:
            said.append((move, refusal.code, refusal.rule, refusal.arguments))
    return said


def seen_by(viewer: Viewer, events: tuple[LamaEvent, ...]) -> list[Any]:
    """Return what of the events reaches a viewer, commitments replaced by a constant."""
    seen: list[Any] = []
    for version, event in enumerate(events, 1):
        data, openings = seal(event, version, "0b" * 32)
        text = msgspec.json.encode(data)
        for opening in openings:
            text = text.replace(sealed_fields(data)[opening.field].encode(), b"-")
        seen.append((text, [(opening.field, bytes(opening.value)) for opening in redact(openings, viewer)]))
    return seen


@examples(150)
@given(positions, seeds, sampled_from(range(8)))
def test_states_that_differ_in_hidden_cards_look_the_same(state: LamaState, seed: int, choice: int):
    everybody = viewers(state.seats)
    viewer = everybody[choice % len(everybody)]
    other = hidden_cards_changed(state, viewer, seed)

    assert msgspec.json.encode(GAME.view(state, viewer)) == msgspec.json.encode(GAME.view(other, viewer))
    assert GAME.knows(state, viewer) == GAME.knows(other, viewer)
    if viewer.seat is not None:
        assert GAME.legal_moves(state, viewer.seat) == GAME.legal_moves(other, viewer.seat)
        assert refusals(state, viewer.seat) == refusals(other, viewer.seat)
        if viewer.seat in GAME.to_act(state):
            assert GAME.fallback(state, viewer.seat) == GAME.fallback(other, viewer.seat)


@examples(100)
@given(positions, seeds, sampled_from((Draw(), Quit())), sampled_from(range(7)))
def test_what_a_move_says_to_others_does_not_depend_on_hidden_cards(
    state: LamaState, seed: int, move: Draw | Quit, choice: int
):
    (seat,) = GAME.to_act(state)
    others = [SPECTATOR, *(seat_viewer(other) for other in range(state.seats) if other != seat)]
    viewer = others[choice % len(others)]
    other = hidden_cards_changed(state, viewer, seed)
    legal = GAME.legal_moves(state, seat)
    assert legal is not None
    assume(move in GAME.expand(legal))

    events, other_events = (GAME.decide(one, seat, move, CHANCE) for one in (state, other))

    if not any(isinstance(event, RoundEnded) for event in events):
        assert seen_by(viewer, events) == seen_by(viewer, other_events)


def test_a_seat_sees_its_own_hand_and_nobody_elses():
    table = started(3)

    for seat in range(3):
        hands = table.view(seat_viewer(seat)).hands
        assert [hand is not None for hand in hands] == [other == seat for other in range(3)]
        assert hands[seat] == table.state.hand(seat)
    assert table.view(SPECTATOR).hands == (None, None, None)
    assert table.view(SPECTATOR).pile is None


def test_nothing_is_hidden_from_who_may_see_everything():
    table = started(3)

    view = table.view(EVERYTHING)

    assert view.hands == tuple(table.state.hand(seat) for seat in range(3))
    assert view.pile == table.state.order[19:]


def test_the_deal_is_sealed_for_each_seat_and_the_pile_for_nobody():
    deal = started(3).events[-1]
    assert isinstance(deal, RoundStarted)

    data, openings = seal(deal, 5, "0c" * 32)

    assert {opening.field: opening.seats for opening in openings} == {
        "hands/0": (0,),
        "hands/1": (1,),
        "hands/2": (2,),
        "pile": (),
    }
    assert {name for name in data if name not in {"hands", "pile"}} == {"round", "shuffle", "starter", "top"}


def test_a_drawn_card_is_sealed_for_its_drawer():
    table = given_table("55 23", top="4", pile="11", turn=B).draw(B)

    (drawn,) = table.events
    assert drawn == CardDrawn(B, "1", A)
    data, openings = seal(drawn, 5, "0c" * 32)

    assert data["seat"] == B
    assert [(opening.field, opening.seats) for opening in openings] == [("card", (B,))]


def test_shown_hands_do_not_tell_the_order_in_which_cards_were_taken_up():
    table = given_table("61 5", top="4", totals=(0, 1), pile="3").draw(A).play(B, "5")

    assert table.view().phase == "return"
    assert table.view(seat_viewer(A)).hands[A] == ("6", "1", "3")
    assert table.view(seat_viewer(B)).hands[A] == ("1", "3", "6")
    assert table.view().hands[A] == ("1", "3", "6")
    assert table.view().last_round == LastRound(1, (("1", "3", "6"), ()), (10, 0), B)


def test_events_of_play_are_public():
    table = given_table("55 23", top="4").play(A, "5")

    assert table.events == (CardPlayed(A, "5", B),)
    assert seal(table.events[0], 5, "0c" * 32)[1] == ()
