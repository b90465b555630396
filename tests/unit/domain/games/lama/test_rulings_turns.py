"""M1 to M17, M35 to M37, M39 and M40: what a turn may be, and when a round ends."""

from domain.errors import NotAsked
from domain.games.lama.events import CardPlayed, RoundEnded, RoundStarted
from domain.games.lama.moves import Draw, Play, Quit
from domain.viewers import seat_viewer
from tests.unit.domain.games.lama.arrangement import A, B, C, D, given


def test_m1_the_same_value_or_one_more_may_be_played():
    table = given("1L56 22", top="5")

    assert table.playable(A) == "56"
    refusal = table.refusal(A, Play("1"))
    assert (refusal.code, refusal.rule) == ("lama.card_not_playable", "M1")
    assert refusal.arguments == {"card": "1", "top": "5", "playable": ("5", "6")}


def test_m1_only_cards_of_the_hand_may_be_played():
    table = given("1L56 22", top="2")

    refusal = table.refusal(A, Play("2"))

    assert (refusal.code, refusal.rule, refusal.arguments) == ("card_not_in_hand", "M1", {"card": "2"})


def test_m2_on_a_6_lies_a_6_or_a_llama_but_no_1():
    table = given("6L15 22", top="6")

    assert table.playable(A) == "6L"
    assert table.refusal(A, Play("1")).rule == "M2"


def test_m3_on_a_llama_lies_a_llama_or_a_1_but_no_2():
    table = given("6L12 22", top="L")

    assert table.playable(A) == "L1"
    assert table.refusal(A, Play("2")).rule == "M3"
    assert table.refusal(A, Play("6")).rule == "M3"


def test_m4_a_card_two_higher_is_not_playable():
    table = given("4 22", top="2")

    assert table.playable(A) == ""
    assert table.refusal(A, Play("4")).code == "lama.card_not_playable"


def test_m5_a_llama_turned_up_first_is_a_llama_like_any_other():
    table = given("1 22", top="L")

    table.play(A, "1")

    assert table.state.last_round is not None
    assert table.state.last_round.winner == A


def test_m6_drawing_is_allowed_with_a_playable_card():
    table = given("62 22", top="6")

    assert table.legal(A) == [Play("6"), Draw(), Quit()]


def test_m7_drawing_ends_the_turn():
    table = given("52 66", top="4", pile="31")

    table.draw(A)

    assert table.to_act == (B,)
    assert table.hand(A) == "523"
    assert isinstance(table.refusal(A, Play("5")), NotAsked)


def test_m8_without_a_pile_there_is_no_drawing_and_the_round_goes_on():
    table = given("33 66", top="2", pile="")

    assert table.legal(A) == [Play("3"), Quit()]
    refusal = table.refusal(A, Draw())
    assert (refusal.code, refusal.rule) == ("lama.pile_empty", "M8")
    table.play(A, "3")
    assert table.to_act == (B,)
    assert table.state.pile_size == 0


def test_m9_the_last_card_may_be_drawn():
    table = given("11 22", top="4", pile="6")

    table.draw(A)

    assert table.hand(A) == "116"
    assert table.legal(B) == [Quit()]


def test_m10_alone_nobody_draws():
    table = given("11 22 33 44", top="4", pile="56", turn=B, quit=(A,))

    table.quit(B).quit(C)

    assert table.to_act == (D,)
    assert Draw() not in table.legal(D)
    refusal = table.refusal(D, Draw())
    assert (refusal.code, refusal.rule) == ("lama.cannot_draw_alone", "M10")


def test_m11_alone_one_goes_on_turn_after_turn():
    table = given("66 34411L 55", top="2", pile="6", turn=B, quit=(A, C))

    for card in "344":
        assert table.to_act == (B,)
        table.play(B, card)

    assert table.legal(B) == [Quit()]
    table.quit(B)
    assert table.state.last_round is not None
    assert table.state.last_round.points[B] == 11


def test_m12_alone_and_stuck_one_can_only_quit():
    table = given("66 11L", top="4", pile="6", turn=B, quit=(A,))

    assert table.legal(B) == [Quit()]


def test_m13_alone_one_may_quit_although_able_to_play():
    table = given("44 66", top="3", quit=(B,))

    table.quit(A)

    assert table.state.last_round is not None
    assert table.state.last_round.points == (4, 6)


def test_m14_who_goes_out_alone_wins_the_round_and_may_return_a_chip():
    table = given("4 66", top="3", quit=(B,), totals=(5, 0))

    table.play(A, "4")

    assert table.state.last_round is not None
    assert table.state.last_round.winner == A
    assert table.state.last_round.points == (0, 6)
    assert table.view().phase == "return"


def test_m15_an_empty_hand_ends_the_round_at_once():
    table = given("4 6", top="4")

    table.play(A, "4")

    assert [type(event) for event in table.events] == [CardPlayed, RoundEnded, RoundStarted]
    assert table.state.totals == (0, 6)


def test_m16_when_all_have_quit_the_round_ends_without_a_winner():
    table = given("44 66", top="4", totals=(20, 20))

    table.quit(A)
    assert not table.ended(RoundEnded)
    table.quit(B)

    assert table.state.last_round is not None
    assert table.state.last_round.winner is None
    assert table.state.returning is None
    assert table.view().phase == "play"


def test_m17_quitting_is_final():
    table = given("44 66 5", top="4")

    table.quit(A).draw(B).draw(C)

    assert table.to_act == (B,)
    assert isinstance(table.refusal(A, Play("4")), NotAsked)


def test_m17_the_cards_of_who_quit_stay_hidden_until_the_round_is_scored():
    table = given("44 66 5", top="4")

    table.quit(A)

    assert table.view(seat_viewer(B)).hands == (None, ("6", "6"), None)
    assert table.view(seat_viewer(B)).hand_sizes == (2, 2, 1)
    assert table.view(seat_viewer(A)).hands[A] == ("4", "4")
    table.quit(B).quit(C)
    last_round = table.view(seat_viewer(B)).last_round
    assert last_round is not None
    assert last_round.hands == (("4", "4"), ("6", "6"), ("5",))


def test_m35_of_two_players_the_other_is_alone_when_one_quits():
    table = given("44 66", top="4", turn=B, pile="555")

    table.quit(B)

    assert table.to_act == (A,)
    assert Draw() not in table.legal(A)


def test_m36_who_quit_is_skipped():
    table = given("11 22 33 44", top="6", turn=A, quit=(B, C), pile="555")

    table.draw(A)

    assert table.to_act == (D,)
    table.draw(D)
    assert table.to_act == (A,)


def test_m37_turns_go_clockwise():
    table = given("11 22 33", top="6", turn=C, pile="555")
    order = []

    for _ in range(3):
        seat = table.state.turn
        assert seat is not None
        order.append(seat)
        table.draw(seat)

    assert order == [C, A, B]


def test_m39_six_players_run_the_pile_down_and_it_is_not_rebuilt():
    table = given("111111 222222 333333 444444 555555 666666", top="L")
    assert table.state.pile_size == 19

    for turn in range(19):
        table.draw(turn % 6)

    for turn in range(19, 25):
        assert Draw() not in table.legal(turn % 6)
        if turn < 24:
            table.quit(turn % 6)


def test_m40_with_nothing_to_play_and_nothing_to_draw_one_must_quit():
    table = given("6 33", top="2", pile="")

    assert table.legal(A) == [Quit()]
