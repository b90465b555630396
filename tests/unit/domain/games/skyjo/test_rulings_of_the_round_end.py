"""K17 to K27: the last lap, the reveal, the points, the end of the match."""

import pytest

from domain.games.contract import GameResult
from domain.games.skyjo.cards import GONE
from domain.games.skyjo.events import BoardsRevealed, ColumnDiscarded, RoundClosed, RoundScored, RoundStarted
from domain.games.skyjo.moves import Draw, Flip, Swap, Take
from domain.games.skyjo.scoring import ends_match
from domain.viewers import seat_viewer
from tests.unit.domain.games.skyjo.arrange import GAME, Outcome, board, given, rows, when

ONE_HIDDEN = "(1) 2 3 | 1 1 2 | 2 2 3 | 3 3 4"
OPEN = "1 2 3 | 1 1 2 | 2 2 3 | 3 3 4"
NOTHING = "gone | gone | gone"


def last_turn(*boards: str, top: int, totals: tuple[int, ...] = ()) -> Outcome:
    """Let the last seat take a card like the one in its first slot; seat 0 has closed."""
    last = len(boards) - 1
    state = given(*boards, discard=str(top), closer=0, turn=last, totals=totals)
    return when(state, last, Take(0))


def test_k17_every_other_seat_has_one_more_turn_from_the_closers_left() -> None:
    state = given("1 2 (3)", ONE_HIDDEN, "1 2 (3)", "1 2 (3)", discard="0", turn=1, starter=0)
    asked = []

    outcome = when(state, 1, Take(0))
    assert outcome.events[-1] == RoundClosed(1)
    while outcome.state.round == 1:
        (seat,) = GAME.to_act(outcome.state)
        asked.append(seat)
        outcome = when(when(outcome.state, seat, Draw()).state, seat, Swap(0))

    assert asked == [2, 3, 0]
    assert outcome.kinds[1] == "BoardsRevealed"
    assert outcome.one(RoundScored).round == 1


def test_k18_only_the_first_without_hidden_cards_is_the_closer() -> None:
    state = given("9 9 8 | 1 1 2", OPEN, ONE_HIDDEN, discard="0", turn=2, closer=1)
    outcome = when(state, 2, Take(0))
    assert outcome.kinds == ["DiscardTaken"]
    assert outcome.state.closer == 1

    outcome = when(outcome.state, 0, Take(0))

    # Seat 2 has 26 points and more than seat 1's 27 would allow: the closer, and nobody else, is doubled.
    scored = outcome.one(RoundScored)
    assert scored.raw[1:] == (27, 26)
    assert scored.doubled == 1
    assert scored.points[1:] == (54, 26)
    assert outcome.one(RoundStarted).starter == 1


def test_k19_nothing_is_turned_up_before_the_last_turn_was_played() -> None:
    state = given(OPEN, "1 2 3 | (4) (5) (6)", "1 2 3 | 4 5 (6)", discard="0", turn=1, closer=0)

    outcome = when(state, 1, Take(0))

    assert outcome.kinds == ["DiscardTaken"]
    assert board(outcome.state, 1)[3:6] == (None, None, None)
    assert GAME.view(outcome.state, seat_viewer(2)).boards[1][3:6] == (None, None, None)


def test_k19_all_boards_are_revealed_together() -> None:
    outcome = last_turn("1 2 3 | gone | gone | gone", "0 (5) 6 | gone | 7 7 (8) | 1 2 4", top=0)

    revealed = outcome.one(BoardsRevealed)
    assert revealed.boards == (
        (1, 2, 3, *(GONE,) * 9),
        (0, 5, 6, *(GONE,) * 3, 7, 7, 8, 1, 2, 4),
    )


def test_k20_columns_leave_at_the_reveal_for_all_and_several_of_one() -> None:
    outcome = last_turn(
        "1 2 3 | gone | gone | gone",
        "5 (5) 5 | 1 2 (3) | (7) (7) 7 | 1 2 4",
        "0 (8) 6 | (9) (9) (9) | 1 2 5 | 1 2 6",
        top=0,
    )

    columns = [event for event in outcome.events if isinstance(event, ColumnDiscarded)]
    assert columns == [ColumnDiscarded(1, 0, 5), ColumnDiscarded(1, 2, 7), ColumnDiscarded(2, 1, 9)]
    assert outcome.kinds.index("BoardsRevealed") < outcome.kinds.index("ColumnDiscarded")
    assert outcome.one(RoundScored).raw == (6, 13, 31)


CLOSER_OF_THE_MANUAL = rows("1 1 0 2 / 0 0 1 1 / 0 2 0 1")


