"""Moves over HTTP on the embedded store, fsync always: pace and latency, then as many as it takes.

Budgets: at 200 requests a second on two cores p99 <= 15 ms; one API process carries >= 1,000 durable commands a second.
"""

import asyncio
import contextlib
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import uvloop

from services.embedded.session import running_stores
from tests.perf.http_client import Client, Table

PACE = 200
SECONDS = 8.0
CLIENTS = (1, 16, 64)


class Running(NamedTuple):
    """A running process of the API."""

    port: int
    pid: int

    @property
    def cpu(self) -> float:
        """Seconds of CPU that it has used."""
        fields = Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@contextlib.contextmanager
def running_api() -> Iterator[Running]:
    """Run the API's process on embedded stores of its own."""
    with tempfile.TemporaryDirectory() as folder, running_stores(Path(folder), purpose="measuring") as stores:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port: int = free.getsockname()[1]
        environment = {
            **os.environ,
            "TABLEE_DATA": folder,
            "TABLEE_LOG_STORE_URL": stores.log_store_url,
            "TABLEE_PORT": str(port),
            "TABLEE_LOG_FORMAT": "json",
        }
        with (Path(folder) / "api.log").open("wb") as log:
            process = subprocess.Popen([sys.executable, "-m", "api.server"], env=environment, stderr=log)
        try:
            _wait_for(port, process)
            yield Running(port, process.pid)
        finally:
            process.terminate()
            process.wait(10)


def _wait_for(port: int, process: "subprocess.Popen[bytes]") -> None:
    until = time.monotonic() + 20
    while time.monotonic() < until and process.poll() is None:
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), 0.5):
            return
        time.sleep(0.05)
    raise RuntimeError("the API does not start")


async def paced(port: int, tables: int = 20) -> list[float]:
    """Send moves at an even pace, whether or not earlier ones were answered; return the times they took."""
    playing = [await _opened(port) for _ in range(tables)]
    free: asyncio.Queue[Table] = asyncio.Queue()
    for table in playing:
        free.put_nowait(table)
    times: list[float] = []

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
    return times


async def flat_out(port: int, clients: int) -> tuple[float, list[float]]:
    """Let clients move one after the other as fast as they are answered; return moves a second, and their times."""
    playing = [await _opened(port) for _ in range(clients)]
    times: list[float] = []
    start = time.perf_counter()

    async def keep_moving(table: Table) -> None:
        while time.perf_counter() - start < SECONDS / 2:
            begun = time.perf_counter()
            await table.move()
            times.append(time.perf_counter() - begun)
            if table.over:
                await table.open()

    await asyncio.gather(*(keep_moving(table) for table in playing))
    return len(times) / (time.perf_counter() - start), times


async def _opened(port: int) -> Table:
    table = Table(Client("127.0.0.1", port))
    await table.open()
    return table


def quantile(times: list[float], part: float) -> float:
    """Return a quantile in milliseconds."""
    return sorted(times)[min(len(times) - 1, int(part * len(times)))] * 1000


async def measured(api: Running) -> None:
    """Print all figures."""
    times = await paced(api.port)
    print(f"paced {PACE}/s: p50 {quantile(times, 0.5):.2f} ms, p99 {quantile(times, 0.99):.2f} ms")
    for clients in CLIENTS:
        used = api.cpu
        rate, times = await flat_out(api.port, clients)
        cpu = (api.cpu - used) / len(times) * 1e6
        p50, p99 = quantile(times, 0.5), quantile(times, 0.99)
        print(
            f"{clients} clients: {rate:.0f} moves/s, p50 {p50:.2f} ms, p99 {p99:.2f} ms, "
            f"{cpu:.0f} us of the API's CPU for each"
        )


def main() -> None:
    """Measure."""
    with running_api() as api:
        uvloop.run(measured(api))


if __name__ == "__main__":
    main()
