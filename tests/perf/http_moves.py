"""Moves over HTTP on `tablee up` with its embedded stores, fsync always: at an even pace, then flat out.

Budgets: at 200 requests a second on two cores p99 <= 15 ms; one API process carries >= 1,000 durable commands a second.
Every answer is awaited: a move counts when the service has said that it is stored. The clients run in one process of
their own on the same machine, so each row says how much of a core they and the service's processes took: where all
cores are taken, the load's share is missing to the service.
"""

import asyncio
import os
import time
from typing import NamedTuple

import uvloop

from tests.kit.unlimited import UNLIMITED
from tests.perf.http_client import Client, Table
from tests.perf.report import judged, median, quantile, show
from tests.perf.service import Service, used_since

PACE = 200
SECONDS = float(os.environ.get("TABLEE_PERF_SECONDS", "4"))
TURNS = 3
CLIENTS = (1, 16, 64)


class Run(NamedTuple):
    """One stretch of moves: how many per second, how long each took, and CPU seconds per second by process."""

    rate: float
    times: list[float]
    cores: dict[str, float]

    @property
    def p50(self) -> float:
        return quantile(self.times, 0.5)

    @property
    def p99(self) -> float:
        return quantile(self.times, 0.99)


class Meter:
    """What the processes use during moves; opening tables before that does not count."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self.begin()

    def begin(self) -> None:
        self._used = self._service.processor_time()
        self._own, self._begun = time.process_time(), time.perf_counter()

    def run(self, times: list[float]) -> Run:
        """Return the stretch that ends now."""
        seconds = time.perf_counter() - self._begun
        used = used_since(self._used, self._service.processor_time())
        cores = {"clients": (time.process_time() - self._own) / seconds}
        return Run(
            len(times) / seconds, times, cores | {name: spent / seconds for name, spent in used.items()}
        )


async def paced(service: Service, tables: int = 20) -> Run:
    """Send moves at an even pace, whether or not earlier ones were answered; times count from when each was due."""
    free: asyncio.Queue[Table] = asyncio.Queue()
    for _ in range(tables):
        free.put_nowait(await opened(service.port))
    times, meter = list[float](), Meter(service)

    async def one(due: float) -> None:
        table = await free.get()
        await table.move()
        times.append(time.perf_counter() - due)
        if table.over:
            await table.open()
        free.put_nowait(table)

    start, tasks = time.perf_counter() + 0.1, []
    for number in range(int(PACE * SECONDS)):
        due = start + number / PACE
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        tasks.append(asyncio.create_task(one(due)))
    await asyncio.gather(*tasks)
    return meter.run(times)


async def flat_out(service: Service, clients: int) -> Run:
    """Let each client send its next move as soon as the last one is answered."""
    playing = [await opened(service.port) for _ in range(clients)]
    times, meter = list[float](), Meter(service)
    start = time.perf_counter()

    async def keep_moving(table: Table) -> None:
        while time.perf_counter() - start < SECONDS:
            begun = time.perf_counter()
            await table.move()
            times.append(time.perf_counter() - begun)
            if table.over:
                await table.open()

    await asyncio.gather(*map(keep_moving, playing))
    return meter.run(times)


async def opened(port: int) -> Table:
    """Return a table at which the game has begun."""
    table = Table(Client("127.0.0.1", port))
    await table.open()
    return table


def _row(name: str, runs: list[Run], budget: str) -> tuple[object, ...]:
    cores = {part: median([run.cores[part] for run in runs]) for part in runs[0].cores}
    api, store, clients = cores["API"], cores["log store"], cores["clients"]
    rate = median([run.rate for run in runs])
    return (
        name,
        rate,
        median([run.p50 for run in runs]),
        median([run.p99 for run in runs]),
        budget,
        api,
        store,
        sum(cores.values()) - api - store - clients,
        clients,
        api / rate * 1e6,
    )


def main() -> None:
    """Measure."""
    with Service(**UNLIMITED) as service:
        uvloop.run(flat_out(service, 16))  # warm
        steady = [uvloop.run(paced(service)) for _ in range(TURNS)]
        rows = [
            _row(
                f"{PACE}/s, open loop",
                steady,
                f"p99, ms {judged(median([run.p99 for run in steady]), 15)}",
            )
        ]
        for clients in CLIENTS:
            runs = [uvloop.run(flat_out(service, clients)) for _ in range(TURNS)]
            rate = median([run.rate for run in runs])
            budget = f"moves/s {judged(rate, 1000, least=True)}" if clients == max(CLIENTS) else ""
            rows.append(_row(f"{clients} client{'s' * (clients > 1)}, closed loop", runs, budget))
    columns = ("load", "moves/s", "p50, ms", "p99, ms", "budget")
    show((*columns, "API, cores", "log store", "the rest", "clients", "API, µs CPU per move"), rows)


if __name__ == "__main__":
    main()
