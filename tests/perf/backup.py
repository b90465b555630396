"""Time, size and memory of a backup and of restoring it.

Whole matches of all three games with two and four seats, played by bots, half of them in the store, half of them in the
archive, with two tokens each. The number of matches is TABLEE_PERF_MATCHES (2,000 if not set).
"""

import asyncio
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import redis

from domain.match.verification import verify
from services.log.archive.folder import FolderStorage
from services.log.archive.shelf import Archive
from services.log.event_store.contract import Adoption, Status
from services.log.event_store.redis_store import RedisEventStore
from tests.conformance.backends import patient
from tests.conformance.servers import Server, running, valkey_program
from tests.kit.games import GAME_KEYS
from tests.kit.logs import Log, adoption, finished, named

MATCHES = int(os.environ.get("TABLEE_PERF_MATCHES", "2000"))
PLAYED = [(game, seats, number) for game in GAME_KEYS for seats in (2, 4) for number in (0, 1)]


async def fill(url: str, data: Path) -> int:
    logs = [(game, finished(game, seats, number, whole=True)) for game, seats, number in PLAYED]
    store, archive, events = (
        await RedisEventStore.open(url, 16, patient()),
        Archive(FolderStorage(data / "archive")),
        0,
    )
    for number in range(MATCHES):
        game, log = logs[number % len(logs)]
        match = f"vb56ltup7amwx{number:07}"
        placed = named(match, log)
        if number % 2:
            await store.adopt(adoption(match, placed, Status.CLOSED, game))
            events += len(placed)
        else:
            await shelve(store, archive, match, placed, game)
    await store.close()
    return events


async def shelve(store: RedisEventStore, archive: Archive, match: str, log: Log, game: str) -> None:
    await archive.write(match, game, 1, log)
    types = adoption(match, log, Status.CLOSED, game).types
    tombstone = Adoption(match, (), len(log), log[-1].h, Status.ARCHIVED, game, 1, None, types)
    assert await store.adopt(tombstone)


def tokens(server: Server) -> None:
    with redis.Redis.from_url(server.url()) as client, client.pipeline(transaction=False) as pipe:
        for number in range(2 * MATCHES):
            pipe.set(
                f"tb:people:token:{number:064}",
                b'{"match":"vb56ltup7amwx0000000","player":"p","role":"seat"}',
            )
        pipe.execute()


def timed(what: str, *arguments: object) -> float:
    command = [sys.executable, "-m", "api.command_line.main", *map(str, arguments)]
    begun, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    wall, after = time.perf_counter() - begun, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    peak = after.ru_maxrss / 1024
    print(
        f"{what:<36} {wall:>7.1f} s   {cpu:>6.1f} s of processor time   peak so far {peak:>5.0f} MB",
        flush=True,
    )
    return wall


async def writes_while(url: str, done: Callable[[], bool]) -> list[float]:
    """Write to a match two hundred times a second, and return how long each write took, in milliseconds."""
    store, took = await RedisEventStore.open(url, 16, patient()), list[float]()
    while not done():
        begun = time.perf_counter()
        await store.record_refusal("vb56ltup7amwx0000001", b"{}")
        took.append((time.perf_counter() - begun) * 1e3)
        await asyncio.sleep(0.005)
    await store.close()
    return sorted(took)


def writes(url: str, data: Path, file: Path) -> None:
    """Compare the time of a write to the store with and without a backup running."""
    end = time.monotonic() + 8
    alone = asyncio.run(writes_while(url, lambda: time.monotonic() > end))
    command = [sys.executable, "-m", "api.command_line.main", "backup", file, "--data", data, "--redis", url]
    with subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL) as backup:
        beside = asyncio.run(writes_while(url, lambda: backup.poll() is not None))
    for what, took in (("alone", alone), ("beside a backup", beside)):
        middle, late = took[len(took) // 2], took[len(took) * 99 // 100]
        print(
            f"a write {what:<28} median {middle:>6.2f} ms   p99 {late:>6.2f} ms   longest {took[-1]:>6.2f} ms"
        )


def main() -> None:
    """Measure."""
    with tempfile.TemporaryDirectory() as folder, running(valkey_program()) as server:
        data, file, there = Path(folder) / "here", Path(folder) / "b.tar", Path(folder) / "there"
        data.mkdir()
        (data / "installation.secret").write_text("a secret of thirty-two characters\n")
        events = asyncio.run(fill(server.url(), data))
        tokens(server)
        with redis.Redis.from_url(server.url()) as client:
            memory = client.info("memory")["used_memory"]
        print(
            f"{MATCHES // 2} matches with {events} events in the store ({memory / 1e6:.0f} MB), as many in the archive"
        )
        timed("backup, read back and compared", "backup", file, "--data", data, "--redis", server.url())
        print(f"{file.stat().st_size / 1e6:.1f} MB")
        writes(server.url(), data, Path(folder) / "beside.tar")
        timed("the same is only read (--check)", "backup", "--check", file)
        timed("restore, all chains followed", "restore", file, "--data", there)
        sample = finished("skyjo", 4, 0, whole=True)
        begun = time.process_time()
        verify("m1", named("m1", sample), complete=True)
        print(
            f"with --prove, besides: {(time.process_time() - begun) * 1e3:.0f} ms for a match of {len(sample)} events"
        )


if __name__ == "__main__":
    main()
