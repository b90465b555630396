"""M18 to M34 and M38: points, chips, who starts, and the end of the game."""

import pytest

from domain.games.lama.events import ChipKept, ChipReturned, GameEnded, RoundEnded, RoundStarted
from domain.games.lama.moves import Chip, Play, Quit, Return
from domain.games.lama.options import LamaOptions
from domain.games.lama.rules import decide
from domain.games.lama.rulings import Rulings
from domain.games.recorded_chance import pick_of
from tests.unit.domain.games.lama.arrangement import CHANCE, GAME, A, B, C, Table, given, started


def points(table: Table) -> tuple[int, ...]:
    assert table.state.last_round is not None
    return table.state.last_round.points


@pytest.mark.parametrize(("hand", "cost"), [("11LL", 11), ("55", 5), ("123456L", 31), ("44", 4), ("LLL", 10)])
def test_m18_every_value_counts_once(hand: str, cost: int):
    table = given(f"{hand} 6", top="3", turn=B, quit=(A,))

    table.quit(B)

    assert points(table) == (cost, 6)


def test_m19_drawn_cards_count_too():
    table = given("112233 66", top="6", pile="4L5")

    table.draw(A).draw(B).draw(A).quit(B).quit(A)

    assert points(table)[A] == 1 + 2 + 3 + 4 + 5


def play_the_vector_of_m20(table: Table) -> Table:
    return table.play(A, "5").quit(B).draw(C).quit(A).quit(C)


def test_m20_the_last_to_play_a_card_starts_the_next_round():
    table = given("55 23 61", top="4", pile="11")

    play_the_vector_of_m20(table)

    assert points(table) == (5, 5, 7)
    assert table.to_act == (A,)
    assert table.state.starter == A


def test_m20_a_table_may_let_the_last_to_act_start():
    table = given("55 23 61", top="4", pile="11", next_starter="last_acted")

    play_the_vector_of_m20(table)

    assert table.to_act == (C,)


def test_m21_when_nobody_played_the_last_to_act_starts():
    table = given("2 3 4", top="L")

    table.quit(A).quit(B).quit(C)

    assert table.to_act == (C,)


def test_m21_other_rules_may_let_the_same_seat_start():
    table = given("2 3 4", top="L", turn=C, quit=(A, B), starter=B)

    events = decide(table.state, C, Quit(), CHANCE, Rulings(unplayed_round="same_starter"))

    assert isinstance(events[-1], RoundStarted)
    assert events[-1].starter == B


def test_m22_the_last_to_play_starts_even_if_he_quit_and_others_drew_after_that():
    table = given("55 23 61", top="4", pile="111")

    table.play(A, "5").draw(B).draw(C).quit(A).quit(B).quit(C)

    assert table.to_act == (A,)


def test_m23_who_goes_out_starts():
    table = given("55 5 61", top="4", turn=B)

    table.play(B, "5")

    assert table.to_act == (B,)


@pytest.mark.parametrize(
    ("total", "chips"), [(12, ("black", "white", "none")), (9, ("white", "none")), (1, ("white", "none"))]
)
def test_m24_the_winner_chooses_among_the_chips_that_his_total_holds(total: int, chips: tuple[Chip, ...]):
    table = given("4 6", top="4", totals=(total, 0))

    table.play(A, "4")

    assert table.legal(A) == [Return(chip) for chip in chips]
    assert table.to_act == (A,)


def test_m24_the_chip_may_be_named_with_the_last_card():
    table = given("4 6", top="4", totals=(12, 0))
    assert table.legal(A)[:4] == [Play("4"), Play("4", "black"), Play("4", "white"), Play("4", "none")]

    table.play(A, "4", "black")

    assert ChipReturned(A, "black", 2) in table.events
    assert table.state.totals == (2, 6)
    assert table.ended(RoundStarted)


def test_m24_no_chip_is_named_while_cards_are_left():
    table = given("446 6", top="4", totals=(12, 0))

    refusal = table.refusal(A, Play("4", "black"))

    assert (refusal.code, refusal.rule) == ("lama.chip_before_last_card", "M24")
    assert refusal.arguments == {"chip": "black", "cards_left": 2}


def test_m24_a_chip_that_is_not_held_is_refused():
    table = given("4 6", top="4", totals=(9, 0))

    with_the_card = table.refusal(A, Play("4", "black"))
    when_asked = table.play(A, "4").refusal(A, Return("black"))

    for refusal in (with_the_card, when_asked):
        assert (refusal.code, refusal.rule) == ("lama.chip_not_held", "M24")
        assert refusal.arguments == {"chip": "black", "total": 9, "chips": ("white", "none")}


