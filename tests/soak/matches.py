"""One random match of a soak: played to its end, checked after every command."""

import time
from collections.abc import Callable
from random import Random

import msgspec

from domain.games.contract import AnyGame
from domain.match.decide_table import UNDO_POLICIES
from tests.kit.invariants import Watch, check_chain, check_folds, viewers
from tests.kit.options import choices, player_counts
from tests.kit.play import Player
from tests.kit.table import Table, started
from tests.kit.twins import check_nothing_leaks

RESTLESS_SHARE = 0.3
"""The share of matches in which people also leave, take back, ask and time out."""

RESTLESS_STEPS = 150
"""After so many steps people only move: otherwise undoing could keep a match from ever ending."""

MOST_MOVES = 20_000

HASHED_SHARE = 0.05
"""The share of matches whose state hash is compared at every version, which takes most of their time."""

TWINNED_SHARE = 0.1
"""The share of matches that are compared, at some point, with a twin that has other hidden cards."""


class Soaked(msgspec.Struct, frozen=True):
    """The figures of one match.

    Attributes:
        seats: How many seats it had.
        events: How many events.
        moves: How many moves were made, undone ones included.
        stored: The bytes of its entries.
        seconds: How long it took, checks included.
        phase: How it ended.
        stalled: Whether it was ended because it could not go on.
    """

    seats: int
    events: int
    moves: int
    stored: int
    seconds: float
    phase: str
    stalled: bool


def soak(game: AnyGame, seed: int, number: int) -> Soaked:
    """Play and check one match; the same arguments give the same match.

    Raises:
        AssertionError: An invariant does not hold.
    """
    began = time.perf_counter()
    random = Random(f"{game.key} {game.rules_number} {seed} {number}")
    seats = player_counts(game)[number % len(player_counts(game))]
    table = _table(game, seats, random)
    player = Player(table, random)
    watch = Watch(table, keep_hashes=random.random() < HASHED_SHARE)
    restless = random.random() < RESTLESS_SHARE
    steps = _steps(player, restless=restless)
    # A time-out makes a fallback move, which may follow from hidden cards: such a match has no twin.
    looked_into_at = random.randrange(60) if not restless and random.random() < TWINNED_SHARE else -1
    taken = 0
    while player.is_on:
        step = random.choice(steps) if taken < RESTLESS_STEPS else player.random_move
        step()
        watch.look()
        if taken == looked_into_at and player.is_on:
            check_nothing_leaks(table, random.choice(viewers(seats)), random)
        taken += 1
        assert player.moves <= MOST_MOVES, "the match does not end"
    check_folds(table.entries, table.position, watch.hashes)
    check_chain(table, random.sample(viewers(seats), 1))
    lifecycle = table.state.lifecycle
    return Soaked(
        seats=seats,
        events=table.position.version,
        moves=player.moves,
        stored=sum(len(entry.e) + len(entry.s) + len(entry.h) for entry in table.entries),
        seconds=time.perf_counter() - began,
        phase=lifecycle.phase,
        stalled=lifecycle.stalled,
    )


def _table(game: AnyGame, seats: int, random: Random) -> Table:
    return started(
        game,
        seats,
        bots=random.randrange(seats),
        options=random.choice(choices(game, seats)),
        nonces=random.random() < 0.5,
        per_turn=random.choice((0, 60)),
        seed=random.randbytes(32).hex(),
        undo=random.choice(UNDO_POLICIES),
    )


def _steps(player: Player, *, restless: bool) -> list[Callable[[], object]]:
    playing: list[Callable[[], object]] = [*[player.random_move] * 12, *[player.bot_move] * 6]
    if not restless:
        return playing
    now_and_then: list[Callable[[], object]] = [
        player.time_out,
        player.wait,
        player.leave,
        player.undo,
        player.redo,
        player.ask,
    ]
    return [*playing, *[player.any_move] * 2, *now_and_then]
