"""Archives and imports matches in processes that kill themselves: at the first step, at the second, and so on.

Run as ``python -m tests.integration.services.log.archive.dying URL FOLDER WORK``; prints a line of JSON for each step.
A step is what changes something that outlives a process: a file, a folder, a command to the store. Each is tried with
the death just before it and just after it.
"""

import asyncio
import json
import os
import signal
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import redis.asyncio

from domain.entries import StoredEntry
from services.bootstrap import present_instant
from services.log.archive.archivist import Archivist
from services.log.archive.closed_matches import ClosedMatches
from services.log.archive.documents import Document, MatchLine
from services.log.archive.folder import FolderStorage
from services.log.archive.importing import Importer
from services.log.archive.log_with_archive import LogWithArchive
from services.log.archive.shelf import Archive
from services.log.event_store.connections import Connections
from services.log.event_store.contract import Status
from services.log.event_store.redis_store import RedisEventStore
from services.process.service_log import configure_logs
from tests.conformance.backends import patient
from tests.kit.logs import Log, adoption, finished, named, running

MOST_STEPS = 200


class House:
    """The installation, as one process has it."""

    def __init__(self, store: RedisEventStore, client: Any, folder: Path) -> None:
        self.store, self.client = store, client
        self.archive = Archive(FolderStorage(folder))
        self.log = LogWithArchive(store, self.archive)
        self.closed = ClosedMatches(client, store.shards)
        self.archivist = Archivist(store, self.archive, self.closed, present_instant)


def in_house(url: str, folder: Path, work: Callable[[House], Awaitable[Any]]) -> Any:
    async def work_inside() -> Any:
        store = await RedisEventStore.open(url, 4, patient())
        async with redis.asyncio.Redis.from_url(url) as client:
            try:
                return await work(House(store, client, folder))
            finally:
                await store.close()

    return asyncio.run(work_inside())


def die_at(step: int) -> None:
    """Arm this process: it kills itself at a step."""
    taken = 0

    def count() -> None:
        nonlocal taken
        taken += 1
        if taken == step:
            os.kill(os.getpid(), signal.SIGKILL)

    def around(call: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*arguments: Any, **named_arguments: Any) -> Any:
            count()
            result = call(*arguments, **named_arguments)
            count()
            return result

        return counted

    def around_sending(call: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def counted(*arguments: Any, **named_arguments: Any) -> Any:
            count()
            result = await call(*arguments, **named_arguments)
            count()
            return result

        return counted

    for name in ("fsync", "link", "unlink", "mkdir", "open"):
        setattr(os, name, around(getattr(os, name)))
    for owner, name in ((Connections, "run"), (ClosedMatches, "done"), (FolderStorage, "get")):
        setattr(owner, name, around_sending(getattr(owner, name)))


def died(url: str, folder: Path, step: int, work: Callable[[House], Awaitable[Any]]) -> bool:
    """Do work in a process that kills itself at a step; tell whether it came to that."""
    child = os.fork()
    if child == 0:
        try:
            die_at(step)
            in_house(url, folder, work)
        finally:
            os._exit(0)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


async def whole(house: House, match: str) -> list[StoredEntry] | None:
    """Return the log as a reader finds it; None for no such match."""
    meta = await house.store.meta(match)
    return None if meta is None else await house.log.read(match)


def files(folder: Path, match: str) -> int:
    return len(list(folder.rglob(f"{match}.*")))


async def pointers(house: House, match: str) -> int:
    found = await house.store.feed(dict.fromkeys(range(house.store.shards), 0), 10_000, 0)
    return sum(pointer.match == match for pointer in found)


def archive(url: str, folder: Path, step: int) -> dict[str, Any]:
    match, log = f"archived-{step}", named(f"archived-{step}", finished())

    async def prepare(house: House) -> None:
        await house.store.adopt(adoption(match, log, Status.CLOSED))
        await house.archivist.note(match)

    async def work(house: House) -> None:
        await house.archivist.archive_waiting(0)

    async def look(house: House) -> dict[str, Any]:
        between = await whole(house, match)
        await house.archivist.archive_waiting(0)
        meta = await house.store.meta(match)
        return {
            "whole_between": between == list(log),
            "whole": await house.log.read(match) == list(log) and await house.archive.read(match) == log,
            "archived": meta is not None and meta.status is Status.ARCHIVED,
            "left_memory": await house.store.read(match) == [],
            "once": await pointers(house, match) == 1,
            "struck_off": await house.closed.waiting() == 0 and await house.closed.dead_letters() == [],
            "files": files(folder, match) == 1,
        }

    in_house(url, folder, prepare)
    return {"died": died(url, folder, step, work), **in_house(url, folder, look)}


def importing(url: str, folder: Path, step: int, kind: str) -> dict[str, Any]:
    match = f"{kind}-{step}"
    log: Log = named(match, finished() if kind == "over" else running())
    line = MatchLine(1, match, "lama", 1, len(log), log[-1].h.hex(), complete=True)

    async def work(house: House) -> None:
        await Importer(house.log, house.archive).take(Document(line, log))

    async def look(house: House) -> dict[str, Any]:
        between = await whole(house, match)
        await work(house)
        return {
            "whole_between": between is None or between == list(log),
            "whole": await house.log.read(match) == list(log),
            "once": await pointers(house, match) == 1,
            "files": files(folder, match) == (kind == "over"),
        }

    return {"died": died(url, folder, step, work), **in_house(url, folder, look)}


def main() -> None:
    """Die at every step, until one more would be one too many."""
    configure_logs("console", "error", process="dying")
    url, folder, work = sys.argv[1], Path(sys.argv[2]), sys.argv[3]
    for step in range(1, MOST_STEPS):
        came = archive(url, folder, step) if work == "archive" else importing(url, folder, step, work)
        sys.stdout.write(json.dumps(came) + "\n")
        if not came["died"]:
            return


if __name__ == "__main__":
    main()