def test_k21_doubling_counts_after_the_columns_left() -> None:
    # With the column of 10 the other would have 39 and the closer would stay at 9.
    outcome = last_turn(CLOSER_OF_THE_MANUAL, rows("10 0 3 2 / (10) 1 1 1 / (10) 0 0 1"), top=10)

    assert outcome.one(RoundScored) == RoundScored(1, (9, 9), (18, 9), (18, 9), doubled=0)


def test_k22_a_tie_doubles_the_closer_in_the_example_of_the_manual() -> None:
    a = rows("0 2 1 -1 / 0 -2 1 3 / 5 3 0 -2")
    b = rows("1 3 7 4 / -2 0 -1 0 / 1 0 12 -1")
    c = rows("2 -2 5 3 / 0 0 2 -1 / 2 -1 0 0")

    outcome = last_turn(a, b, c, top=2)

    assert outcome.one(RoundScored) == RoundScored(1, (10, 24, 10), (20, 24, 10), (20, 24, 10), doubled=0)


def test_k22_a_column_turned_up_at_the_end_can_double_the_closer() -> None:
    outcome = last_turn(CLOSER_OF_THE_MANUAL, rows("10 0 3 2 / (10) 1 1 1 / (10) 0 0 1"), top=10)

    assert ColumnDiscarded(1, 0, 10) in outcome.events
    assert outcome.one(RoundScored).points == (18, 9)


def test_k22_the_strictly_lowest_closer_is_not_doubled() -> None:
    outcome = last_turn(f"1 2 3 | {NOTHING}", f"3 3 1 | {NOTHING}", top=3)

    assert outcome.one(RoundScored) == RoundScored(1, (6, 7), (6, 7), (6, 7))


@pytest.mark.parametrize(
    ("closer", "other", "points"),
    [("-1 -2 -1", "-2 -2 -2", (-4, 0)), ("-1 -2 -1", "-2 -1 -2", (-4, -5)), ("1 0 -1", "-2 -2 0", (0, -4))],
)
def test_k23_zero_and_less_are_never_doubled(closer: str, other: str, points: tuple[int, ...]) -> None:
    outcome = last_turn(f"{closer} | {NOTHING}", f"{other} | {NOTHING}", top=-2)

    scored = outcome.one(RoundScored)
    assert scored.points == points
    assert scored.doubled is None


@pytest.mark.parametrize(("closer", "points"), [("-1 -2 -1", (-4, -6)), ("1 0 -1", (0, -6))])
def test_k23_the_vectors_with_a_rival_of_minus_six(closer: str, points: tuple[int, ...]) -> None:
    rival = "-2 -2 -1 | -1 0 0 | gone | gone"

    assert last_turn(f"{closer} | {NOTHING}", rival, top=-2).one(RoundScored).points == points


def test_k24_the_doubled_points_count_towards_the_limit() -> None:
    outcome = last_turn(f"3 4 1 | {NOTHING}", f"3 4 1 | {NOTHING}", top=3, totals=(85, 0))

    assert outcome.one(RoundScored) == RoundScored(1, (8, 8), (16, 8), (101, 8), doubled=0, over=True)
    assert outcome.kinds[-1] == "RoundScored"
    assert GAME.is_over(outcome.state)
    assert GAME.to_act(outcome.state) == ()


def test_k25_the_limit_is_tested_after_scoring_and_includes_itself() -> None:
    assert ends_match((99, 0), 100) is False
    outcome = last_turn(f"1 2 3 | {NOTHING}", f"3 4 1 | {NOTHING}", top=3, totals=(0, 92))
    assert outcome.one(RoundScored).totals == (6, 100)
    assert GAME.is_over(outcome.state)


def test_k25_a_total_beyond_the_limit_ends_nothing_in_the_middle_of_a_round() -> None:
    state = given("12 12 (11)", "1 2 (3)", totals=(99, 0), drawn=12)

    outcome = when(state, 0, Flip(2))

    assert outcome.kinds == ["CardFlipped"]
    assert not GAME.is_over(outcome.state)


def test_k26_the_lowest_totals_share_the_victory() -> None:
    state = given("1 2 3", "1 2 3", "1 2 3", totals=(40, 101, 40))

    assert GAME.standing(state) == GameResult(((0, 2), (1,)), (40, 101, 40))


def test_k27_a_negative_round_lowers_the_total_below_zero_too() -> None:
    outcome = last_turn(f"-2 -2 -1 | {NOTHING}", f"0 1 2 | {NOTHING}", top=0, totals=(3, 5))

    assert outcome.one(RoundScored).points == (-5, 3)
    assert outcome.state.totals == (-2, 8)
