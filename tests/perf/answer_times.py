"""Whether the time until a bot answers tells anything about its hand.

Turns at tables with people are played as a worker plays them, over a log in memory. Turns of each game and level are
told apart by how long their judgement takes alone: the quicker half against the slower half. If the pace hides that,
both halves are answered after the same time, and the difference lies within its interval.

What lies on the table for all to see, and how much a move does, takes its time to be written: that is no secret. So the
second comparison is one between turns that look alike to everybody: the same number of events, and a view of the same
size for those who only look on.

Budget, for the second: the difference of the two halves' answers is less than a fifth of the difference of their
thinking, or within its 95 % interval of nothing.
"""

import asyncio
import math
import time
from statistics import fmean, stdev
from typing import NamedTuple

import msgspec

from domain.chance import Chance
from domain.match.due import bots_to_act
from domain.match.evolve import game_of
from domain.match.fold import Position
from domain.match.levels import allowance_of, pace_of
from domain.viewers import Viewer
from services.matches.bots import judged_move
from tests.kit.house import House
from tests.perf.report import show

TURNS = {"hard": 400, "expert": 40}
ALIKE = 100
"""Views whose sizes in bytes fall into the same step of so many count as alike."""
GAMES = ("lama", "odin", "skyjo")


class Turn(NamedTuple):
    """A turn: milliseconds of thinking alone, and until the answer was in the log; and what all could see of it."""

    thought: float
    answered: float
    seen: tuple[int, int]


async def _turns(game: str, level: str, count: int) -> list[Turn]:
    found: list[Turn] = []
    house = await House().begin(game, 3, bots=2, level=level)
    while len(found) < count:
        position = await house.head()
        if position.state.lifecycle.phase != "playing":
            house = await House().begin(game, 3, bots=2, level=level)
            continue
        waiting = bots_to_act(position.state)
        if not waiting:
            await house.move((await house.to_act())[0])
            continue
        chance, begun = Chance(f"{len(found):064x}"), time.process_time()
        judged_move(position, waiting[0], chance, allowance_of(level))
        thought, begun = time.process_time() - begun, time.perf_counter()
        outcome = await house.bots.play_turn(position, waiting[0], trace="")
        answered = time.perf_counter() - begun
        events = outcome.position.version - position.version
        found.append(Turn(1000 * thought, 1000 * answered, (events, _size(position) // ALIKE)))
    return found


def _size(position: Position) -> int:
    state = position.state
    assert state.terms is not None
    assert state.game is not None
    return len(msgspec.json.encode(game_of(state.terms).view(state.game, Viewer(None))))


def _row(game: str, level: str, turns: list[Turn]) -> tuple[object, ...]:
    alike: dict[tuple[int, int], list[Turn]] = {}
    for turn in turns:
        alike.setdefault(turn.seen, []).append(turn)
    thought, told, _ = _later([turns])
    _, told_alike, hidden = _later([some for some in alike.values() if len(some) > 1])
    after = fmean(turn.answered for turn in turns)
    return (
        *(game, level, 1000 * pace_of(level), after, f"{thought:+.2f}"),
        *(told, told_alike + ("" if hidden else " MISSED")),
    )


def _later(groups: list[list[Turn]]) -> tuple[float, str, bool]:
    """Compare the slower half of each group with the quicker one.

    Returns:
        By how much it thinks longer, by how much it answers later, in milliseconds, and whether the pace hides that.
    """
    quick, slow = list[Turn](), list[Turn]()
    for group in groups:
        mean = fmean(turn.answered for turn in group)
        centred = [turn._replace(answered=turn.answered - mean) for turn in sorted(group)]
        half = len(centred) // 2
        quick += centred[:half]
        slow += centred[-half:]
    thought = fmean(turn.thought for turn in slow) - fmean(turn.thought for turn in quick)
    first, second = [turn.answered for turn in quick], [turn.answered for turn in slow]
    answered = fmean(second) - fmean(first)
    error = 1.96 * math.sqrt(stdev(first) ** 2 / len(first) + stdev(second) ** 2 / len(second))
    return thought, f"{answered:+.2f} ± {error:.2f}", abs(answered) <= max(error, thought / 5)


def main() -> None:
    """Measure, and show."""
    rows = [
        _row(game, level, asyncio.run(_turns(game, level, count)))
        for game in GAMES
        for level, count in TURNS.items()
    ]
    show(
        (
            "game",
            "level",
            "pace, ms",
            "answered after, ms",
            "slower half: thinks longer by, ms",
            "answers later by, ms",
            "among turns that look alike, ms",
        ),
        rows,
    )


if __name__ == "__main__":
    main()
