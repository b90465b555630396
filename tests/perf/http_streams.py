"""Live streams: a thousand open on one process, and how soon news reaches all who look on.

Twenty tables with fifty readers each; a move on every table in turn, at an even pace. From a move's request to its
event at each reader: 95 of 100 within 250 ms.
"""

import asyncio
import time
from pathlib import Path

import uvloop

from tests.kit.unlimited import UNLIMITED
from tests.perf.http_client import Client, Table
from tests.perf.report import judged, quantile, show
from tests.perf.service import Service

TABLES = 20
READERS = 50
PACE = 20
SECONDS = 10.0


class Reader:
    """One open stream that notes when each event came."""

    def __init__(self, port: int, path: str, token: str) -> None:
        self._port, self._path, self._token = port, path, token
        self.came: dict[int, float] = {}

    async def open(self) -> asyncio.Task[None]:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        request = f"GET {self._path}/stream HTTP/1.1\r\nHost: x\r\nAuthorization: {self._token}\r\n\r\n"
        writer.write(request.encode())
        await reader.readuntil(b"retry: 2000\n\n")
        return asyncio.create_task(self._read(reader, writer))

    async def _read(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                if line.startswith(b"id: "):
                    self.came[int(line[4:])] = time.perf_counter()
        finally:
            writer.close()


async def measured(port: int, pid: int) -> None:
    """Print a table."""
    tables = [Table(Client("127.0.0.1", port)) for _ in range(TABLES)]
    for table in tables:
        await table.open()
    before = _memory(pid)
    readers = [(table, Reader(port, table.path, table.tokens[0])) for table in tables for _ in range(READERS)]
    tasks = [await reader.open() for _, reader in readers]
    opened = _memory(pid)
    times: list[float] = []
    start = time.perf_counter()
    for number in range(int(PACE * SECONDS)):
        await asyncio.sleep(max(0.0, start + number / PACE - time.perf_counter()))
        table = tables[number % TABLES]
        if table.over:
            continue
        sent = time.perf_counter()
        version = await table.move()
        looking = [reader for one, reader in readers if one is table]
        while not all(version in reader.came for reader in looking):
            await asyncio.sleep(0.001)
        times += [reader.came[version] - sent for reader in looking]
    for task in tasks:
        task.cancel()
    each = (opened - before) / len(readers) / 1000
    show(
        ("streams", "KB each", "API's process, MB", "events", "p50, ms", "p95, ms", "budget", "p99, ms"),
        [
            (
                str(len(readers)),
                each,
                opened / 1e6,
                str(len(times)),
                quantile(times, 0.5),
                quantile(times, 0.95),
                judged(quantile(times, 0.95), 250),
                quantile(times, 0.99),
            )
        ],
    )


def _memory(pid: int) -> int:
    """Return the resident memory of a process, in bytes."""
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * 4096


def main() -> None:
    """Measure."""
    with Service(**UNLIMITED) as service:
        uvloop.run(measured(service.port, service.published().pids["API"]))


if __name__ == "__main__":
    main()
