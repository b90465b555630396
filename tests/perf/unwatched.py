"""What live streams cost a process of the API while a thousand matches are played that nobody watches there.

Another process writes to the log, at an even pace, one event a command. This one follows what is watched: nothing, one
match that rests, one in each of half of the shards, or one in each shard, which is what every process read before it
read watched shards only. Each in turn, several times.
"""

import asyncio
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import uvloop

from api.streams.hub import StreamHub
from api.streams.open_streams import Looker
from services.log.event_store.keys import shard_of
from services.log.event_store.redis_store import RedisEventStore
from tests.conformance.backends import patient
from tests.conformance.journal import Journal
from tests.conformance.servers import running, valkey_program
from tests.perf.report import median, show

MATCHES: Final = 1000
PACE: Final = 400
"""Commands a second."""
SECONDS: Final = 4.0
TURNS: Final = 3
SHARDS: Final = 16
WATCHED: Final = (0, 1, 8, 16)


async def write(url: str) -> None:
    """Write until killed."""
    store = await RedisEventStore.open(url, SHARDS, patient())
    journals = [Journal(f"busy{number}") for number in range(MATCHES)]
    begun, done = time.monotonic(), 0
    while True:
        for journal in journals:
            await journal.write(store)
            done += 1
            await asyncio.sleep(max(0.0, begun + done / PACE - time.monotonic()))


def resting_matches() -> list[str]:
    """Return a match in each shard, at which nothing happens."""
    found: dict[int, str] = {}
    number = 0
    while len(found) < SHARDS:
        found.setdefault(shard_of(f"rest{number}", SHARDS), f"rest{number}")
        number += 1
    return [found[shard] for shard in sorted(found)]


async def measured(url: str) -> None:
    """Print a table."""
    store = await RedisEventStore.open(url, SHARDS, patient())
    matches, cpu, passed = resting_matches(), {one: [0.0] * 0 for one in WATCHED}, 0
    for _ in range(TURNS):
        for watched in WATCHED:
            hub = StreamHub(store)
            following = asyncio.create_task(hub.run())
            watchers = [hub.watch([match], Looker()) for match in matches[:watched]]
            await asyncio.sleep(0.5)
            before, heads = time.process_time(), sum((await store.positions()).values())
            await asyncio.sleep(SECONDS)
            cpu[watched].append((time.process_time() - before) / SECONDS * 1000)
            passed += sum((await store.positions()).values()) - heads
            for watcher in watchers:
                hub.leave(watcher)
            following.cancel()
    show(
        ("shards watched, of 16", "commands/s of others", "CPU, ms a second"),
        [(str(one), passed / (TURNS * len(WATCHED) * SECONDS), median(times)) for one, times in cpu.items()],
    )
    await store.close()


def main() -> None:
    """Measure."""
    with running(valkey_program(), fsync="no") as server:
        command = (sys.executable, "-m", "tests.perf.unwatched", server.url())
        writer = subprocess.Popen(command, cwd=Path(__file__).parents[2])
        try:
            uvloop.run(measured(server.url()))
        finally:
            writer.kill()
            writer.wait()


if __name__ == "__main__":
    uvloop.run(write(sys.argv[1]))
