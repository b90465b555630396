"""One test for each sentence of the customer's rule text (table 2.C of the specification)."""

from collections import Counter

import msgspec
import pytest

from domain.games.skyjo.cards import CARDS, COLUMNS, GONE, slots_of
from domain.games.skyjo.events import PlayBegan, RoundClosed, RoundScored, RoundStarted
from domain.games.skyjo.moves import Draw, Flip, Reveal, SkyjoMove, Swap, Take
from domain.games.skyjo.rulings import RULINGS
from domain.games.skyjo.scoring import ends_match, is_doubled
from domain.games.skyjo.state import SkyjoState
from domain.viewers import SPECTATOR, seat_viewer
from tests.unit.domain.games.skyjo.arrange import (
    GAME,
    board,
    discard_pile,
    first_flips,
    given,
    new_round,
    refused,
    when,
)

CLOSED = "1 2 3 | gone | gone | gone"


def test_the_match_ends_at_100_and_the_fewest_points_win() -> None:
    assert [ends_match((total, 3), 100) for total in (99, 100, 101)] == [False, True, True]
    assert GAME.standing(given(CLOSED, CLOSED, CLOSED, totals=(100, 7, 40))).ranking == ((1,), (2,), (0,))


@pytest.mark.parametrize("seats", range(2, 9))
def test_twelve_hidden_cards_each_one_discard_and_the_rest_to_draw(seats: int) -> None:
    view = GAME.view(new_round(seats), SPECTATOR)

    assert view.boards == ((None,) * 12,) * seats
    assert len(view.discard) == 1
    assert view.pile_size == 150 - 12 * seats - 1


def test_the_deck_has_150_cards_worth_760() -> None:
    counts = Counter(CARDS)

    assert (len(CARDS), sum(CARDS)) == (150, 760)
    assert counts == {-2: 5, -1: 10, 0: 15, **dict.fromkeys(range(1, 13), 10)}
    assert list(CARDS) == sorted(CARDS)


def test_four_vertical_rows_of_three() -> None:
    assert [list(slots_of(column)) for column in range(COLUMNS)] == [
        [0, 1, 2],
        [3, 4, 5],
        [6, 7, 8],
        [9, 10, 11],
    ]


def test_each_turns_two_hidden_cards() -> None:
    state = new_round(2)

    assert when(state, 0, Reveal((0, 11))).state.hidden[0] == tuple(range(1, 11))
    assert refused(state, 0, Reveal((0, 1, 2))).code == "skyjo.reveal_count"
    assert refused(when(state, 0, Reveal((0,))).state, 0, Reveal((0,))).code == "skyjo.reveal_needs_hidden"


def test_the_highest_visible_sum_begins() -> None:
    state = given("(12) (-2) (0)", "(4) (2) (0)", turn=None, starter=None)

    assert first_flips(state).one(PlayBegan).seat == 0


def test_what_the_text_does_not_say_of_a_tie_is_a_ruling() -> None:
    assert RULINGS[1].start_tie == "lowest_seat"


def test_the_one_who_ended_the_round_begins_the_next_despite_a_lower_sum() -> None:
    state = given(CLOSED, "3 2 1 | gone | gone | gone", discard="3", turn=1, closer=0)
    started = when(state, 1, Take(0))
    assert started.one(RoundStarted).starter == 0

    assert first_flips(started.state).one(PlayBegan).seat == 0


def test_who_takes_the_discard_must_exchange_it() -> None:
    state = when(given("9 (8) 7", "1 2 3", discard="4"), 0, Take(0)).state

    assert discard_pile(state) == [9]
    assert refused(state, 0, Flip(1)).code == "not_your_turn"


def test_hidden_cards_are_not_consulted() -> None:
    low, high = (given(f"9 ({card}) 7", "1 2 3", pile="0 0") for card in (-2, 12))

    for viewer in (SPECTATOR, seat_viewer(0), seat_viewer(1)):
        assert msgspec.json.encode(GAME.view(low, viewer)) == msgspec.json.encode(GAME.view(high, viewer))


@pytest.mark.parametrize(
    ("move", "discards"), [(Swap(0), [0, 9]), (Swap(1), [0, 8]), (Flip(1), [0, 4])], ids=str
)
def test_who_draws_exchanges_or_discards(move: SkyjoMove, discards: list[int]) -> None:
    state = when(given("9 (8) 7", "1 2 3", discard="0", pile="4 4"), 0, Draw()).state

    assert discard_pile(when(state, 0, move).state) == discards


def test_who_discards_the_drawn_card_turns_a_hidden_one() -> None:
    state = given("9 (8) 7", "1 2 3", drawn=4)

    assert board(when(state, 0, Flip(1)).state, 0)[1] == 8
    assert refused(state, 0, Flip(0)).code == "skyjo.flip_needs_hidden"


def test_turns_go_clockwise_also_in_the_last_lap() -> None:
    boards = ("9 (8) 7", "9 (8) 7", "9 (8) 7")

    for closer, turns in ((None, (0, 1, 2, 0)), (2, (0, 1))):
        state = given(*boards, discard="0", closer=closer)
        for turn in turns:
            assert GAME.to_act(state) == (turn,)
            state = when(state, turn, Take(0)).state
        assert len(state.sheet) == (0 if closer is None else 1)


def test_all_cards_revealed_give_the_others_one_last_turn_each() -> None:
    state = given("1 2 (3) | gone | gone | gone", "1 2 3", "1 2 3", discard="0")

    outcome = when(state, 0, Take(2))

    assert outcome.events[-1] == RoundClosed(0)
    outcome = when(outcome.state, 1, Take(0))
    assert GAME.to_act(outcome.state) == (2,)
    assert "RoundScored" in when(outcome.state, 2, Take(0)).kinds


def test_visible_and_hidden_cards_are_added_to_the_total() -> None:
    state = given(CLOSED, "3 (5) 1 | gone | gone | gone", discard="3", turn=1, closer=0, totals=(10, 20))

    scored = when(state, 1, Take(0)).one(RoundScored)

    assert scored.raw == (6, 9)
    assert scored.totals == (16, 29)


def test_a_closer_who_is_not_strictly_lowest_is_doubled() -> None:
    assert is_doubled((10, 24, 10), 0)
    assert is_doubled((10, 24, 9), 0)
    assert not is_doubled((10, 24, 11), 0)


def test_only_positive_points_are_doubled() -> None:
    assert is_doubled((1, 1), 0)
    assert not is_doubled((0, -6), 0)
    assert not is_doubled((-4, -6), 0)


@pytest.mark.parametrize(
    ("state", "move"),
    [
        (given("9 9 1", "1 2 3", discard="9"), Take(2)),
        (given("9 9 (9)", "1 2 3", drawn=0), Flip(2)),
        (given("-2 -2 (-2)", "1 2 3", drawn=0), Flip(2)),
    ],
    ids=["exchange", "flip", "minus two"],
)
def test_three_equal_cards_leave_at_once(state: SkyjoState, move: SkyjoMove) -> None:
    assert board(when(state, 0, move).state, 0)[:3] == (GONE,) * 3


def test_three_equal_cards_leave_at_the_count_too() -> None:
    state = given(CLOSED, "3 1 1 | 9 (9) (9) | gone | gone", discard="3", turn=1, closer=0)

    assert when(state, 1, Take(0)).one(RoundScored).raw == (6, 5)


def test_the_exchanged_card_lies_under_the_three() -> None:
    state = given("9 9 -1", "1 2 3", discard="9")

    assert discard_pile(when(state, 0, Take(2)).state) == [-1, 9, 9, 9]
