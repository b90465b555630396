"""What holds after every event of every match: all player counts, all options, all ways of playing."""

from collections import Counter
from random import Random

import msgspec
import pytest
from hypothesis import given

from domain.chance import Chance
from domain.errors import NotAsked, Refused
from domain.games.lama.cards import CARDS
from domain.games.lama.events import GameEnded, LamaEvent, RoundEnded, RoundStarted
from domain.games.lama.moves import Draw, LamaMove
from domain.games.lama.options import LamaOptions
from domain.games.lama.state import LamaState
from domain.games.recorded_chance import shuffle_of
from domain.sealing import seal, unseal
from domain.viewers import EVERYTHING, seat_viewer
from tests.unit.domain.games.lama.arrangement import CHANCE, EVERY_MOVE, GAME, fold, viewers
from tests.unit.domain.games.lama.playing import TEMPERS, Step, examples, matches, positions, random_match

SEED = "0a" * 32


def assert_cards_conserved(state: LamaState) -> None:
    pile = range(state.pile_start, len(state.order))
    places = [*state.discard, *pile, *(place for hand in state.hands for place in hand)]
    assert sorted(places) == list(range(56))
    assert Counter(state.order) == Counter(CARDS)


def accepted(state: LamaState, seat: int) -> list[LamaMove]:
    allowed = []
    for move in EVERY_MOVE:
        try:
            GAME.decide(state, seat, move, CHANCE)
        except Refused:
            continue
        allowed.append(move)
    return allowed


@examples(150)
@given(matches)
def test_cards_are_conserved_after_every_event(steps: list[Step]):
    for step in steps:
        state = step.before
        assert_cards_conserved(state)
        for event in step.events:
            state = GAME.evolve(state, event)
            assert_cards_conserved(state)
        assert state == step.after


@examples(150)
@given(matches)
def test_somebody_is_asked_and_has_a_move_until_the_game_is_over(steps: list[Step]):
    for step in steps:
        asked = GAME.to_act(step.before)
        assert len(asked) == 1
        for seat in range(step.before.seats):
            legal = GAME.legal_moves(step.before, seat)
            assert (legal is not None) == (seat in asked)
            if legal is not None:
                moves = list(GAME.expand(legal))
                assert GAME.fallback(step.before, seat) in moves
                assert len(moves) == len(set(moves)) > 0
    last = steps[-1].after
    assert GAME.is_over(last)
    assert GAME.to_act(last) == ()
    assert all(GAME.legal_moves(last, seat) is None for seat in range(last.seats))


@examples(150)
@given(positions)
def test_legal_moves_are_exactly_those_that_are_accepted(state: LamaState):
    (seat,) = GAME.to_act(state)
    legal = GAME.legal_moves(state, seat)

    assert legal is not None
    moves = list(GAME.expand(legal))
    assert len(moves) == len(set(moves))
    assert set(moves) == set(accepted(state, seat))


@examples(100)
@given(positions)
def test_a_seat_that_is_not_asked_is_refused_whatever_it_tries(state: LamaState):
    asked = GAME.to_act(state)
    for seat in set(range(state.seats)) - set(asked):
        for move in EVERY_MOVE:
            with pytest.raises(NotAsked) as caught:
                GAME.decide(state, seat, move, CHANCE)
            assert caught.value.arguments == {"seat": seat, "to_act": asked}


@examples(150)
@given(matches)
def test_rounds_are_scored_in_order_and_end_within_their_bound(steps: list[Step]):
    moves = 0
    for step in steps:
        moves += 1
        for event in step.events:
            if isinstance(event, RoundStarted):
                assert event.round == step.before.round + 1
                moves = 0
            if isinstance(event, RoundEnded):
                # Every move lays a card, takes one off the pile, or leaves the round.
                assert moves <= 2 * 56 + 6
                gained = tuple(zip(event.totals, step.before.totals, strict=True))
                assert event.points == tuple(after - before for after, before in gained)
                assert all(0 <= points <= 31 for points in event.points)
                assert event.winner is None or event.points[event.winner] == 0
    totals = steps[-1].after.totals
    reached = tuple(seat for seat, total in enumerate(totals) if total >= 40)
    assert steps[-1].events[-1] in (GameEnded(reached), GameEnded())


@examples(100)
@given(matches)
def test_folding_stored_events_gives_the_same_state(steps: list[Step]):
    state = steps[0].before
    for version, event in enumerate((event for step in steps for event in step.events), 1):
        data, openings = seal(event, version, SEED)
        stored = msgspec.json.encode(data)
        kind: type[LamaEvent] = type(event)
        read = msgspec.convert(unseal(msgspec.json.decode(stored), openings), kind)
        assert read == event
        state = GAME.evolve(state, read)
    assert state == steps[-1].after
    assert state == fold(steps[0].before, (event for step in steps for event in step.events))


@examples(150)
@given(matches)
def test_every_recorded_shuffle_is_what_chance_gives(steps: list[Step]):
    for step in steps:
        for event in step.events:
            shuffle = shuffle_of(event)
            if shuffle is not None:
                assert shuffle.order == step.chance.shuffle(CARDS, shuffle.round, shuffle.number)
                assert shuffle.order == step.after.order


@examples(150)
@given(matches)
def test_a_state_is_stored_and_read_without_loss(steps: list[Step]):
    for step in steps[-3:]:
        for state in (step.before, step.after):
            assert msgspec.json.decode(msgspec.json.encode(state), type=LamaState) == state


@examples(100)
@given(positions)
def test_what_chance_decided_comes_again_after_an_undo(state: LamaState):
    (seat,) = GAME.to_act(state)
    legal = GAME.legal_moves(state, seat)
    assert legal is not None
    for move in GAME.expand(legal):
        assert GAME.decide(state, seat, move, CHANCE) == GAME.decide(state, seat, move, CHANCE)


@examples(100)
@given(matches)
def test_within_a_round_only_a_drawn_card_is_news_and_only_to_its_drawer(steps: list[Step]):
    for step in steps:
        if step.after.scored or step.after.round != step.before.round:
            continue
        drawn = {(step.before.round, step.before.pile_start)} if isinstance(step.move, Draw) else set()
        mover = seat_viewer(step.seat)
        known = GAME.knows(step.before, mover)
        assert GAME.knows(step.after, mover) - known == drawn
        for viewer in viewers(step.before.seats):
            if viewer not in {mover, EVERYTHING}:
                # What the others learn, the mover knew: such a move may be taken back freely.
                assert GAME.knows(step.after, viewer) <= GAME.knows(step.before, viewer) | known


@examples(50)
@given(matches)
def test_the_end_of_a_round_is_always_news_to_somebody(steps: list[Step]):
    for step in steps:
        # The chip that comes back at the end of the last round is no news: the hands were opened before that.
        ends = step.after.scored and not step.before.scored
        if ends or step.after.round != step.before.round:
            known = GAME.knows(step.before, seat_viewer(step.seat))
            assert any(
                GAME.knows(step.after, viewer) - known
                for viewer in map(seat_viewer, range(step.before.seats))
            )


def test_uniformly_random_matches_end():
    for seed in range(150):
        steps = list(random_match(Random(seed).randint(2, 6), LamaOptions(), seed, TEMPERS[0]))

        assert GAME.is_over(steps[-1].after)
        assert max(steps[-1].after.totals) >= 40


def test_the_same_chance_plays_the_same_match():
    one, other = (list(random_match(4, LamaOptions(), 7, TEMPERS[1])) for _ in range(2))

    assert one == other
    assert Chance(f"{7:064x}") == one[0].chance
