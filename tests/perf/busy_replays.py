"""Thirty readers of a match of ten thousand events, while somebody else looks at another match.

The readers ask again as soon as they are answered, half of them for the replay and half for the page's changes. Their
match runs and goes on, so that what was made for them is soon out of date.
"""

import asyncio
import time
from collections import Counter

import uvloop

from domain.match.commands import RedoMove, UndoMove
from services.bootstrap.parts import application
from services.process.settings import Settings
from tests.kit.table import Table, started
from tests.kit.unlimited import UNLIMITED
from tests.perf.going_back import _adopted
from tests.perf.http_client import Client
from tests.perf.logs import played
from tests.perf.report import quantile, show
from tests.perf.service import Service

READERS = 30
SECONDS = 6.0
EVENTS = 10_000
LONG, OTHER = "long", "other"


def long_match() -> Table:
    """Return a running match in which somebody takes back and plays again what they played, over and over."""
    table = started("lama", 2, undo="practice", match=LONG)
    seat = table.to_act[0]
    table.move(seat)
    while table.position.version < EVENTS:
        table.when(UndoMove(seat, "")).when(RedoMove(seat))
        assert table.refusal is None
    return table


async def _views(port: int, seconds: float) -> list[float]:
    client, times = Client("127.0.0.1", port), []
    until = time.perf_counter() + seconds
    while time.perf_counter() < until:
        begun = time.perf_counter()
        answer = await client.fetch("GET", f"/api/v1/matches/{OTHER}")
        times.append(time.perf_counter() - begun)
        assert answer.status == 200, answer
        await asyncio.sleep(0.01)
    client.close()
    return times


async def _read(port: int, number: int, statuses: "Counter[int]") -> None:
    path = (f"/api/v1/matches/{LONG}/replay", f"/m/{LONG}/changes")[number % 2]
    while True:
        client = Client("127.0.0.1", port)
        answer = await client.fetch("GET", path, Accept_Encoding=("gzip", "identity")[number % 4 // 2])
        statuses[answer.status] += 1
        client.close()
        await asyncio.sleep(0.05)


async def _measured(port: int) -> list[tuple[object, ...]]:
    statuses: Counter[int] = Counter()
    alone = await _views(port, SECONDS / 2)
    readers = [asyncio.create_task(_read(port, number, statuses)) for number in range(READERS)]
    among = await _views(port, SECONDS)
    for reader in readers:
        reader.cancel()
    await asyncio.gather(*readers, return_exceptions=True)
    told = ", ".join(f"{count} x {status}" for status, count in sorted(statuses.items()))
    return [
        (name, len(times), quantile(times, 0.5), quantile(times, 0.95), max(times) * 1000, answers)
        for name, times, answers in (("alone", alone, ""), (f"among {READERS} readers", among, told))
    ]


async def _store(service: Service) -> None:
    archive = Settings(data=str(service.data)).archive_address
    async with application(service.published().log_store_url, 16, b"s" * 32, archive) as parts:
        await _adopted(parts.store, LONG, long_match())
        await _adopted(parts.store, OTHER, played("odin", 4, 1, match=OTHER, at_most=60))


def main() -> None:
    """Measure."""
    with Service(**UNLIMITED) as service:
        uvloop.run(_store(service))
        rows = uvloop.run(_measured(service.port))
    show(("view of another match", "views", "median, ms", "p95, ms", "longest, ms", "readers' answers"), rows)


if __name__ == "__main__":
    main()
