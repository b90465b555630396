"""Plays the ladder: ``python -m tests.ladder``, or ``make ladder``.

Every deal is played with the hero in each seat, on the same cards. What was played is kept in a folder, one line for
each deal: a second run goes on where the first one stopped. The report says what the commit was.
"""

import argparse
import os
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import msgspec

from domain.games.registry import CURRENT
from domain.match.levels import LEVELS
from tests.ladder.duels import Duel, Played, play_deal
from tests.ladder.players import OUTSIDERS
from tests.ladder.report import commit_here, write_report

FIRST_DEAL = 1_000_000
"""Deals from here on were used for nothing else: settings were found on deals far below."""

SEATS = (2, 3, 4)

SLOW = "expert"
"""Who searches, and takes hundreds of times as long as the others."""


def duels(games: list[str]) -> Iterator[Duel]:
    """Yield each level against the one below, and the highest against the players from outside."""
    for game in games:
        for seats in SEATS:
            for hero, villain in zip(LEVELS[1:], LEVELS, strict=False):
                yield Duel(game, seats, hero, villain)
            yield Duel(game, seats, LEVELS[0], "random")
            for outsider in OUTSIDERS[game]:
                yield Duel(game, seats, LEVELS[-1], outsider)


class Kept:
    """The deals that were played, in a file that only grows."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._path = folder / "deals.ndjson"
        self.played: set[Played] = set()
        if self._path.exists():
            for line in self._path.read_bytes().splitlines():
                self.played.add(msgspec.json.decode(line, type=Played))

    def add(self, played: Played) -> None:
        """Keep a deal."""
        self.played.add(played)
        with self._path.open("ab") as file:
            file.write(msgspec.json.encode(played) + b"\n")


def main() -> None:
    """Play what is missing, as long as there is time, and write the report."""
    told = argparse.ArgumentParser(prog="python -m tests.ladder", description=main.__doc__)
    told.add_argument("--games", nargs="*", default=sorted(OUTSIDERS), choices=sorted(CURRENT))
    told.add_argument("--heroes", nargs="*", choices=LEVELS, help="only these heroes")
    told.add_argument("--villains", nargs="*", help="only against these")
    told.add_argument("--seats", nargs="*", type=int, default=SEATS, choices=SEATS)
    told.add_argument("--folder", type=Path, default=Path("ladder"), help="where deals are kept")
    told.add_argument("--report", type=Path, help="folder for the report and the plot")
    told.add_argument("--deals", type=int, default=400, help="deals for each duel of quick players")
    told.add_argument("--slow-deals", type=int, default=40, help="deals for each duel of an expert")
    told.add_argument("--minutes", type=float, default=600.0, help="stop after so many minutes")
    told.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    given = told.parse_args()
    kept = Kept(given.folder)
    chosen = [
        duel
        for duel in duels(given.games)
        if duel.seats in given.seats
        and (given.heroes is None or duel.hero in given.heroes)
        and (given.villains is None or duel.villain in given.villains)
    ]
    _play(kept, chosen, given.deals, given.slow_deals, given.jobs, time.monotonic() + 60 * given.minutes)
    if given.report is not None:
        write_report(kept.played, given.report)


def _play(kept: Kept, chosen: list[Duel], deals: int, slow: int, jobs: int, end: float) -> None:
    """Play the missing deals, deal by deal over all duels, so that all of them grow alike."""
    done = {(played.duel, played.deal) for played in kept.played}
    asked = sorted(
        (number / (slow if duel.hero == SLOW else deals), duel, FIRST_DEAL + number)
        for duel in chosen
        for number in range(slow if duel.hero == SLOW else deals)
        if (duel, FIRST_DEAL + number) not in done
    )
    total, count, commit = len(asked), 0, commit_here()
    with ProcessPoolExecutor(jobs) as pool:
        while asked and time.monotonic() < end:
            batch, asked = asked[: 8 * jobs], asked[8 * jobs :]
            for future in as_completed(pool.submit(play_deal, duel, deal, commit) for _, duel, deal in batch):
                kept.add(future.result())
                count += 1
            sys.stderr.write(f"\r{count} of {total} deals")
    sys.stderr.write("\n")


if __name__ == "__main__":
    main()
