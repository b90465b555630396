"""Seeking in the longest possible match: 20,000 events of Skyjo with eight seats, in the store and in the archive.

Budgets: any version within 50 ms over HTTP, through the API and as the replay's page. ``cold`` is the first that a
process is asked for: it has read nothing of the match before. And the page of the longest Skyjo match that bots play
is ready within a second in a browser whose processor is slowed six times; a held key steps through it.
"""

import asyncio
import time
from collections.abc import Sequence
from functools import cache
from random import Random
from typing import NamedTuple

import uvloop
from playwright.async_api import async_playwright

from domain.match.commands import AbandonMatch
from services.bootstrap.parts import application
from services.process.settings import Settings
from tests.e2e.service import CHROMIUM, FLAGS
from tests.kit.play import Player
from tests.kit.table import Table, started
from tests.kit.unlimited import UNLIMITED
from tests.perf.http_client import Client
from tests.perf.logs import adoption, longest
from tests.perf.report import judged, median, quantile, show
from tests.perf.service import Service

EVENTS = 19_900
"""As many as the usual limit of a match leaves for its players."""

SEEKS = 300
BUDGET = 50

RUNNING, ARCHIVED, LONGEST = "running", "archived", "longest"

SLOWED = 6
OPENS = 1000
OPENED = 5
"""How often the page is opened, each time with nothing kept."""

_READY = """() => performance.getEntriesByName("ready")[0]?.startTime ?? performance.now()"""
"""When the module was done, since the navigation began."""

_STEPS = """() => {
  const times = []
  for (let number = 0; number < 100; number++) {
    const begun = performance.now()
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }))
    document.body.offsetHeight
    times.push(performance.now() - begun)
  }
  return times
}"""
"""A held key: what a hundred steps take, laid out."""


@cache
def longest_possible() -> Table:
    """Return a running practice match in which moves were taken back and made again until nearly no room is left."""
    table, random = started("skyjo", 8, seed="07" * 32, match=RUNNING, undo="practice"), Random(2)
    player = Player(table, random)
    while table.position.version < EVENTS:
        # A second round is far enough: from there, moves are mostly taken back.
        far = table.game.round_of(table.present) > 1
        if random.random() < (0.7 if far else 0.45):
            player.undo()
        else:
            player.fallback_move()
        assert player.is_on
    return table


async def _stored(service: Service) -> tuple[int, int]:
    """Store the match twice, once running and once archived; return how many events each has."""
    running, table = service.published(), longest_possible()
    place = Settings(data=str(service.data)).archive_address
    async with application(running.log_store_url, 16, b"s" * 32, place) as parts:
        assert await parts.store.adopt(adoption(RUNNING, table.position, table.entries))
        table.when(AbandonMatch("host"))
        assert table.refusal is None, table.refusal
        assert await parts.store.adopt(adoption(ARCHIVED, table.position, table.entries))
        await parts.archivist.archive(ARCHIVED)
    return EVENTS, table.position.version


async def _sought(port: int, path: str, versions: Sequence[int]) -> list[float]:
    """Return the seconds that answers at some versions take, one after the other."""
    client, times = Client("127.0.0.1", port), []
    for version in versions:
        begun = time.perf_counter()
        answer = await client.fetch("GET", path.format(version))
        times.append(time.perf_counter() - begun)
        assert answer.status == 200, (path, version, answer)
    client.close()
    return times


class Opened(NamedTuple):
    """What opening the longest match's replay takes, in milliseconds.

    Attributes:
        ready: From the navigation to the module's last line, with whatever else the machine does meanwhile.
        thread: The page's main thread alone.
        steps: Each step of a held key.
    """

    ready: float
    thread: float
    steps: list[float]


async def _opened(service: Service, slowed: int) -> list[Opened]:
    """Open the replay of the longest match several times, each time with nothing kept."""
    found = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for _ in range(OPENED):
            context = await browser.new_context(viewport={"width": 360, "height": 740})
            page = await context.new_page()
            client = await context.new_cdp_session(page)
            await client.send("Performance.enable", {"timeDomain": "threadTicks"})
            await client.send("Emulation.setCPUThrottlingRate", {"rate": slowed})
            await page.goto(f"http://127.0.0.1:{service.port}/m/{LONGEST}/replay?at=900")
            await page.wait_for_function("() => document.documentElement.dataset.ready !== undefined")
            metrics = (await client.send("Performance.getMetrics"))["metrics"]
            thread = next(one["value"] for one in metrics if one["name"] == "TaskDuration")
            ready = float(await page.evaluate(_READY))
            found.append(Opened(ready, thread * 1000, await page.evaluate(_STEPS)))
            await context.close()
        await browser.close()
    return found


async def _stored_longest(service: Service) -> None:
    running, table = service.published(), longest(LONGEST)
    place = Settings(data=str(service.data)).archive_address
    async with application(running.log_store_url, 16, b"s" * 32, place) as parts:
        assert await parts.store.adopt(adoption(LONGEST, table.position, table.entries))


def _in_a_browser(service: Service) -> None:
    uvloop.run(_stored_longest(service))
    rows = []
    for slowed in (1, SLOWED):
        # The first one reads the match from the store; what it is made of is kept then.
        first, *again = asyncio.run(_opened(service, slowed))
        thread, ready = median([one.thread for one in again]), median([one.ready for one in again])
        steps = sorted(step for one in again for step in one.steps)
        budget = judged(thread, OPENS) if slowed == SLOWED else ""
        rows.append(
            (f"slowed {slowed} times", first.ready, ready, thread, budget, steps[len(steps) // 2], steps[-1])
        )
    columns = ("first, ms", "ready, ms", "main thread, ms", "budget for it", "step, ms", "longest step, ms")
    show(("longest replay in a browser", *columns), rows)


def main() -> None:
    """Measure."""
    rows = []
    with Service(**UNLIMITED) as service:
        lengths = uvloop.run(_stored(service))
        for match, length in zip((RUNNING, ARCHIVED), lengths, strict=True):
            at = [length, *(Random(1).randint(1, length) for _ in range(SEEKS))]
            for name, path in (
                ("API", f"/api/v1/matches/{match}/at/{{}}"),
                ("page", f"/m/{match}/replay?undone=1&at={{}}"),
            ):
                cold, *warm = uvloop.run(_sought(service.port, path, at))
                p99 = quantile(warm, 0.99)
                told = cold * 1000, min(warm) * 1000, quantile(warm, 0.5), p99, judged(p99, BUDGET)
                rows.append((f"{name}, {match}, {length} events", *told))
        columns = (
            "any version over HTTP",
            "cold, ms",
            "quickest, ms",
            "median, ms",
            "p99, ms",
            "budget for p99",
        )
        show(columns, rows)
        print()
        _in_a_browser(service)


if __name__ == "__main__":
    main()
