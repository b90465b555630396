"""The bot is sensible and quick."""

from time import perf_counter

import pytest

from domain.games.skyjo.moves import Draw, Flip, Reveal, SkyjoMove, Swap, Take
from domain.games.skyjo.state import SkyjoState
from domain.viewers import SPECTATOR, seat_viewer
from tests.unit.domain.games.skyjo import arrange
from tests.unit.domain.games.skyjo.arrange import CHANCE, GAME, new_round, when


def chosen(state: SkyjoState, seat: int = 0) -> SkyjoMove:
    legal = GAME.legal_moves(state, seat)
    assert legal is not None
    return GAME.choose(GAME.view(state, seat_viewer(seat)), legal, seat, CHANCE)


def test_it_first_turns_cards_of_different_columns() -> None:
    state = new_round(2)

    assert chosen(state) == Reveal((0, 3))
    state = when(state, 0, Reveal((4,))).state
    assert chosen(state) == Reveal((0,))


@pytest.mark.parametrize(
    ("state", "move"),
    [
        (arrange.given("12 (8) 3", "1 2 3", discard="-2"), Take(0)),
        (arrange.given("1 (8) 3", "1 2 3", discard="12"), Draw()),
        (arrange.given("9 9 1", "1 2 3", discard="9"), Take(2)),
        (arrange.given("12 (8) 3", "1 2 3", drawn=-2), Swap(0)),
        (arrange.given("9 9 (1)", "1 2 3", drawn=9), Swap(2)),
    ],
    ids=[
        "takes a low card",
        "leaves a high card",
        "completes by taking",
        "keeps a low card",
        "completes by swapping",
    ],
)
def test_it_does_what_anybody_would(state: SkyjoState, move: SkyjoMove) -> None:
    assert chosen(state) == move


def test_it_does_not_choose_for_a_seat_whose_drawn_card_it_was_not_shown() -> None:
    state = arrange.given("12 (8) 3", "1 2 3", drawn=-2)
    legal = GAME.legal_moves(state, 0)
    assert legal is not None
    with pytest.raises(TypeError, match="sees the card"):
        GAME.choose(GAME.view(state, SPECTATOR), legal, 0, CHANCE)


def test_it_throws_a_high_card_away() -> None:
    assert isinstance(chosen(arrange.given("1 (8) 3", "1 2 3", drawn=12)), Flip)


def test_it_closes_when_it_is_ahead_and_not_when_it_is_behind() -> None:
    ahead = "0 0 1 | 0 1 1 | gone | 1 0 (1)"
    behind = "9 8 9 | 8 7 8 | gone | 7 9 (1)"

    assert chosen(arrange.given(ahead, "(1) (2) (3)", drawn=0)) == Swap(11)
    closing = chosen(arrange.given(behind, "1 0 1 | 0 1 0 | 1 0 (2)", drawn=0))
    assert isinstance(closing, Swap)
    assert closing.slot != 11


def test_it_does_not_wait_for_ever_when_it_is_behind() -> None:
    boards = ("9 8 9 | 8 7 8 | gone | 7 9 (1)", "1 0 1 | 0 1 0 | 1 0 (2)")

    assert isinstance(chosen(arrange.given(*boards, drawn=12, idle_turns=11)), Swap)
    assert chosen(arrange.given(*boards, drawn=12, idle_turns=12)) == Flip(11)


def test_its_last_turn_takes_the_dearest_card_off() -> None:
    state = arrange.given(
        "1 2 12 | gone | gone | 10 (1) 3", "1 2 3 | gone | gone | gone", discard="4", closer=1
    )

    assert chosen(state) == Take(2)


def test_a_decision_takes_about_a_millisecond_at_most() -> None:
    state = new_round(8)
    for seat in range(8):
        state = when(state, seat, Reveal((0, 1))).state
    (seat,) = GAME.to_act(state)
    begin = perf_counter()
    chosen(state, seat)
    best = perf_counter() - begin
    for _ in range(20):
        begin = perf_counter()
        chosen(state, seat)
        best = min(best, perf_counter() - begin)

    assert best < 0.002
