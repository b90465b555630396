"""The bot: sensible, quick, and blind to what its seat does not see."""

from collections.abc import Iterator
from random import Random
from time import perf_counter

import pytest
from hypothesis import HealthCheck, given, settings

from domain.games.skyjo.moves import Draw, Flip, Reveal, SkyjoMove, Swap, Take
from domain.games.skyjo.state import SkyjoState
from domain.viewers import SPECTATOR, seat_viewer
from tests.unit.domain.games.skyjo import arrange
from tests.unit.domain.games.skyjo.arrange import GAME, hidden_otherwise, new_round, when
from tests.unit.domain.games.skyjo.playing import SEEDS, Step, at_random, chance_of, match, matches


def chosen(state: SkyjoState, seat: int = 0, seed: int = 0) -> SkyjoMove:
    legal = GAME.legal_moves(state, seat)
    assert legal is not None
    return GAME.choose(GAME.view(state, seat_viewer(seat)), legal, seat, chance_of(seed))


def test_it_beats_random_play_in_nine_of_ten_matches() -> None:
    won = 0.0
    for seed in range(60):
        random = Random(seed)
        hero = seed % 2
        anything = at_random(random)

        def play(state: SkyjoState, seat: int) -> SkyjoMove:
            return chosen(state, seat) if seat == hero else anything(state, seat)  # noqa: B023 - used at once

        *_, last = match(2, 100, seed, play, random)
        winners = GAME.standing(last.after).ranking[0]
        won += (hero in winners) / len(winners)

    assert won >= 54


@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(matches(), SEEDS)
def test_it_moves_the_same_whatever_its_seat_does_not_see(steps: Iterator[Step], seed: int) -> None:
    random = Random(seed)
    for number, step in enumerate(steps):
        if not step.asks or number % 7:
            continue
        for seat in GAME.to_act(step.after)[:1]:
            move = chosen(step.after, seat)
            other = hidden_otherwise(step.after, seat_viewer(seat), random)
            assert chosen(other, seat, seed=1) == move
            legal = GAME.legal_moves(step.after, seat)
            assert legal is not None
            assert move in list(GAME.expand(legal))


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
        GAME.choose(GAME.view(state, SPECTATOR), legal, 0, chance_of(0))


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
