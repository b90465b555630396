"""Matches and positions that the cases look at: the same for the same game, played once for all of them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import accumulate, count
from random import Random
from typing import ClassVar, NamedTuple

import msgspec

from domain.chance import Chance
from domain.errors import Refused
from domain.games.contract import AnyGame, GameState, Move
from domain.sealing import Event
from domain.viewers import EVERYTHING, SPECTATOR, Viewer, seat_viewer
from tests.kit.game_cases.moves import every_move, near_misses
from tests.kit.options import choices, player_counts

MOST_MOVES = 5_000
"""Far more than any match needs: whoever meets it plays for ever."""

FIRST_CHANCE = Chance("5e" * 32)

_CHANGES_THEIR_MIND = 0.1

Player = Callable[[GameState, int, Sequence[Move]], Move]
"""Chooses a seat's move among its legal ones."""


class Step(NamedTuple):
    """One move of a match and what came of it; the start has neither seat nor move."""

    before: GameState
    seat: int | None
    move: Move | None
    events: tuple[Event, ...]
    states: tuple[GameState, ...]
    chance: Chance

    @property
    def after(self) -> GameState:
        """The state after all events."""
        return self.states[-1] if self.states else self.before


class Position(NamedTuple):
    """A state with somebody to act in it."""

    state: GameState
    seats: int


class Cases:
    """What the cases need to know of a game, and may be told besides.

    Attributes:
        game: The game.
        rulings: The letter and the number of its rulings, each of which has its mark in the code and its test.
        moves: How many moves the matches have between them, at least.
        positions: How many positions out of the matches the costlier cases look at.
        bot_wins: At so many seats, of so many matches against random players, the bot wins so many at least.
    """

    game: ClassVar[AnyGame]
    rulings: ClassVar[tuple[str, int]] = ("", 0)
    moves: ClassVar[int] = 1_500
    positions: ClassVar[int] = 40
    bot_wins: ClassVar[Sequence[tuple[int, int, int]]] = ()

    def check_step(self, step: Step) -> None:
        """Check what else holds after every move of a match: the game's own invariants."""

    def made_up(self, random: Random) -> GameState | None:  # noqa: ARG002 - for games that have such positions
        """Return a position with somebody to act that play need not reach; None for a game that has none."""
        return None

    def moves_to_try(self, state: GameState, seat: int, random: Random) -> Iterator[Move]:
        """Yield moves, legal or not, to see whether just the legal ones are accepted."""
        yield from every_move(self.game, random)
        yield from near_misses(self.game, self.legal(state, seat), random)

    def written(self, move: Move) -> Move:
        """Return one of several ways of writing a move that mean the same, always the same one of them."""
        return move

    def player(self, random: Random) -> Player:
        """Return somebody who plays one match in their own way: here, with a fancy for some types of moves."""
        fancy = {kind: random.choice((1, 1, 8, 60)) for kind in self.game.move_types}

        def choose(_state: GameState, _seat: int, moves: Sequence[Move]) -> Move:
            return random.choices(moves, [fancy[type(move)] for move in moves])[0]

        return choose

    def legal(self, state: GameState, seat: int) -> list[Move]:
        """Return all legal moves of a seat."""
        legal = self.game.legal_moves(state, seat)
        return [] if legal is None else list(self.game.expand(legal))

    def acting(self, state: GameState) -> tuple[int, ...]:
        """Return all seats that may move now, whether or not somebody waits for them."""
        return tuple(sorted({*self.game.to_act(state), *self.game.may_act(state)}))

    def play(self, seats: int, options: Mapping[str, str | int], seed: int) -> list[Step]:
        """Return a match played to its end."""
        return list(_played(self, seats, options, seed))

    def matches(self) -> tuple[list[Step], ...]:
        """Return some matches: every number of seats, many choices of options, many ways of playing."""
        return _matches(type(self))  # type: ignore[arg-type]  # mypy asks the class for what an instance has

    def steps(self) -> Iterator[Step]:
        """Yield all moves of all matches."""
        for match in self.matches():
            yield from match

    def positions_to_look_at(self) -> tuple[Position, ...]:
        """Return positions with somebody to act: out of matches, and made up."""
        return _positions(type(self))  # type: ignore[arg-type]  # as above


def fold(game: AnyGame, state: GameState, events: Sequence[Event]) -> GameState:
    """Return the state after events."""
    for event in events:
        state = game.evolve(state, event)
    return state


def viewers_of(seats: int) -> tuple[Viewer, ...]:
    """Return everybody who may look at a match."""
    return (SPECTATOR, EVERYTHING, *map(seat_viewer, range(seats)))


def sequences(game: AnyGame, state: GameState, length: int) -> int:
    """Return how many different sequences of so many moves there are from a state; none goes on after the end."""
    number = 0
    for seat in game.to_act(state):
        legal = game.legal_moves(state, seat)
        assert legal is not None
        moves = list(game.expand(legal))
        if length == 1:
            number += len(moves)
        else:
            after = (fold(game, state, game.decide(state, seat, move, FIRST_CHANCE)) for move in moves)
            number += sum(sequences(game, one, length - 1) for one in after)
    return number


def refusal(game: AnyGame, state: GameState, seat: int, move: Move) -> Refused | None:
    """Return why a move is refused; None if it is accepted."""
    try:
        game.decide(state, seat, move, FIRST_CHANCE)
    except Refused as refused:
        return refused
    return None


def _played(cases: Cases, seats: int, options: Mapping[str, str | int], seed: int) -> Iterator[Step]:
    game, random = cases.game, Random(seed)
    chance, player = Chance(f"{seed:064x}"), cases.player(random)
    state = game.initial(msgspec.convert(options, game.options_type), seats)
    step = _step(game, state, game.start(state, chance), chance)
    for _ in range(MOST_MOVES):
        yield step
        state = step.after
        if game.is_over(state):
            return
        owing, others = game.to_act(state), game.may_act(state)
        seat = random.choice(others if others and random.random() < _CHANGES_THEIR_MIND else owing)
        move = player(state, seat, cases.legal(state, seat))
        step = _step(game, state, game.decide(state, seat, move, chance), chance, seat, move)
    raise AssertionError(f"a match of {game.key} does not end")


def _step(
    game: AnyGame,
    before: GameState,
    events: tuple[Event, ...],
    chance: Chance,
    seat: int | None = None,
    move: Move | None = None,
) -> Step:
    states = tuple(accumulate(events, game.evolve, initial=before))[1:]
    return Step(before, seat, move, events, states, chance)


@cache
def _matches(kind: type[Cases]) -> tuple[list[Step], ...]:
    cases, found, moves = kind(), list[list[Step]](), 0
    random = Random(f"{kind.game.key} {kind.game.rules_number}")
    for seed in count():
        for seats in player_counts(kind.game):
            options = random.choice(choices(kind.game, seats)) if seed % 2 else {}
            found.append(cases.play(seats, options, seed * 100 + seats))
            moves += len(found[-1])
        if moves >= kind.moves:
            break
    return tuple(found)


@cache
def _positions(kind: type[Cases]) -> tuple[Position, ...]:
    cases, random = kind(), Random(kind.game.key)
    reached = [step.after for step in cases.steps() if kind.game.to_act(step.after)]
    made_up = [cases.made_up(random) for _ in range(kind.positions)]
    states = [*random.sample(reached, min(kind.positions, len(reached))), *made_up]
    return tuple(Position(state, seats_of(kind.game, state)) for state in states if state is not None)


def seats_of(game: AnyGame, state: GameState) -> int:
    """Return how many seats a state has: each has its total."""
    return len(game.standing(state).totals)
