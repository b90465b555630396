"""Odin under the cases of every game, with its own invariants and a second reading of its rules."""

from collections.abc import Iterator, Sequence
from itertools import combinations
from random import Random
from typing import cast

from msgspec.structs import replace

from domain.games.contract import GameState, Move
from domain.games.odin.cards import CARDS, is_uniform
from domain.games.odin.events import CardsPlayed, OdinEvent, Passed, RoundEnded, RoundStarted, TrickEnded
from domain.games.odin.moves import OdinMove, Pass, Play
from domain.games.odin.state import OdinState, centre_of, hand_of, hand_size
from domain.games.registry import GAMES
from tests.kit.game_cases import GameCases
from tests.kit.game_cases.matches import Player, Step
from tests.unit.domain.games.odin.arrange import PASS, given
from tests.unit.domain.games.odin.model import MoveKey, Table


class TestOdin(GameCases):
    game = GAMES["odin", 1]
    rulings = ("O", 33)
    bot_wins = ((2, 60, 54), (4, 16, 12))

    def player(self, random: Random) -> Player:
        """Passes are rare, so that rounds are rich."""

        def choose(_state: GameState, _seat: int, moves: Sequence[Move]) -> Move:
            plays = [move for move in moves if not isinstance(move, Pass)]
            return random.choice(plays if plays and random.random() < 0.7 else moves)

        return choose

    def made_up(self, random: Random) -> OdinState:
        return made_up(random)

    def written(self, move: Move) -> Move:
        """The order of the cards of a play means nothing."""
        return replace(move, cards=tuple(sorted(move.cards))) if isinstance(move, Play) else move

    def moves_to_try(self, state: GameState, seat: int, _random: Random) -> Iterator[OdinMove]:
        """All that a seat could say about cards that are its own, and some about others."""
        assert isinstance(state, OdinState)
        hand, centre = hand_of(state, seat), centre_of(state)
        foreign = next(card for card in state.order if card not in hand and card not in centre)
        takes = (None, *centre, foreign, hand[0])
        yield PASS
        yield Play(())
        for size in range(1, len(hand) + 1):
            for cards in combinations(hand, size):
                for take in takes:
                    yield Play(cards, take)
        for cards in ((foreign,), (hand[0], hand[0]), (*hand, foreign), (*centre, foreign)):
            for take in takes:
                yield Play(cards, take)

    def test_the_second_reading_of_the_rules_finds_the_same_moves(self):
        for state, _ in self.positions_to_look_at():
            assert isinstance(state, OdinState)
            (seat,) = self.game.to_act(state)
            assert {key(move) for move in self.legal(state, seat)} == table_of(state, seat).moves()

    def test_a_round_goes_as_the_second_reading_of_the_rules_goes(self):
        for match in self.matches():
            table = Table([], 0, set(), 0, 0)
            for state, event in states_and_events(match):
                if isinstance(event, RoundStarted):
                    table = Table([set(hand) for hand in event.hands], event.starter, set(), 0, 0)
                elif isinstance(event, CardsPlayed):
                    assert table.turn == event.seat
                    table.make((frozenset(event.cards), event.taken))
                elif isinstance(event, Passed):
                    table.make((frozenset(), None))
                elif isinstance(event, RoundEnded):
                    assert tuple(map(len, table.hands)) == event.points
                # Between a pass and the end of the trick that it brings nobody is asked: nothing to compare.
                if state.turn is not None:
                    assert (table.turn, table.passes) == (state.turn, state.passes)
                    assert table.centre == set(centre_of(state))
                    assert table.hands == [set(hand_of(state, seat)) for seat in range(state.seats)]
                    assert table.thrown == {state.order[place] for place in state.discard}

    def test_the_cards_in_all_hands_become_fewer_with_each_trick(self):
        for match in self.matches():
            held_before = 0
            for state, event in states_and_events(match):
                held = sum(hand_size(state, seat) for seat in range(state.seats))
                assert max(hand_size(state, seat) for seat in range(state.seats)) <= 9
                if isinstance(event, TrickEnded):
                    assert held < held_before
                if isinstance(event, TrickEnded | RoundStarted):
                    held_before = held

    def test_rounds_are_scored_by_cards_left_and_starters_rotate(self):
        for match in self.matches():
            starters = []
            for state, event in states_and_events(match):
                if isinstance(event, RoundEnded):
                    assert self.game.to_act(state) == ()
                    assert event.points == tuple(hand_size(state, seat) for seat in range(state.seats))
                    assert [seat for seat, points in enumerate(event.points) if not points] == [event.seat]
                elif isinstance(event, RoundStarted):
                    starters.append(event.starter)
                assert not state.sheet or state.totals == tuple(map(sum, zip(*state.sheet, strict=True)))
            assert starters == [(starters[0] + number) % state.seats for number in range(len(starters))]
            assert state.options.limit == "single" or min(state.totals) < state.options.limit <= max(
                state.totals
            )


def states_and_events(match: list[Step]) -> Iterator[tuple[OdinState, OdinEvent]]:
    for step in match:
        for event, state in zip(step.events, step.states, strict=True):
            yield cast("OdinState", state), cast("OdinEvent", event)


def key(move: Move) -> MoveKey:
    return (frozenset(move.cards), move.take) if isinstance(move, Play) else (frozenset(), None)


def table_of(state: OdinState, turn: int) -> Table:
    hands = [set(hand_of(state, seat)) for seat in range(state.seats)]
    return Table(hands, turn, set(centre_of(state)), state.owner or 0, state.passes)


def made_up(random: Random) -> OdinState:
    """Return a position that need not be reachable, rich in sets: few colours or few values, any centre.

    Cards of a hand lie anywhere among dealt and picked up ones, so that nothing rests on their order.
    """
    colours = "".join(random.sample("ROYGBV", random.randint(1, 6)))
    others = random.choice((0.0, 0.2, 1.0))
    deck = [card for card in CARDS if card[0] in colours or random.random() < others]
    random.shuffle(deck)
    rest = [card for card in CARDS if card not in deck]
    random.shuffle(rest)
    centre = _any_set(random, deck)
    deck = [card for card in deck if card not in centre]
    hands: list[str] = []
    for _ in range(random.randint(2, 6)):
        size = random.randint(1, 9)
        cards, deck = deck[:size], deck[size:]
        while not cards:
            cards = [rest.pop()]
        split = random.randint(0, len(cards))
        hands.append(" ".join(cards[:split]) + " + " + " ".join(cards[split:]))
    passes, turn = random.randint(0, len(hands) - 2), random.randrange(len(hands))
    return given(
        *hands,
        centre=" ".join(centre),
        owner=(turn - 1 - passes) % len(hands),
        turn=turn,
        passes=passes if centre else 0,
        discard=" ".join(deck[: random.randint(0, len(deck))]),
        totals=[random.randint(0, 14) for _ in hands],
        starter=random.randrange(len(hands)),
        limit=random.choice((15, 10, 20, "single")),
    )


def _any_set(random: Random, deck: list[str]) -> list[str]:
    if random.random() < 0.2:
        return []
    first, part = random.choice(deck), random.choice((0, 1))
    alike = [card for card in deck if card[part] == first[part]]
    # Large centres leave little room for an answer: small ones are tried more often.
    chosen = alike[: random.choice((1, 1, 2, 2, 3, 4, 5))]
    assert is_uniform(chosen)
    return sorted(chosen, key=lambda card: card[1], reverse=True)
