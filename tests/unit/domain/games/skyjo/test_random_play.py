"""What holds in every position of every match, whoever plays."""

from collections import Counter
from collections.abc import Iterator
from random import Random

import msgspec
from hypothesis import HealthCheck, given, settings

from domain.games.recorded_chance import pick_of, shuffle_of
from domain.games.skyjo.cards import CARDS
from domain.games.skyjo.events import (
    CardFlipped,
    CardSwapped,
    DiscardTaken,
    PileReshuffled,
    RoundScored,
    RoundStalled,
)
from domain.games.skyjo.state import SkyjoState
from tests.unit.domain.games.skyjo.arrange import GAME, all_faces
from tests.unit.domain.games.skyjo.playing import Step, chance_of, dawdling, match, matches

play_through = settings(max_examples=10, deadline=None, suppress_health_check=list(HealthCheck))


@play_through
@given(matches())
def test_150_cards_lie_somewhere_after_every_event(steps: Iterator[Step]) -> None:
    for step in steps:
        assert all_faces(step.after) == Counter(CARDS)


@play_through
@given(matches())
def test_whoever_is_asked_has_a_legal_move_and_others_have_none(steps: Iterator[Step]) -> None:
    for step in steps:
        state = step.after
        asked = GAME.to_act(state)
        assert bool(asked) != GAME.is_over(state) or not step.asks
        for seat in range(state.seats):
            legal = GAME.legal_moves(state, seat)
            assert (legal is not None) == (seat in asked)
            if legal is not None:
                moves = list(GAME.expand(legal))
                assert moves
                assert GAME.fallback(state, seat) in moves


@play_through
@given(matches())
def test_k8_whoever_has_a_turn_has_a_hidden_card(steps: Iterator[Step]) -> None:
    for step in steps:
        if step.after.turn is not None:
            assert step.after.hidden[step.after.turn]


@play_through
@given(matches())
def test_k29_the_discard_pile_is_never_empty(steps: Iterator[Step]) -> None:
    for step in steps:
        assert step.after.discard


@play_through
@given(matches())
def test_evolving_reads_nothing_but_state_and_event(steps: Iterator[Step]) -> None:
    first = None
    events = []
    last: SkyjoState | None = None
    for step in steps:
        first = first or step.before
        events.append(msgspec.json.decode(msgspec.json.encode(step.event), type=type(step.event)))
        last = step.after
    assert first is not None
    state = first
    for event in events:
        state = GAME.evolve(state, event)
    assert state == last
    assert msgspec.json.decode(msgspec.json.encode(state), type=SkyjoState) == state


@play_through
@given(matches())
def test_every_turn_names_who_follows(steps: Iterator[Step]) -> None:
    for step in steps:
        if isinstance(step.event, DiscardTaken | CardSwapped | CardFlipped):
            following = (step.event.seat + 1) % step.before.seats
            assert step.event.next_seat in {following, None}
            assert step.after.turn == step.event.next_seat


@play_through
@given(matches())
def test_totals_are_the_sums_of_the_sheet_and_the_match_ends_at_the_limit(steps: Iterator[Step]) -> None:
    for step in steps:
        state = step.after
        sums = tuple(map(sum, zip(*state.sheet, strict=True))) if state.sheet else (0,) * state.seats
        assert state.totals == sums
        if isinstance(step.event, RoundScored):
            reached = state.limit == "single" or max(state.totals) >= state.limit
            assert GAME.is_over(state) == step.event.over == reached


def test_dawdlers_run_the_pile_down_and_stall_rounds_yet_end_the_match() -> None:
    random = Random(7)
    kinds = Counter(
        type(step.event) for seed in range(12) for step in match(8, 100, seed, dawdling(random), random)
    )

    assert kinds[PileReshuffled] > 0
    assert kinds[RoundStalled] > 0


def test_every_recorded_shuffle_comes_from_the_seed() -> None:
    random = Random(8)
    recorded = 0
    for step in match(8, 100, 3, dawdling(random), random):
        shuffle = shuffle_of(step.event)
        if shuffle is not None:
            recorded += 1
            cards = sorted(shuffle.order, key=int)
            assert shuffle.order == chance_of(3).shuffle(cards, shuffle.round, shuffle.number)
            if shuffle.number:
                assert step.before.pile_size == 0
            else:
                assert step.after.dealt == shuffle.order
        assert pick_of(step.event) is None
    assert recorded > 1
