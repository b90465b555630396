"""Bytes per archived match, rates of archiving, reading back, exporting and importing, and memory before and after.

Whole matches of all three games with two to five seats, played by bots; the same logs under many ids. The number of
matches is TABLEE_PERF_MATCHES (2,000 if not set); exports use two processes.
"""

import asyncio
import io
import os
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import redis
import redis.asyncio

from api.command_line.many import exported, spread
from api.command_line.opening import LogAddress
from domain.match.verification import verify
from domain.viewers import SPECTATOR
from services.bootstrap import present_instant
from services.log.archive.archivist import Archivist
from services.log.archive.closed_matches import ClosedMatches
from services.log.archive.documents import documents, file_end
from services.log.archive.folder import FolderStorage
from services.log.archive.importing import Importer
from services.log.archive.log_with_archive import LogWithArchive
from services.log.archive.shelf import Archive, name_of
from services.log.event_store.contract import Status
from services.log.event_store.redis_store import RedisEventStore
from services.process.service_log import configure_logs
from tests.conformance.backends import patient
from tests.conformance.servers import running, valkey_program
from tests.kit.games import GAME_KEYS
from tests.kit.logs import Log, adoption, finished, named

MATCHES = int(os.environ.get("TABLEE_PERF_MATCHES", "2000"))
READ_BACK = 300
PIECE = 50
PLAYED = [(game, seats, number) for game in GAME_KEYS for seats in (2, 4) for number in range(3)]


@contextmanager
def timed(what: str, count: int) -> Iterator[None]:
    """Print a rate per second."""
    begun, cpu = time.perf_counter(), time.process_time()
    yield
    wall, cpu = time.perf_counter() - begun, time.process_time() - cpu
    print(
        f"{what:<44} {count / wall:>8.0f}/s   {cpu / count * 1e3:>7.2f} ms of this process's CPU each",
        flush=True,
    )


class House:
    """An installation under measurement."""

    def __init__(self, store: RedisEventStore, client: "redis.asyncio.Redis", folder: Path) -> None:
        self.store, self.client, self.folder = store, client, folder
        self.archive = Archive(FolderStorage(folder))
        self.log = LogWithArchive(store, self.archive)
        self.closed = ClosedMatches(client, store.shards)
        self.archivist = Archivist(store, self.archive, self.closed, present_instant)

    async def memory(self) -> int:
        """Return the bytes that the server uses, once it has finished freeing memory in the background."""
        await asyncio.sleep(0.5)
        return int((await self.client.info("memory"))["used_memory"])


def match_id(number: int) -> str:
    return f"vb56ltup7amwx{number:07}"


def played() -> list[tuple[str, Log]]:
    return [(game, finished(game, seats, number, whole=True)) for game, seats, number in PLAYED]


async def fill(house: House, logs: list[tuple[str, Log]]) -> None:
    for number in range(MATCHES):
        game, log = logs[number % len(logs)]
        match = match_id(number)
        assert await house.store.adopt(adoption(match, named(match, log), Status.CLOSED, game))


def sizes(house: House, logs: list[tuple[str, Log]]) -> None:
    print(f"\n{'game':<8} {'events':>7} {'stored':>9} {'archived':>9} {'per event':>10}")
    for game in GAME_KEYS:
        numbers = [number for number in range(len(logs)) if logs[number][0] == game]
        events = sum(len(logs[number][1]) for number in numbers)
        stored = sum(len(entry.e) + len(entry.s) + 32 for number in numbers for entry in logs[number][1])
        archived = sum((house.folder / name_of(match_id(number))).stat().st_size for number in numbers)
        count, size = len(numbers), archived / events
        print(
            f"{game:<8} {events / count:>7.0f} {stored / count:>9.0f} {archived / count:>9.0f} {size:>10.1f}"
        )
    print()


