"""Whether the time until a bot answers tells anything about its hand.

Turns at tables with people are played as a worker plays them, over a log in memory. Turns of each game and level are
told apart by how long their judgement takes alone: the quicker half against the slower half. If the pace hides that,
both halves are answered after the same time, and the difference lies within its interval.

Budget: the difference of the two halves' answers is less than a fifth of the difference of their thinking, or within
its 95 % interval of nothing.
"""

import asyncio
import math
import time
from statistics import fmean, stdev
from typing import NamedTuple

from domain.chance import Chance
from domain.match.due import bots_to_act
from domain.match.levels import allowance_of, pace_of
from services.matches.bots import judged_move
from tests.kit.house import House
from tests.perf.report import show

TURNS = {"hard": 100, "expert": 20}
GAMES = ("lama", "odin", "skyjo")


class Turn(NamedTuple):
    """A turn: milliseconds of thinking alone, and until the answer was in the log."""

    thought: float
    answered: float


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
        await house.bots.play_turn(position, waiting[0], trace="")
        found.append(Turn(1000 * thought, 1000 * (time.perf_counter() - begun)))
    return found


def _row(game: str, level: str, turns: list[Turn]) -> tuple[object, ...]:
    turns.sort()
    half = len(turns) // 2
    quick, slow = turns[:half], turns[half:]
    thought = fmean(turn.thought for turn in slow) - fmean(turn.thought for turn in quick)
    first, second = [turn.answered for turn in quick], [turn.answered for turn in slow]
    answered = fmean(second) - fmean(first)
    error = 1.96 * math.sqrt(stdev(first) ** 2 / len(first) + stdev(second) ** 2 / len(second))
    hidden = abs(answered) <= max(error, thought / 5)
    told = f"{answered:+.2f} ± {error:.2f}" + ("" if hidden else " MISSED")
    return game, level, 1000 * pace_of(level), fmean(first), f"{thought:+.2f}", told


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
        ),
        rows,
    )


if __name__ == "__main__":
    main()
