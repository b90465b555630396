"""``python -m tests.soak --matches 10000 --game all``: plays and checks matches, and prints a table of the cost."""

import argparse
import sys
from statistics import median

from tests.kit.games import EVERY_GAME, name_of
from tests.soak.matches import Soaked, soak

HEADINGS = ("game", "matches", "events", "moves", "KiB", "B/event", "stalled", "ms/match")
_FORMAT = "{:<8}{:>9}{:>16}{:>16}{:>14}{:>9}{:>9}{:>10}"


def main() -> int:
    """Soak the chosen games; return the process's exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--matches", type=int, default=10_000, help="for each game")
    parser.add_argument("--game", default="all", help="a game's key, or all")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other matches")
    parser.add_argument("--only", type=int, help="the number of one match, to play it again")
    asked = parser.parse_args()
    games = [game for game in EVERY_GAME if asked.game in {"all", game.key}]
    if not games:
        parser.error(f"there is no game {asked.game}")
    numbers = range(asked.matches) if asked.only is None else [asked.only]
    print(_FORMAT.format(*HEADINGS))
    for game in games:
        soaked = []
        for number in numbers:
            try:
                soaked.append(soak(game, asked.seed, number))
            except Exception:
                print(f"{name_of(game)}: match {number} with seed {asked.seed} broke", file=sys.stderr)
                raise
        print(row(name_of(game), soaked), flush=True)
    return 0


def row(name: str, soaked: list[Soaked]) -> str:
    """Return a game's line of the table: medians, and maxima after a slash."""
    events = sum(match.events for match in soaked)
    return _FORMAT.format(
        name,
        len(soaked),
        _median_and_most([match.events for match in soaked]),
        _median_and_most([match.moves for match in soaked]),
        _median_and_most([match.stored // 1024 for match in soaked]),
        sum(match.stored for match in soaked) // events,
        sum(match.stalled for match in soaked),
        f"{1000 * sum(match.seconds for match in soaked) / len(soaked):.1f}",
    )


def _median_and_most(numbers: list[int]) -> str:
    return f"{median(numbers):.0f} / {max(numbers)}"


if __name__ == "__main__":
    sys.exit(main())