def test_m24_nobody_returns_a_chip_unasked():
    table = given("46 6", top="4", totals=(12, 0))

    assert table.refusal(A, Return("black")).code == "lama.no_return_asked"


@pytest.mark.parametrize(("chip", "total"), [("black", 0), ("white", 9), ("none", 10)])
def test_m25_chips_change_at_any_time_so_the_total_decides(chip: Chip, total: int):
    table = given("4 6", top="4", totals=(10, 0))

    table.play(A, "4").give_back(A, chip)

    assert table.state.totals[A] == total


def test_m26_the_winner_may_keep_his_chips():
    table = given("4 6", top="4", totals=(12, 0))

    table.play(A, "4").give_back(A, "none")

    assert table.events[0] == ChipKept(A)
    assert table.state.totals == (12, 6)
    assert table.state.last_round is not None
    assert table.state.last_round.chip == "none"


def test_m27_one_chip_only():
    table = given("4 6", top="4", totals=(25, 0))

    table.play(A, "4").give_back(A, "black")

    assert table.state.totals[A] == 15
    assert table.refusal(A, Return("white")).code == "lama.no_return_asked"


def test_m28_without_chips_nothing_is_asked_and_nothing_happens():
    table = given("4 6", top="4", totals=(0, 3))

    table.play(A, "4")

    assert table.state.totals == (0, 9)
    assert table.state.returning is None


def test_m28_without_chips_one_may_say_so_but_return_none():
    table = given("4 6", top="4", totals=(0, 3))

    assert table.refusal(A, Play("4", "white")).arguments == {"chip": "white", "total": 0, "chips": ("none",)}
    table.play(A, "4", "none")

    assert not table.ended(ChipKept)
    assert table.state.totals == (0, 9)


def test_m29_the_chip_goes_back_before_the_limit_and_the_ranking():
    table = given("4 5 3", top="4", totals=(12, 0, 39))

    table.play(A, "4")
    assert not GAME.is_over(table.state)
    assert table.refusal(A, Quit()).code == "lama.return_asked"
    table.give_back(A, "black")

    assert GAME.is_over(table.state)
    assert table.state.totals == (2, 5, 42)
    assert GAME.standing(table.state).ranking == ((A,), (B,), (C,))
    assert table.to_act == ()


def test_m30_chips_held_count_not_those_ever_collected():
    table = given("4 5", top="4", totals=(38, 0))

    table.play(A, "4", "black")
    assert table.state.totals == (28, 5)

    table = given("1L 5", top="5", turn=B, totals=(28, 5)).play(B, "5", "none")
    assert table.state.totals == (39, 5)
    assert not GAME.is_over(table.state)


def test_m31_exactly_forty_ends_the_game():
    table = given("1L 5", top="5", turn=B, totals=(29, 0))

    table.play(B, "5")

    assert table.state.totals == (40, 0)
    assert table.events[-1] == GameEnded((A,))
    assert GAME.is_over(table.state)


def test_m32_equal_totals_share_the_victory():
    table = given("2 2 11", top="6", turn=C, quit=(A, B), totals=(5, 5, 40))

    table.quit(C)

    assert table.state.totals == (7, 7, 41)
    assert GAME.standing(table.state).ranking == ((A, B), (C,))


def test_m33_the_supply_of_chips_binds_nobody():
    table = given("33 33 33 33 4 4", top="6", turn=5, quit=range(5), totals=(6, 6, 6, 6, 5, 5))

    table.quit(5)

    assert table.state.totals == (9,) * 6
    assert not GAME.is_over(table.state)


def test_m34_the_table_may_name_the_first_player():
    ages = (30, 9, 12)

    table = started(3, LamaOptions(first=ages.index(min(ages))))

    assert table.to_act == (B,)
    assert [type(event) for event in table.events] == [RoundStarted]


def test_m34_otherwise_the_first_player_is_drawn_and_the_draw_is_on_record():
    table = started(3)

    drawn, dealt = table.events

    pick = pick_of(drawn)
    assert pick is not None
    assert CHANCE.pick(pick.below, pick.purpose) == pick.value
    assert table.to_act == (pick.value,)
    assert pick_of(dealt) is None


def test_m38_totals_are_points_against_a_seat_and_the_lowest_wins():
    table = given("5 1", top="4", quit=(B,), totals=(0, 40))

    table.quit(A)

    assert table.state.totals == (5, 41)
    assert GAME.standing(table.state).ranking == ((A,), (B,))
    assert table.ended(RoundEnded)
