"""One test per sentence of the rule text, in its order (specification, section 3.C)."""

from collections import Counter

import msgspec
import pytest

from domain.errors import Refused
from domain.games.lama.cards import CARDS, VALUES, LamaCard
from domain.games.lama.events import CardDrawn, CardPlayed, GameEnded, RoundEnded, RoundQuit, RoundStarted
from domain.games.lama.moves import Draw, Play, Quit, Return
from domain.games.lama.options import LamaOptions
from domain.games.recorded_chance import shuffle_of
from domain.viewers import seat_viewer
from tests.unit.domain.games.lama.arrangement import CHANCE, GAME, A, B, C, given, started


@pytest.mark.parametrize("seats", [1, 7])
def test_two_to_six_players(seats: int):
    with pytest.raises(Refused) as caught:
        GAME.initial(LamaOptions(), seats)

    assert caught.value.code == "lama.seats_out_of_range"
    assert caught.value.arguments == {"seats": seats, "fewest": 2, "most": 6}


def test_56_cards_8_of_each():
    assert Counter(GAME.cards) == dict.fromkeys(("1", "2", "3", "4", "5", "6", "L"), 8)
    assert len(CARDS) == 56


def test_70_chips_are_a_display_only():
    table = given("4 L6", top="4", totals=(0, 239), limit="single")

    table.play(A, "4")

    assert table.state.totals == (0, 255)


@pytest.mark.parametrize(("seats", "pile"), [(2, 43), (3, 37), (4, 31), (5, 25), (6, 19)])
def test_six_cards_each_a_pile_and_one_card_turned_up(seats: int, pile: int):
    view = started(seats).view()

    assert view.hand_sizes == (6,) * seats
    assert view.pile_size == pile
    assert view.discard == (view.top,)


def test_the_youngest_starts_if_the_table_says_who_that_is():
    assert started(4, LamaOptions(first=2)).to_act == (C,)


def test_the_one_who_starts_sits_at_the_table():
    with pytest.raises(Refused) as caught:
        GAME.initial(LamaOptions(first=3), 3)

    assert (caught.value.code, caught.value.rule) == ("lama.first_not_a_seat", "M34")
    assert caught.value.arguments == {"first": 3, "seats": 3}


def test_clockwise_and_skipping_who_quit():
    table = given("11 22 33", top="5", pile="444", turn=B)

    table.quit(B).draw(C).draw(A)

    assert table.to_act == (C,)


def test_exactly_one_of_three_actions():
    for move, event in (
        (Play("5"), CardPlayed(A, "5", B)),
        (Draw(), CardDrawn(A, "4", B)),
        (Quit(), RoundQuit(A, B)),
    ):
        table = given("51 22 33", top="5", pile="444").move(A, move)

        assert table.events == (event,)
        assert table.to_act == (B,)


@pytest.mark.parametrize("top", VALUES)
@pytest.mark.parametrize("card", VALUES)
def test_the_same_value_or_that_value_plus_one(top: LamaCard, card: LamaCard):
    follows = card == top or f"{top}{card}" in "123456L1"

    assert (Play(card) in given(f"{card} 22", top=top).legal(A)) is follows


def test_llamas_on_sixes_and_llamas_and_ones_on_llamas():
    assert given("L 22", top="6").playable(A) == "L"
    assert given("L 22", top="L").playable(A) == "L"
    assert given("1 22", top="L").playable(A) == "1"
    assert given("1 22", top="6").playable(A) == ""
    assert given("L 22", top="5").playable(A) == ""


def test_after_drawing_the_player_to_the_left_is_next():
    table = given("66 22", top="5", pile="5").draw(A)

    assert table.to_act == (B,)
    assert table.hand(A) == "665"


def test_a_used_up_pile_makes_drawing_impossible():
    table = given("66 22", top="5", pile="5").draw(A)

    assert Draw() not in table.legal(B)
    assert table.view().pile_size == 0


def test_who_quits_lays_his_cards_face_down():
    table = given("51 22 33", top="5").quit(A)

    assert table.view().quit == (A,)
    assert table.view().hands == (None, None, None)
    assert table.view(seat_viewer(A)).hands == (("5", "1"), None, None)


def test_a_round_ends_at_once_with_the_last_card():
    assert given("5 22 33", top="5").play(A, "5").ended(RoundEnded)


def test_a_round_ends_at_once_when_all_have_quit():
    assert given("5 22 33", top="5", quit=(A, B), turn=C).quit(C).ended(RoundEnded)


def test_the_last_one_left_goes_on_but_no_longer_draws():
    table = given("56 22 33", top="5", turn=C, quit=(B,)).quit(C)

    assert table.legal(A) == [Play("5"), Play("6"), Quit()]
    assert table.play(A, "5").to_act == (A,)


def test_every_value_costs_once_and_all_llamas_ten():
    table = given("LLL44 123456L", top="2", turn=B, quit=(A,)).quit(B)

    assert table.state.totals == (14, 31)


def test_points_are_taken_as_chips_that_may_be_changed():
    table = given("4 5", top="4", totals=(10, 0)).play(A, "4")

    assert table.legal(A) == [Return("black"), Return("white"), Return("none")]


def test_who_played_all_his_cards_may_return_one_chip_of_an_earlier_round():
    table = given("4 5", top="4", totals=(13, 0)).play(A, "4")

    assert table.give_back(A, "white").state.totals == (12, 5)


def test_a_new_round_shuffles_all_cards_and_deals_six_to_each():
    table = given("4 5 6", top="4").play(A, "4")

    dealt = table.events[-1]
    shuffle = shuffle_of(dealt)
    assert isinstance(dealt, RoundStarted)
    assert shuffle is not None
    assert (shuffle.round, shuffle.number) == (2, 0)
    assert shuffle.order == CHANCE.shuffle(CARDS, 2, 0)
    assert [len(hand) for hand in dealt.hands] == [6, 6, 6]
    assert table.view().discard == (dealt.top,)
    assert table.view().pile_size == 37
    assert shuffle_of(table.events[0]) is None


def test_the_last_to_have_played_starts_the_new_round():
    assert given("42 5 6", top="4").play(A, "4").quit(B).quit(C).quit(A).to_act == (A,)


def test_forty_or_more_ends_the_game_and_the_fewest_points_win():
    table = given("4 5 5", top="4", totals=(3, 35, 34)).play(A, "4", "none")

    assert table.events[-1] == GameEnded((B,))
    assert GAME.standing(table.state).ranking == ((A,), (C,), (B,))


def test_a_game_of_a_single_round_ends_with_it():
    table = given("4 5 5", top="4", limit="single").play(A, "4")

    assert table.events[-1] == GameEnded()
    assert GAME.standing(table.state).ranking == ((A,), (B, C))
    assert GAME.standing(table.state).totals == (0, 5, 5)


@pytest.mark.parametrize(
    "options",
    [
        b'{"limit":41}',
        b'{"limit":null}',
        b'{"next_starter":"youngest"}',
        b'{"first":-1}',
        b'{"first":6}',
        b'{"first":true}',
        b'{"first":"youngest"}',
        b'{"limits":40}',
    ],
)
def test_options_that_do_not_exist_are_not_read(options: bytes):
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(options, type=LamaOptions)


def test_options_that_exist_are_read():
    options = msgspec.json.decode(
        b'{"limit":"single","next_starter":"last_acted","first":5}', type=LamaOptions
    )

    assert options == LamaOptions("single", "last_acted", 5)
    assert msgspec.json.decode(b"{}", type=LamaOptions) == LamaOptions(40, "last_played", "random")
