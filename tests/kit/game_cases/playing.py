"""The cases of play: the contract's promises about moves, events, chance and results."""

import re
import sys
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from domain.canonical import canonical_json
from domain.chance import Chance
from domain.errors import NotAsked, Refused
from domain.games.demands import check_game
from domain.games.recorded_chance import pick_of, shuffle_of
from domain.games.registry import move_type
from domain.sealing import seal, unseal
from domain.viewers import seat_viewer
from tests.kit.cards import check_cards
from tests.kit.game_cases.matches import FIRST_CHANCE, Cases, fold, refusal, seats_of
from tests.kit.options import choices, player_counts


def folder_of(kind: type) -> Path:
    """Return the folder with the module of a class."""
    return Path(str(sys.modules[kind.__module__].__file__)).parent


class PlayingCases(Cases):
    """What happens in every match."""

    def test_it_fits_the_contract(self):
        check_game(self.game)
        assert list(self.game.cards) == sorted(
            self.game.cards, key=list(dict.fromkeys(self.game.cards)).index
        )
        for kind in self.game.event_types:
            # A sealed field that is left out when it has its default would tell that it has.
            assert kind.SEALED.keys() <= {
                field.name for field in msgspec.structs.fields(kind) if field.required
            }

    def test_every_choice_of_options_can_be_played_by_the_seats_it_fits_and_by_no_others(self):
        game = self.game
        for seats in player_counts(game):
            assert choices(game, seats)
            state = game.initial(game.options_type(), seats)
            assert (game.to_act(state), game.is_over(state), game.round_of(state)) == ((), False, 0)
            assert all(game.legal_moves(state, seat) is None for seat in range(seats))
        for seats in (game.seats[0] - 1, game.seats[1] + 1):
            with pytest.raises(Refused) as caught:
                game.initial(game.options_type(), seats)
            assert caught.value.rule

    def test_cards_are_conserved_after_every_event(self):
        for step in self.steps():
            for state in step.states:
                check_cards(self.game, state)
            self.check_step(step)

    def test_every_ruling_has_its_mark_in_the_code_and_its_test(self):
        letter, number = self.rulings
        rulings = [f"{letter}{ruling}" for ruling in range(1, number + 1)]
        code = folder_of(type(self.game)).glob("*.py")
        marks = {
            mark for path in code for mark in re.findall(rf"\b{letter or 'no'}\d+\b", path.read_text("utf-8"))
        }
        assert marks == set(rulings)
        tests = "".join(path.read_text("utf-8") for path in folder_of(type(self)).glob("test_*.py"))
        assert [ruling for ruling in rulings if f"def test_{ruling.lower()}_" not in tests] == []

    def test_somebody_is_to_act_and_has_a_move_until_the_game_is_over(self):
        game = self.game
        for match in self.matches():
            for step in match:
                owing, acting = game.to_act(step.after), self.acting(step.after)
                assert bool(owing) != game.is_over(step.after)
                assert not set(owing) & set(game.may_act(step.after))
                for seat in range(seats_of(game, step.after)):
                    moves = self.legal(step.after, seat)
                    assert bool(moves) == (seat in acting)
                    assert len(moves) == len(set(moves))
                    assert seat not in owing or game.fallback(step.after, seat) in moves
            last = match[-1].after
            assert game.is_over(last)
            assert self.acting(last) == ()

    def test_every_type_of_move_and_of_event_occurs(self):
        moves = {type(step.move) for step in self.steps()}
        events = {type(event) for step in self.steps() for event in step.events}
        assert moves - {type(None)} == set(self.game.move_types)
        assert events == set(self.game.event_types)

    def test_legal_moves_are_exactly_those_that_are_accepted(self):
        random = Random(1)
        for state, seats in self.positions_to_look_at():
            for seat in self.acting(state):
                allowed = self.legal(state, seat)
                meant = {self.written(move) for move in allowed}
                assert len(allowed) == len(meant) > 0
                for move in (*allowed, *self.moves_to_try(state, seat, random)):
                    accepted = refusal(self.game, state, seat, move) is None
                    assert accepted == (self.written(move) in meant), (seat, move)
            for seat in set(range(seats)) - set(self.acting(state)):
                assert self.game.legal_moves(state, seat) is None

    def test_a_seat_that_is_not_asked_is_refused_whatever_it_tries(self):
        random = Random(2)
        for state, seats in self.positions_to_look_at():
            asked = self.game.to_act(state)
            for seat in set(range(seats)) - set(self.acting(state)):
                for move in self.legal(state, asked[0])[:8] + random.sample(self.all_moves_made(), 5):
                    refused = refusal(self.game, state, seat, move)
                    assert isinstance(refused, NotAsked)
                    assert refused.arguments == {"seat": seat, "to_act": asked}

    def all_moves_made(self):
        return list({step.move: None for step in self.steps() if step.move is not None})

    def test_a_move_comes_to_the_same_each_time_and_changes_no_state(self):
        game = self.game
        for state, _ in self.positions_to_look_at():
            before = canonical_json(state)
            for seat in self.acting(state):
                for move in self.legal(state, seat)[:8]:
                    events = game.decide(state, seat, move, FIRST_CHANCE)
                    assert events == game.decide(state, seat, move, FIRST_CHANCE)
                    recovered = game.recover_move(events)
                    assert recovered is not None
                    assert recovered[0] == seat
                    assert game.decide(state, *recovered, FIRST_CHANCE) == events
            assert canonical_json(state) == before

    def test_the_move_recovered_from_its_events_comes_to_the_same(self):
        game = self.game
        for step in self.steps():
            recovered = game.recover_move(step.events)
            assert (None if recovered is None else recovered[0]) == step.seat
            if recovered is not None:
                assert game.decide(step.before, *recovered, step.chance) == step.events

    def test_rounds_follow_each_other_and_points_add_up(self):
        game = self.game
        for match in self.matches():
            rounds, seats = 0, seats_of(game, match[0].after)
            for step in match:
                states = (step.before, *step.states)
                for event, before, state in zip(step.events, states[:-1], step.states, strict=True):
                    if type(event).__name__ in game.round_starts():
                        rounds += 1
                    if type(event).__name__ in game.round_scores():
                        scored: Any = event
                        assert scored.round == rounds
                        assert len(scored.points) == seats
                        assert scored.totals == game.standing(state).totals
                        gained = zip(scored.totals, game.standing(before).totals, strict=True)
                        assert scored.points == tuple(now - then for now, then in gained)
                    assert game.round_of(state) == rounds
            result = game.standing(match[-1].after)
            assert sorted(seat for group in result.ranking for seat in group) == list(range(seats))
            by_rank = [{result.totals[seat] for seat in group} for group in result.ranking]
            assert all(len(group) == 1 for group in by_rank)
            points, rising = [min(group) for group in by_rank], sorted({*result.totals})
            assert points in (rising, rising[::-1])
            assert not result.stalled

    def test_stored_events_fold_to_the_same_state(self):
        game = self.game
        for number, match in enumerate(self.matches()):
            state = match[0].before
            for step in match:
                for version, event in enumerate(step.events, 1):
                    data, openings = seal(event, version, FIRST_CHANCE.seed)
                    stored = msgspec.json.decode(msgspec.json.encode(data))
                    read = msgspec.convert(unseal(stored, openings), type(event))
                    assert read == event
                    state = game.evolve(state, read)
            assert state == match[-1].after
            for step in match[:: 10 + number % 7]:
                written = msgspec.json.encode(step.after)
                assert msgspec.json.decode(written, type=game.state_type) == step.after

    def test_what_chance_gave_is_what_events_record(self):
        recorded = 0
        for step in self.steps():
            for event in step.events:
                shuffle, pick = shuffle_of(event), pick_of(event)
                if shuffle is not None:
                    counts = Counter(shuffle.order)
                    in_list_order = [
                        card for card in dict.fromkeys(self.game.cards) for _ in range(counts[card])
                    ]
                    assert shuffle.order == step.chance.shuffle(in_list_order, shuffle.round, shuffle.number)
                    assert not shuffle.whole or in_list_order == list(self.game.cards)
                if pick is not None:
                    assert pick.value == step.chance.pick(pick.below, pick.purpose)
                recorded += shuffle is not None or pick is not None
        assert recorded or not self.game.cards

    def test_the_same_chance_plays_the_same_match_and_another_one_another(self):
        seats = self.game.seats[1]
        options = choices(self.game, seats)[0]
        assert self.play(seats, options, 7) == self.play(seats, options, 7)
        state = self.game.initial(self.game.options_type(), seats)
        dealt = [self.game.start(state, Chance("0b" * 32, nonces)) for nonces in ((), ("", "luck"))]
        assert dealt[0] != dealt[1]

    def test_moves_are_written_and_read(self):
        for move in self.all_moves_made():
            assert msgspec.json.decode(msgspec.json.encode(move), type=move_type(self.game)) == move

    def test_the_bot_beats_random_play(self):
        for seats, number, wins in self.bot_wins:
            assert sum(self.bots_share(seats, seed) for seed in range(number)) >= wins

    def bots_share(self, seats: int, seed: int) -> float:
        """Return the bot's share of the victory in a match against seats that move at random."""
        game, random, chance = self.game, Random(seed), Chance(f"{seed:064x}")
        bot, state = seed % seats, game.initial(game.options_type(), seats)
        state = fold(game, state, game.start(state, chance))
        while not game.is_over(state):
            seat = random.choice(game.to_act(state))
            legal = game.legal_moves(state, seat)
            assert legal is not None
            if seat == bot:
                move = game.choose(game.view(state, seat_viewer(seat)), legal, seat, FIRST_CHANCE)
            else:
                move = random.choice(list(game.expand(legal)))
            state = fold(game, state, game.decide(state, seat, move, chance))
        best = game.standing(state).ranking[0]
        return (bot in best) / len(best)
