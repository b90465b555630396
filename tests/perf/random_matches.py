"""Whole matches of players who move at random, in one process: the rules alone, and with all that is logged.

*Rules alone* is `decide` and `evolve` of the game: no envelopes, nothing sealed, nobody's view. *Match* is what the
service does between two appends: the command is decided, its events sealed, encoded and chained, and the state of the
match kept, with who is asked, the clock and the past for undo. Every move is drawn from all legal moves.
"""

import os
import time
from collections.abc import Callable
from random import Random
from typing import NamedTuple

from domain.chance import Chance
from domain.games.registry import CURRENT
from domain.match.command_handler import CommandMetadata, prepare_append
from domain.match.commands import Context, PlayMove
from domain.match.evolve import seats_to_act
from tests.kit.games import GAME_KEYS
from tests.kit.instants import NOON
from tests.kit.table import started
from tests.perf.report import median, show

SEATS = (2, 4)
TURNS = 3
SECONDS = float(os.environ.get("TABLEE_PERF_CPU_SECONDS", "1"))
"""Seconds of CPU for each turn, at least one match."""


class Match(NamedTuple):
    """A played match: the numbers of decisions and of events."""

    decisions: int
    events: int


def rules_alone(game_key: str, seats: int, random: Random) -> Match:
    """Play a match by the game's rules alone."""
    game, chance = CURRENT[game_key], Chance(random.randbytes(32).hex())
    state = game.initial(game.options_type(), seats)
    events, decisions = game.start(state, chance), 0
    total = len(events)
    for event in events:
        state = game.evolve(state, event)
    while not game.is_over(state):
        seat = random.choice(game.to_act(state))
        legal = game.legal_moves(state, seat)
        assert legal is not None
        happened = game.decide(state, seat, random.choice(tuple(game.expand(legal))), chance)
        for event in happened:
            state = game.evolve(state, event)
        decisions, total = decisions + 1, total + len(happened)
    return Match(decisions, total)


def whole_match(game_key: str, seats: int, random: Random) -> Match:
    """Play a match as the service does, but without the store."""
    table = started(game_key, seats, seed=random.randbytes(32).hex())
    position, game, decisions = table.position, table.game, 0
    while asked := seats_to_act(position.state):
        seat, present = random.choice(asked), position.state.game
        assert present is not None
        legal = game.legal_moves(present, seat)
        assert legal is not None
        move = random.choice(tuple(game.expand(legal)))
        metadata = CommandMetadata(f"player-{seat}", "api", f"c{decisions}")
        position = prepare_append(position, PlayMove(seat, move), metadata, Context(NOON, {})).position
        decisions += 1
    return Match(decisions, position.version)


def _rates(play: Callable[[str, int, Random], Match], game: str, seats: int) -> tuple[float, float, float]:
    """Return matches, decisions and events per second of CPU: medians of several turns."""
    random, turns = Random(1), []
    for _ in range(TURNS):
        played, begun = list[Match](), time.process_time()
        while not played or time.process_time() - begun < SECONDS:
            played.append(play(game, seats, random))
        seconds = time.process_time() - begun
        sums = Match(*(sum(part) for part in zip(*played, strict=True)))
        turns.append((len(played) / seconds, sums.decisions / seconds, sums.events / seconds))
    matches, decisions, events = (median(part) for part in zip(*turns, strict=True))
    return matches, decisions, events


def main() -> None:
    """Measure."""
    for play, name in ((rules_alone, "rules alone"), (whole_match, "match: sealed, chained, with its past")):
        rows = [(game, str(seats), *_rates(play, game, seats)) for game in GAME_KEYS for seats in SEATS]
        show((name, "seats", "matches/s", "decisions/s", "events/s"), rows)
        print()


if __name__ == "__main__":
    main()
