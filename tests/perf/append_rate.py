"""Appends per second through the adapter, against the same script called with redis-py's own client; bytes per event.

Both take turns within one run on one server, so that the ratio means something on a busy machine. One event of about
400 bytes per append, one match per client, one asyncio process on uvloop.
"""

import asyncio
import itertools
import os
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import msgspec
import redis.asyncio
import uvloop

from services.log.event_store import scripts
from services.log.event_store.contract import Append, Appended
from services.log.event_store.redis_store import RedisEventStore
from tests.conformance.backends import patient
from tests.conformance.journal import Journal
from tests.conformance.servers import Server, running, valkey_program
from tests.perf.report import median, show

CLIENTS = (1, 16, 64)
APPENDS = int(os.environ.get("TABLEE_PERF_APPENDS", "2048"))
APPENDS_EACH = 256
TURNS = 3
READS = 100
EVENTS_READ = 200

_numbers = itertools.count()


class Rate(msgspec.Struct):
    """The figures of one way to append, from one run or as the median of several.

    Attributes:
        per_second: Appends.
        cpu: Microseconds of this process per append.
        p50: Median time of an append, in milliseconds.
        p99: The time that 99 of 100 stay below.
    """

    per_second: float
    cpu: float
    p50: float
    p99: float


def _written(clients: int) -> list[list[Append]]:
    """Return the appends of each client, prepared in advance so that preparing them is not measured."""
    rows = []
    for _ in range(clients):
        journal = Journal(f"match-{next(_numbers)}")
        row = []
        for _ in range(min(APPENDS_EACH, APPENDS // clients)):
            append = journal.command(text="x" * 330, due=1_796_000_000_000, fingerprint="f" * 32)
            journal.take(append)
            row.append(append)
        rows.append(row)
    return rows


async def _measured(rows: list[list[Append]], one: Callable[[Append], Awaitable[Any]]) -> Rate:
    times: list[float] = []

    async def play(row: list[Append]) -> None:
        for append in row:
            begun = time.perf_counter()
            await one(append)
            times.append(time.perf_counter() - begun)

    wall, cpu = time.perf_counter(), time.process_time()
    await asyncio.gather(*map(play, rows))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    times.sort()
    return Rate(
        per_second=len(times) / wall,
        cpu=cpu / len(times) * 1e6,
        p50=times[len(times) // 2] * 1e3,
        p99=times[len(times) * 99 // 100] * 1e3,
    )


async def _compared(store: RedisEventStore, client: "redis.asyncio.Redis", clients: int) -> tuple[Rate, Rate]:
    async def through_adapter(append: Append) -> None:
        answer = await store.append(append)
        assert isinstance(answer, Appended)

    async def raw(append: Append) -> None:
        keys, arguments = store._append_call(append)
        await client.evalsha(scripts.APPEND.digest, len(keys), *keys, *arguments)

    pairs = [
        (await _measured(_written(clients), raw), await _measured(_written(clients), through_adapter))
        for _ in range(TURNS)
    ]
    raw_rates, adapter_rates = zip(*pairs, strict=True)
    return _middle(raw_rates), _middle(adapter_rates)


def _middle(rates: Sequence[Rate]) -> Rate:
    return Rate(**{name: median([getattr(rate, name) for rate in rates]) for name in Rate.__struct_fields__})


async def _sizes(server: Server, store: RedisEventStore, client: "redis.asyncio.Redis") -> None:
    folder = server.socket.parent / "appendonlydir"
    log = sum(file.stat().st_size for file in folder.iterdir())
    memory = (await client.info("memory"))["used_memory"]
    journal = Journal("sized")
    for append in _written(1)[0][:EVENTS_READ]:
        await journal.write(store, text="x" * 330, due=append.due, fingerprint="f" * 32)
    grown = sum(file.stat().st_size for file in folder.iterdir()) - log
    envelope = len(journal.entries[-1].e)
    taken = (await client.info("memory"))["used_memory"] - memory
    print(f"one match of {EVENTS_READ} events with envelopes of {envelope} bytes, per event:")
    print(f"  in memory {taken / EVENTS_READ:.0f} bytes, in the log file {grown / EVENTS_READ:.0f} bytes")
    begun = time.perf_counter()
    for _ in range(READS):
        await store.read("sized")
    print(f"read and split {EVENTS_READ} events: {(time.perf_counter() - begun) / READS * 1e3:.2f} ms")


async def _on(server: Server, fsync: str) -> list[tuple[object, ...]]:
    rows: list[tuple[object, ...]] = []
    store = await RedisEventStore.open(server.url(), None, patient())
    client = redis.asyncio.Redis.from_url(server.url(), protocol=2)
    await client.script_load(scripts.APPEND.text.decode())
    for clients in CLIENTS:
        raw, adapter = await _compared(store, client, clients)
        ratio = adapter.per_second / raw.per_second
        rates = (raw.per_second, adapter.per_second, ratio, raw.cpu, adapter.cpu, adapter.p50, adapter.p99)
        rows.append((fsync, str(clients), *rates))
    if fsync == "always":
        await _sizes(server, store, client)
    await client.aclose()
    await store.close()
    return rows


def main() -> None:
    """Measure, and print a table."""
    rows = []
    for fsync in ("no", "always"):
        with running(valkey_program(), fsync=fsync) as server:
            rows += uvloop.run(_on(server, fsync))
    print()
    columns = ("fsync", "clients", "raw script, 1/s", "through the store, 1/s", "ratio")
    show((*columns, "raw, µs CPU", "store, µs CPU", "p50, ms", "p99, ms"), rows)


if __name__ == "__main__":
    main()
