"""What the ladder found: a table of every duel with its interval, ratings, times, and a plot."""

import math
import platform
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Sequence
from pathlib import Path

from domain.match.levels import LEVELS
from tests.ladder.duels import Duel, Played

_Z = 1.96
"""Standard errors to either side of a 95 % interval."""

_FEWEST = 10
"""Fewer deals say nothing: they may all have gone the same way."""

_HEADINGS = (
    "seats",
    "hero",
    "villain",
    "wins, %",
    "even, %",
    "points",
    "deals",
    "ms: median, 95 %, most",
    "clear",
    "commit",
)

_WIDTH, _ROW = 720, 22


class Score:
    """What came of a duel.

    Attributes:
        share: The hero's share of the wins, in percent.
        error: Half its 95 % interval. Deals are what counts, not matches: those on the same cards are alike.
        points: By how much the hero's totals differ from the villains', per match.
        deals: How many deals were played, each as many times as there are seats.
        times: The hero's times for a move in milliseconds: median and 95th percentile in the middle deal, and the most.
        commits: The commits that played them.
    """

    def __init__(self, played: Sequence[Played]) -> None:
        shares = [each.share for each in played]
        self.deals = len(shares)
        mean = sum(shares) / self.deals
        spread = math.sqrt(sum((share - mean) ** 2 for share in shares) / max(1, self.deals - 1))
        self.share = 100 * mean
        self.error = 100 * _Z * spread / math.sqrt(self.deals)
        self.commits = sorted({each.commit for each in played if each.commit})
        self.points = sum(each.points for each in played) / self.deals
        middle = sorted(played, key=lambda each: each.times[1])[self.deals // 2].times
        self.times = middle[0], middle[1], max(each.times[2] for each in played)

    def verdict(self, even: float) -> str:
        """Return whether the hero is ahead of an even share by more than chance."""
        if self.deals < _FEWEST:
            return "too few"
        return "yes" if self.share - self.error > even else "no"


def scores_of(played: Iterable[Played]) -> dict[Duel, Score]:
    """Return the score of every duel."""
    by_duel: dict[Duel, list[Played]] = defaultdict(list)
    for each in played:
        by_duel[each.duel].append(each)
    return {duel: Score(by_duel[duel]) for duel in sorted(by_duel)}


def rating_gain(share: float, seats: int) -> float:
    """Return by how many points of a rating a hero is ahead of villains who are all alike.

    Ratings are those of chess: 400 points are ten to one against each other player.
    """
    chance = min(max(share / 100, 0.002), 0.998)
    return 400 * math.log10(chance * (seats - 1) / (1 - chance))


def write_report(played: Iterable[Played], folder: Path) -> None:
    """Write ``ladder.md`` and ``ladder.svg``."""
    folder.mkdir(parents=True, exist_ok=True)
    scores = scores_of(played)
    (folder / "ladder.md").write_text("\n".join(_lines(scores)) + "\n", "utf-8")
    (folder / "ladder.svg").write_text(_plot(scores), "utf-8")


def _lines(scores: dict[Duel, Score]) -> Iterable[str]:
    yield "# The ladder of bots"
    yield ""
    yield "Written by `make ladder`. Each deal is played with the hero in every seat and the villain in all others, on"
    yield "cards that no setting was found with. Wins that are shared count in part; intervals are of 95 %, over deals."
    yield "Times are of the processor, for one move."
    yield ""
    yield f"Written at commit {commit_here()}, Python {platform.python_version()}, {platform.machine()}."
    yield "Each line names the commits that played it."
    yield ""
    yield "![Shares of wins with their intervals](ladder.svg)"
    for game in sorted({duel.game for duel in scores}):
        yield from ("", f"## {game}", "")
        yield f"| {' | '.join(_HEADINGS)} |"
        yield "|---" * len(_HEADINGS) + "|"
        for duel, score in scores.items():
            if duel.game == game:
                median, high, most = score.times
                even = 100 / duel.seats
                wins = f"{score.share:.1f} ± {score.error:.1f}" if score.deals >= _FEWEST else "-"
                cells = (
                    str(duel.seats),
                    duel.hero,
                    duel.villain,
                    wins,
                    f"{even:.0f}",
                    f"{score.points:+.1f}",
                    str(score.deals),
                    f"{median:.2f}, {high:.2f}, {most:.1f}",
                    score.verdict(even),
                    ", ".join(score.commits),
                )
                yield f"| {' | '.join(cells)} |"
        yield from ("", "Ratings, from each level against the one below; `easy` is 0:", "")
        yield from _ratings(game, scores)


def _ratings(game: str, scores: dict[Duel, Score]) -> Iterable[str]:
    yield "| seats | " + " | ".join(LEVELS) + " |"
    yield "|---" * (len(LEVELS) + 1) + "|"
    for seats in sorted({duel.seats for duel in scores if duel.game == game}):
        row, rating = ["0"], 0.0
        for hero, villain in zip(LEVELS[1:], LEVELS, strict=False):
            score = scores.get(Duel(game, seats, hero, villain))
            if score is None or score.deals < _FEWEST:
                row.append("-")
                continue
            rating += rating_gain(score.share, seats)
            row.append(f"{rating:.0f}")
        yield f"| {seats} | " + " | ".join(row) + " |"


def _plot(scores: dict[Duel, Score]) -> str:
    left, width = 300, 380
    height = _ROW * (len(scores) + 1)
    box = f'viewBox="0 0 {_WIDTH} {height}" font-family="sans-serif" font-size="12"'
    label = 'role="img" aria-label="Shares of wins with their intervals"'
    shapes = [f'<svg xmlns="http://www.w3.org/2000/svg" {box} {label}>']
    shown = {duel: score for duel, score in scores.items() if score.deals >= _FEWEST}
    for number, (duel, score) in enumerate(shown.items()):
        y = _ROW * (number + 0.7)
        even = left + width / duel.seats
        low = max(left, left + width * (score.share - score.error) / 100)
        high = min(left + width, left + width * (score.share + score.error) / 100)
        at = f'y1="{y:.0f}" y2="{y:.0f}"'
        shapes += [
            f'<text x="4" y="{y + 4:.0f}">{duel.game} {duel.seats}: {duel.hero} against {duel.villain}</text>',
            f'<line x1="{even:.1f}" x2="{even:.1f}" y1="{y - 8:.0f}" y2="{y + 8:.0f}" stroke="#999"/>',
            f'<line x1="{low:.1f}" x2="{high:.1f}" {at} stroke="#246" stroke-width="2"/>',
            f'<circle cx="{left + width * score.share / 100:.1f}" cy="{y:.0f}" r="4" fill="#246"/>',
        ]
    return "\n".join([*shapes, "</svg>", ""])


def commit_here() -> str:
    """Return the commit that runs here."""
    told = subprocess.run(
        ["git", "describe", "--always", "--dirty", "--exclude=*"],
        capture_output=True,
        text=True,
        check=False,
    )
    return told.stdout.strip() or "unknown"
