"""Bytes that a table which never begins takes in memory and on disk: while it waits, and once it has expired.

Made as the API makes it: a table with one free seat and a bot, its host's token, its row in lists. Memory is the log
server's own ``used_memory``; on disk are the append-only file, rewritten, and the archive.
"""

import logging
import secrets
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import structlog
import uvloop

from api.requests.bodies import CreateMatchBody, SeatBody
from api.requests.submissions import creation, issued_caller
from domain.instants import Instant, milliseconds_of
from domain.instants import after as later
from domain.match.expiry import PATIENCE
from services.audit.digests import DigestMaker, Digests
from services.bootstrap import present_instant
from services.bootstrap.parts import Application, application
from services.log.archive.closed_matches import ClosedMatches
from services.log.archive.folder import FolderStorage
from services.log.embedded.session import running_stores
from services.matches.service import MatchService
from tests.kit.queue import FakeQueue
from tests.perf.report import judged, show
from workers.clock_loop import ClockLoop

TABLES = 2000
SHARDS = 16
SECRET = b"s" * 32
WAITING, GONE = 4000, 750
"""Budgets: bytes of memory for each table that waits, and for what is left of one."""

AN_HOUR = 60
"""Tables that one address may make in an hour, once it has used up what it may make at once."""


class Taken(NamedTuple):
    """What the stores hold."""

    memory: int
    log_file: int
    archive: int


async def _taken(parts: Application, archive: Path) -> Taken:
    client = parts.log_client
    await client.bgrewriteaof()
    info: Any = {"aof_rewrite_in_progress": 1}
    while info["aof_rewrite_in_progress"]:
        info = await client.info("persistence")
    memory: Any = await client.info("memory")
    # What connections take follows from how many there are at the moment, and not from tables.
    kept = memory["used_memory"] - memory["mem_clients_normal"]
    return Taken(kept, info["aof_current_size"], _bytes_in(archive))


def _bytes_in(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())


async def _make(parts: Application) -> None:
    body = CreateMatchBody("lama", (SeatBody(), SeatBody("steady")))
    for _ in range(TABLES):
        issued = parts.identity.for_new_match(secrets.token_hex(16))
        await parts.identity.remember(issued, "host")
        await parts.service.execute(creation(issued_caller("api", issued), issued.match, body))


async def _let_expire(parts: Application) -> None:
    clock = present_instant()
    for seconds in PATIENCE[0]:
        clock = later(clock, seconds + 60)
        await _strike(parts, _always(clock))
    await parts.follower.follow()
    await parts.archivist.archive_waiting(7 * 86_400)


def _always(instant: Instant) -> Callable[[], Instant]:
    return lambda: instant


async def _strike(parts: Application, now: Callable[[], Instant]) -> None:
    service = MatchService(parts.store, parts.reader, now)
    loop = ClockLoop(parts.store, parts.reader, service, parts.bots, FakeQueue(), now)
    while (earliest := await parts.store.next_due()) is not None and earliest <= milliseconds_of(now()):
        await loop.step()


async def _settle(parts: Application) -> None:
    await parts.follower.follow()
    await parts.keeper().catch_up()
    for shard in range(SHARDS):
        await parts.store.trim_feed(shard)


async def _measured(url: str, archive: Path) -> None:
    async with application(url, SHARDS, SECRET, str(archive)) as parts:
        await _settle(parts)
        before = await _taken(parts, archive)
        await _make(parts)
        await _settle(parts)
        waiting = await _taken(parts, archive)
        await _let_expire(parts)
        await _settle(parts)
        gone = await _taken(parts, archive)
        await _make_digest(parts, archive)
        told = await _taken(parts, archive)
    rows = [
        _row("waits", before, waiting, WAITING),
        _row("has expired", before, gone, GONE),
        _row("is in a digest", before, told, GONE),
    ]
    show(("a table that", "memory, B", "budget", "log file, B", "archive, B"), rows)
    each, most = (waiting.memory - before.memory) / TABLES, AN_HOUR * sum(PATIENCE[0]) / 3600
    print(f"\nOne address at its limit, for ever: {most:,.0f} tables wait, {most * each / 1e6:.1f} MB.")


async def _make_digest(parts: Application, archive: Path) -> None:
    closed = ClosedMatches(parts.log_client, parts.store.shards)
    maker = DigestMaker(parts.store, Digests(FolderStorage(archive)), closed, present_instant)
    assert await maker.make() is not None


def _row(name: str, before: Taken, now: Taken, budget: int) -> tuple[object, ...]:
    memory, log_file, archive = ((part - old) / TABLES for part, old in zip(now, before, strict=True))
    return name, memory, judged(memory, budget), log_file, archive


def main() -> None:
    """Measure."""
    # One line for each archived table would hide the figures.
    structlog.configure(wrapper_class=structlog.make_filtering_bound_logger(logging.WARNING))
    with TemporaryDirectory(prefix="tb-") as folder:
        with running_stores(Path(folder) / "d", purpose="measuring") as stores:
            uvloop.run(_measured(stores.log_store_url, Path(folder) / "archive"))


if __name__ == "__main__":
    main()
