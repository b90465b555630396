"""The cases of secrecy: what a viewer may not know changes nothing for them, and can be made up."""

from collections.abc import Iterator, Sequence
from random import Random

import msgspec

from domain.canonical import canonical_json
from domain.chance import Chance
from domain.games.contract import GameState, Move
from domain.sealing import Event, redact, seal, sealed_fields
from domain.viewers import EVERYTHING, SPECTATOR, Viewer, seat_viewer
from tests.kit.cards import check_cards
from tests.kit.game_cases.matches import FIRST_CHANCE, Cases, Position, fold, refusal, seats_of, viewers_of
from tests.kit.invariants import Watch, viewers
from tests.kit.play import Player
from tests.kit.table import started
from tests.kit.twins import check_no_choice_leaks, check_nothing_leaks


class SecrecyCases(Cases):
    """Who sees what."""

    def otherwise(self, state: GameState, viewer: Viewer, random: Random) -> GameState:
        """Return a state that differs in the cards that a viewer does not know."""
        seats = range(seats_of(self.game, state)) if viewer.seat is None else (viewer.seat,)
        for seat in seats:
            state = self.game.redeal(state, seat, Chance(random.randbytes(32).hex()))
        return state

    def looks(self) -> Iterator[tuple[Position, Viewer, GameState, Random]]:
        """Yield positions, each with viewers and a state that differs in what they do not know."""
        for number, position in enumerate(self.positions_to_look_at()):
            random = Random(number)
            others = [seat for seat in range(position.seats) if seat not in self.game.to_act(position.state)]
            seats = {self.game.to_act(position.state)[0], *random.sample(others, min(1, len(others)))}
            for viewer in (SPECTATOR, *map(seat_viewer, sorted(seats))):
                yield position, viewer, self.otherwise(position.state, viewer, random), random

    def test_dealing_anew_moves_what_the_seat_does_not_know_and_nothing_else(self):
        game, moved = self.game, 0
        for (state, _), viewer, other, _ in self.looks():
            check_cards(game, other)
            known = game.knows(state, viewer)
            assert all(game.name_of(other, card) == game.name_of(state, card) for card in known)
            unknown = game.knows(state, EVERYTHING) - known
            before = {card: game.name_of(state, card) for card in unknown}
            if len({*before.values()}) > 2:
                moved += any(game.name_of(other, card) != name for card, name in before.items())
        assert moved > 0 or not game.cards

    def test_what_a_viewer_does_not_know_changes_nothing_for_them(self):
        game = self.game
        for (state, _), viewer, other, random in self.looks():
            assert canonical_json(game.view(state, viewer)) == canonical_json(game.view(other, viewer))
            assert game.knows(state, viewer) == game.knows(other, viewer)
            assert game.secrets(state, viewer) == game.secrets(other, viewer)
            assert game.standing(state) == game.standing(other)
            assert (game.to_act(state), game.may_act(state)) == (game.to_act(other), game.may_act(other))
            seat = viewer.seat
            if seat is None:
                continue
            assert canonical_json(game.legal_moves(state, seat)) == canonical_json(
                game.legal_moves(other, seat)
            )
            if seat in game.to_act(state):
                assert game.fallback(state, seat) == game.fallback(other, seat)
                assert self.bots_move(state, seat) == self.bots_move(other, seat)
            asked = seat if seat in self.acting(state) else game.to_act(state)[0]
            tried = [*self.moves_to_try(state, asked, random)]
            for move in random.sample(tried, min(20, len(tried))):
                assert told(refusal(game, state, seat, move)) == told(refusal(game, other, seat, move))

    def test_the_bot_makes_a_legal_move_from_what_its_seat_receives(self):
        for state, _ in self.positions_to_look_at():
            for seat in self.game.to_act(state):
                assert self.bots_move(state, seat) in self.legal(state, seat)

    def bots_move(self, state: GameState, seat: int) -> Move:
        view = msgspec.json.encode(self.game.view(state, seat_viewer(seat)))
        legal = self.game.legal_moves(state, seat)
        assert legal is not None
        seen = msgspec.json.decode(view, type=self.game.view_type)
        return self.game.choose(seen, legal, seat, FIRST_CHANCE)

    def test_a_move_that_shows_others_no_card_tells_them_the_same_whatever_is_hidden(self):
        game, compared = self.game, 0
        for (state, _), viewer, other, random in self.looks():
            known = game.knows(state, viewer)
            for seat in self.acting(state):
                moves = self.legal(state, seat)
                if seat == viewer.seat:
                    continue
                for move in random.sample(moves, min(4, len(moves))):
                    events = game.decide(state, seat, move, FIRST_CHANCE)
                    after = fold(game, state, events)
                    if not game.knows(after, viewer) <= known or refusal(game, other, seat, move) is not None:
                        continue
                    there = game.decide(other, seat, move, FIRST_CHANCE)
                    # A move of the same name may play another card: then the game has told so.
                    if game.knows(fold(game, other, there), viewer) <= known:
                        assert received(events, viewer) == received(there, viewer), move
                        compared += 1
        assert compared or not any(kind.SEALED for kind in game.event_types)

    def test_events_open_sealed_cards_to_those_alone_who_then_know_them(self):
        game = self.game
        for step in self.steps():
            for event, state in zip(step.events, step.states, strict=True):
                if not event.SEALED:
                    continue
                data, openings = seal(event, 1, FIRST_CHANCE.seed)
                assert redact(openings, SPECTATOR) == ()
                assert redact(openings, EVERYTHING) == openings
                assert set(sealed_fields(data)) == {opening.field for opening in openings}
                for seat in range(seats_of(game, state)):
                    viewer = seat_viewer(seat)
                    if redact(openings, viewer):
                        more = game.knows(state, viewer) - game.knows(state, SPECTATOR)
                        assert more or game.secrets(state, viewer) or game.is_over(state)

    def test_views_and_legal_moves_are_written_and_read(self):
        game = self.game
        for state, seats in (*self.positions_to_look_at(), *self.ends()):
            for viewer in viewers_of(seats):
                view = game.view(state, viewer)
                assert msgspec.json.decode(msgspec.json.encode(view), type=game.view_type) == view
            for seat in range(seats):
                legal = game.legal_moves(state, seat)
                written = msgspec.json.encode(legal)
                assert msgspec.json.decode(written, type=game.legal_type | None) == legal

    def ends(self) -> Iterator[Position]:
        """Yield states with nobody to act: before the start, and after the end."""
        for match in self.matches():
            for state in (match[0].before, match[-1].after):
                yield Position(state, seats_of(self.game, state))

    def test_a_sample_agrees_with_the_view(self):
        game = self.game
        for number, (state, seats) in enumerate((*self.positions_to_look_at(), *self.ends())):
            for seat in {number % seats, *game.to_act(state)[:1]}:
                view = game.view(state, seat_viewer(seat))
                sample = game.sample(view, seat, Chance(f"{number:064x}"))
                assert game.view(sample, seat_viewer(seat)) == view
                assert game.sample(view, seat, Chance(f"{number:064x}")) == sample
                assert (game.to_act(sample), game.may_act(sample)) == (
                    game.to_act(state),
                    game.may_act(state),
                )
                assert game.legal_moves(sample, seat) == game.legal_moves(state, seat)
                assert game.is_over(sample) == game.is_over(state)
                check_cards(game, sample)

    def test_samples_differ_and_can_be_played_on(self):
        game = self.game
        for number, (state, _) in enumerate(self.positions_to_look_at()[::5]):
            chance = Chance(f"{number:064x}")
            seat = game.to_act(state)[0]
            sample = game.sample(game.view(state, seat_viewer(seat)), seat, chance)
            while not game.is_over(sample):
                seat = game.to_act(sample)[0]
                sample = fold(game, sample, game.decide(sample, seat, game.fallback(sample, seat), chance))
        dealt = self.matches()[-1][0].after
        view = game.view(dealt, seat_viewer(0))
        samples = {canonical_json(game.sample(view, 0, Chance(f"{seed:064x}"))) for seed in range(20)}
        assert len(samples) == 20 or not game.cards

    def test_a_match_tells_no_viewer_what_they_may_not_know(self):
        for seats in {*self.game.seats}:
            random = Random(f"{self.game.key} {seats}")
            table = started(self.game, seats, nonces=True, undo="free")
            player = Player(table, random)
            for _ in range(15):
                before = table.copy()
                player.random_move()
                if not player.is_on:
                    # Once it is over, nothing is hidden any more.
                    table = before
                    break
            found = [check_nothing_leaks(table, viewer, random) for viewer in viewers(seats)]
            assert any(found)
            for viewer in viewers(seats):
                check_no_choice_leaks(table, viewer)

    def test_undo_and_redo_give_back_the_very_state(self):
        random = Random(self.game.key)
        table = started(self.game, self.game.seats[0], undo="practice")
        player, watch, stepped = Player(table, random), Watch(table), 0
        for _ in range(40):
            if player.is_on:
                stepped += (
                    random.choice((player.random_move, player.random_move, player.undo, player.redo))()
                    is True
                )
                watch.look()
        watch.finish()
        assert stepped


def told(refused) -> tuple[object, ...]:
    """Return what a refusal says."""
    return () if refused is None else (refused.code, refused.rule, dict(refused.arguments))


def received(events: Sequence[Event], viewer: Viewer) -> list[tuple[object, ...]]:
    """Return what of some events reaches a viewer, commitments replaced by a constant."""
    found: list[tuple[object, ...]] = []
    for version, event in enumerate(events, 1):
        data, openings = seal(event, version, FIRST_CHANCE.seed)
        text = msgspec.json.encode(data)
        for commitment in sealed_fields(data).values():
            text = text.replace(commitment.encode(), b"-")
        opened = [(opening.field, bytes(opening.value)) for opening in redact(openings, viewer)]
        found.append((type(event), text, opened))
    return found
