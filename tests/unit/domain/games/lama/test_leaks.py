"""What a viewer may not know is in nothing that reaches him."""

from domain.games.lama.events import CardDrawn, CardPlayed, RoundStarted
from domain.games.lama.options import LamaOptions
from domain.games.lama.state import LastRound
from domain.sealing import seal
from domain.viewers import EVERYTHING, SPECTATOR, seat_viewer
from tests.unit.domain.games.lama.arrangement import GAME, A, B, given, started


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
    table = given("55 23", top="4", pile="11", turn=B).draw(B)

    (drawn,) = table.events
    assert drawn == CardDrawn(B, "1", A)
    data, openings = seal(drawn, 5, "0c" * 32)

    assert data["seat"] == B
    assert [(opening.field, opening.seats) for opening in openings] == [("card", (B,))]


def test_shown_hands_do_not_tell_the_order_in_which_cards_were_taken_up():
    table = given("61 5", top="4", totals=(0, 1), pile="3").draw(A).play(B, "5")

    assert table.view().phase == "return"
    assert table.view(seat_viewer(A)).hands[A] == ("6", "1", "3")
    assert table.view(seat_viewer(B)).hands[A] == ("1", "3", "6")
    assert table.view().hands[A] == ("1", "3", "6")
    assert table.view().last_round == LastRound(1, (("1", "3", "6"), ()), (10, 0), B)


def test_events_of_play_are_public():
    table = given("55 23", top="4").play(A, "5")

    assert table.events == (CardPlayed(A, "5", B),)
    assert seal(table.events[0], 5, "0c" * 32)[1] == ()


def test_before_the_first_deal_there_is_nothing_to_see():
    state = GAME.initial(LamaOptions(first=1), 3)

    view = GAME.view(state, SPECTATOR)

    assert view.phase == "waiting"
    assert (view.top, view.turn, view.hands, view.pile_size) == (None, None, (), 0)
    assert GAME.knows(state, seat_viewer(A)) == frozenset()