async def archived(house: House, logs: list[tuple[str, Log]]) -> None:
    empty = await house.memory()
    await fill(house, logs)
    await house.archivist.note_all()
    full = await house.memory()
    with timed("archive: verify, write, sync, read back, write_tombstone", MATCHES):
        assert await house.archivist.archive_waiting(0) == MATCHES
    for shard, head in (await house.store.positions()).items():
        await house.store.advance("archive", shard, None, head)
        await house.store.trim_feed(shard)
    await house.closed.forget_moved([(match_id(number), 10**9) for number in range(MATCHES)])
    left = await house.memory()
    print(
        f"memory of {MATCHES} matches: {(full - empty) / 1e6:.1f} MB before, {(left - empty) / 1e6:.2f} MB after"
    )
    print(
        f"that is {(full - empty) / MATCHES:.0f} bytes a match before, {(left - empty) / MATCHES:.0f} after"
    )
    sizes(house, logs)
    with timed("read back from the archive, as for a view", READ_BACK):
        for number in range(READ_BACK):
            assert await house.archive.read(match_id(number))
    with timed("verify completely, deals dealt again", READ_BACK):
        for number in range(READ_BACK):
            assert verify("m1", logs[number % len(logs)][1], complete=True).good
    with timed("the same, every command decided again", READ_BACK):
        for number in range(READ_BACK):
            assert verify("m1", logs[number % len(logs)][1], complete=True, rules=True).good


async def on(url: str, folder: Path) -> None:
    store = await RedisEventStore.open(url, 16, patient())
    async with redis.asyncio.Redis.from_url(url) as client:
        await archived(House(store, client, folder), played())
    await store.close()


def export(url: str, folder: Path, file: Path, what: str) -> None:
    """Export all matches, in two processes by wall time and in this one by CPU time."""
    matches = [match_id(number) for number in range(MATCHES)]
    work = partial(exported, LogAddress(url, str(folder)), SPECTATOR)
    with file.open("wb") as out:
        results = spread(work, matches, 2)
        # When the first match comes, the processes have started.
        out.write(next(results).document)
        with timed(f"export {what}, two processes", MATCHES - 1):
            for one in results:
                out.write(one.document)
        out.write(file_end(MATCHES))
    served, costs = server_cpu(url), []
    for start in range(0, MATCHES - PIECE + 1, PIECE):
        begun = time.process_time()
        work(tuple(matches[start : start + PIECE]))
        costs.append((time.process_time() - begun) / PIECE)
    served = (server_cpu(url) - served) / (len(costs) * PIECE)
    best = min(costs)
    print(
        f"  CPU of a match: ours {best * 1e3:.2f} ms (quickest of {len(costs)}), the server's {served * 1e3:.2f} ms: "
        f"{2 / (best + served):.0f}/s on two cores"
    )


def server_cpu(url: str) -> float:
    """Return the CPU seconds that the server has used."""
    with redis.Redis.from_url(url) as client:
        told = client.info("cpu")
    return float(told["used_cpu_user_main_thread"]) + float(told["used_cpu_sys_main_thread"])


async def take_in(url: str, folder: Path, content: bytes) -> None:
    store = await RedisEventStore.open(url, 16, patient())
    archive = Archive(FolderStorage(folder))
    importer, count = Importer(LogWithArchive(store, archive), archive), 0
    with timed("import into another installation", READ_BACK):
        for document in documents(io.BytesIO(content)):
            await importer.take(document)
            count += 1
            if count == READ_BACK:
                break
    await store.close()


async def fill_only(url: str) -> None:
    store = await RedisEventStore.open(url, 16, patient())
    async with redis.asyncio.Redis.from_url(url) as client:
        await fill(House(store, client, Path("unused")), played())
    await store.close()


def main() -> None:
    """Measure, and print tables."""
    configure_logs("console", "error", process="measuring")
    with running(valkey_program()) as server, tempfile.TemporaryDirectory() as folder:
        archive, other, file = (
            Path(folder) / "archive",
            Path(folder) / "other",
            Path(folder) / "export.ndjson",
        )
        asyncio.run(fill_only(server.url(1)))
        export(server.url(1), archive, file, "from the store")
        asyncio.run(on(server.url(0), archive))
        export(server.url(0), archive, file, "from the archive")
        print(f"the export has {file.stat().st_size / 1e6:.0f} MB")
        asyncio.run(take_in(server.url(2), other, file.read_bytes()))


if __name__ == "__main__":
    main()
