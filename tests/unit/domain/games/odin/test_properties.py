"""What holds in every match, whoever plays how."""

import random
from collections.abc import Iterator

import msgspec
import pytest
from hypothesis import given, settings

from domain.chance import Chance
from domain.games.odin.cards import CARDS
from domain.games.odin.events import CardsPlayed, OdinEvent, Passed, RoundEnded, RoundStarted, TrickEnded
from domain.games.odin.moves import Pass
from domain.games.odin.options import First, Limit, OdinOptions
from domain.games.odin.state import OdinState, centre_of, hand_of, hand_size
from tests.unit.domain.games.odin.arrange import GAME, fold, moves_of
from tests.unit.domain.games.odin.model import Table
from tests.unit.domain.games.odin.positions import LIMITS, SEATS, SEEDS

MOST_MOVES = 5_000
"""Far more than any match needs: who meets it plays for ever."""


def match(
    seed: int, seats: int, limit: Limit, first: First = "random"
) -> Iterator[tuple[OdinState, OdinEvent]]:
    """Yield each event of a random match and the state after it; passes are rare, so that rounds are rich."""
    rng = random.Random(seed)
    chance = Chance(f"{seed:064x}")
    state = GAME.initial(OdinOptions(limit, first), seats)
    events = GAME.start(state, chance)
    for _ in range(MOST_MOVES):
        for event in events:
            state = GAME.evolve(state, event)
            yield state, event
        if GAME.is_over(state):
            return
        (seat,) = GAME.to_act(state)
        legal = moves_of(state)
        plays = [move for move in legal if not isinstance(move, Pass)]
        events = GAME.decide(
            state, seat, rng.choice(plays if plays and rng.random() < 0.7 else legal), chance
        )
    pytest.fail("the match does not end")


@settings(max_examples=40, deadline=None)
@given(SEEDS, SEATS, LIMITS)
def test_cards_are_conserved_after_every_event(seed: int, seats: int, limit: Limit):
    for state, _ in match(seed, seats, limit):
        if state.round:
            held = [card for seat in range(seats) for card in hand_of(state, seat)]
            undealt = state.order[9 * seats :]
            table = [*centre_of(state), *(state.order[place] for place in state.discard)]
            assert sorted([*held, *table, *undealt]) == sorted(CARDS)


@settings(max_examples=40, deadline=None)
@given(SEEDS, SEATS, LIMITS)
def test_the_match_ends_and_until_then_one_seat_is_asked_and_can_move(seed: int, seats: int, limit: Limit):
    state: OdinState | None = None
    for state, event in match(seed, seats, limit):
        if isinstance(event, RoundEnded):
            assert GAME.to_act(state) == ()
        elif GAME.to_act(state):
            (seat,) = GAME.to_act(state)
            assert moves_of(state)
            assert GAME.fallback(state, seat) in moves_of(state)
            assert max(hand_size(state, other) for other in range(seats)) <= 9
    assert state is not None
    assert GAME.is_over(state)
    assert limit == "single" or max(state.totals) >= limit
    assert limit == "single" or min(state.totals) < limit


@settings(max_examples=40, deadline=None)
@given(SEEDS, SEATS)
def test_the_cards_in_all_hands_become_fewer_with_each_trick(seed: int, seats: int):
    held_before = 0
    for state, event in match(seed, seats, "single"):
        held = sum(hand_size(state, seat) for seat in range(seats))
        if isinstance(event, RoundStarted):
            held_before = held
        elif isinstance(event, TrickEnded):
            assert held < held_before
            held_before = held


@settings(max_examples=40, deadline=None)
@given(SEEDS, SEATS, LIMITS)
def test_points_add_up_and_the_round_s_winner_has_none(seed: int, seats: int, limit: Limit):
    for state, event in match(seed, seats, limit):
        if isinstance(event, RoundEnded):
            assert event.points == tuple(hand_size(state, seat) for seat in range(seats))
            assert event.points[event.seat] == 0
            assert event.points.count(0) == 1
        assert (
            state.totals == tuple(sum(column) for column in zip(*state.sheet, strict=True)) or not state.sheet
        )
    assert sorted(seat for group in GAME.standing(state).ranking for seat in group) == list(range(seats))
    assert not GAME.standing(state).stalled


@settings(max_examples=25, deadline=None)
@given(SEEDS, SEATS, LIMITS)
def test_starters_rotate(seed: int, seats: int, limit: Limit):
    starters = [
        event.starter for _, event in match(seed, seats, limit, first=1) if isinstance(event, RoundStarted)
    ]

    assert starters == [(1 + number) % seats for number in range(len(starters))]


@settings(max_examples=25, deadline=None)
@given(SEEDS, SEATS, LIMITS)
def test_folding_stored_events_again_gives_the_same_state(seed: int, seats: int, limit: Limit):
    steps = list(match(seed, seats, limit))
    stored = [msgspec.json.decode(msgspec.json.encode(event), type=type(event)) for _, event in steps]
    initial = GAME.initial(OdinOptions(limit), seats)

    assert fold(initial, stored) == fold(initial, stored) == steps[-1][0]
    for state, _ in steps[:: len(steps) // 10 + 1]:
        assert msgspec.json.decode(msgspec.json.encode(state), type=OdinState) == state


@settings(max_examples=25, deadline=None)
@given(SEEDS, SEATS)
def test_a_round_goes_as_the_second_reading_of_the_rules_goes(seed: int, seats: int):
    table = Table([], 0, set(), 0, 0)
    for state, event in match(seed, seats, "single"):
        if isinstance(event, RoundStarted):
            table = Table([set(hand) for hand in event.hands], event.starter, set(), 0, 0)
        elif isinstance(event, CardsPlayed):
            assert table.turn == event.seat
            table.make((frozenset(event.cards), event.taken))
        elif isinstance(event, Passed):
            table.make((frozenset(), None))
        # Between a pass and the end of the trick that it brings nobody is asked, and there is nothing to compare.
        if state.turn is not None:
            assert (table.turn, table.passes) == (state.turn, state.passes)
            assert table.centre == set(centre_of(state))
            assert table.hands == [set(hand_of(state, seat)) for seat in range(seats)]
            assert table.thrown == {state.order[place] for place in state.discard}
    assert [len(hand) for hand in table.hands] == list(state.totals)
