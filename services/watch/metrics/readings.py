"""Reading gauges from the stores."""

import asyncio
import shutil
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec
import redis.asyncio
import structlog
from redis.exceptions import RedisError

from domain.errors import TableeError
from domain.instants import Instant, milliseconds_of, seconds_between
from services.audit.digests import Digests
from services.log.archive.closed_matches import ClosedMatches
from services.log.backup.last import last_backup
from services.log.event_store.contract import EventStore
from services.log.high_water_mark import HighWaterMarkFile, compared
from services.log.primaries import info_of_each
from services.notices.outbox import Outbox
from services.process.measure import Measure
from services.projections.ledger import Ledger
from services.projections.matches import ENDED, NAME, OPEN
from services.projections.standing import consumers, dead_letters, projections
from services.watch.metrics import read
from services.watch.metrics.kept_counts import loops_live
from services.watch.metrics.workers import live_workers

PATIENCE_SECONDS: Final = 2.0
"""How long a store may take for its part; the others are told all the same."""

QUEUE_KEYS: Final = {
    "queued": ("list", "rq:queue:bots"),
    "running": ("zset", "rq:wip:bots"),
    "failed": ("zset", "rq:failed:bots"),
    "scheduled": ("zset", "rq:scheduled:bots"),
}
"""RQ's own names (a test holds them against RQ)."""

_log = structlog.get_logger(__name__)


class Reading(NamedTuple):
    """One number.

    Attributes:
        measure: Of what.
        value: The number, in the measure's unit.
    """

    measure: Measure
    labels: tuple[str, ...]
    value: float


class Sources(msgspec.Struct, frozen=True):
    """Where gauges are read.

    Attributes:
        store: The log.
        log: A client of its server.
        jobs: Clients of the servers for jobs.
        digests: The row of digests, at the archive.
        mark: How far the log had come, noted beside it.
        archive: The archive's folder; None for a bucket.
    """

    store: EventStore
    log: "redis.asyncio.Redis"
    jobs: "tuple[redis.asyncio.Redis, ...]"
    digests: Digests
    data: Path
    mark: HighWaterMarkFile
    archive: Path | None
    now: Callable[[], Instant]


async def readings(sources: Sources) -> list[Reading]:
    """Read all gauges. A store that does not answer leaves its own out; nothing is raised."""
    parts: dict[str, Awaitable[Iterable[Reading]]] = {
        "log": _log_readings(sources),
        "archive": _archive_readings(sources),
    }
    for number, client in enumerate(sources.jobs, 1):
        name = "jobs" if number == 1 else f"jobs {number}"
        parts[name] = _job_readings(name, client, sources.now())
    found = list(_disks(sources))
    for name, answer in zip(parts, await asyncio.gather(*map(_patiently, parts.values())), strict=True):
        found.append(Reading(read.STORE_UP, (name,), answer is not None))
        found += answer or ()
    return _together(found)


def _together(found: Iterable[Reading]) -> list[Reading]:
    """Add up what each server for jobs says of its own; that the loops live, one is enough to say."""
    each: dict[tuple[str, tuple[str, ...]], Reading] = {}
    for one in found:
        before = each.get(key := (one.measure.name, one.labels))
        value = one.value if before is None else before.value + one.value
        each[key] = one._replace(value=min(1, value) if one.measure is read.LOOPS else value)
    return list(each.values())


async def _patiently(part: Awaitable[Iterable[Reading]]) -> list[Reading] | None:
    try:
        async with asyncio.timeout(PATIENCE_SECONDS):
            return list(await part)
    except (TableeError, RedisError, OSError) as error:  # a time-out is one of the last
        _log.warning("metrics_incomplete", reason=str(error) or "no answer in time")
    except Exception:  # noqa: BLE001
        # A row that somebody altered must not hide everything else.
        _log.exception("metrics_incomplete")
    return None


async def _log_readings(sources: Sources) -> list[Reading]:
    client, shards = sources.log, sources.store.shards
    found = list(_memory("log", _sums(await info_of_each(client, "memory"))))
    persistence = _sums(await info_of_each(client, "persistence"))
    if "aof_current_size" in persistence:
        found.append(Reading(read.LOG_FILE, (), float(persistence["aof_current_size"])))
    lags: dict[str, int] = {}
    for one in await consumers(client, shards):
        lags[one.consumer] = lags.get(one.consumer, 0) + max(0, one.head - one.checkpoint)
    found += [Reading(read.FEED_LAG, (consumer,), lag) for consumer, lag in lags.items()]
    due = await sources.store.next_due()
    late = 0.0 if due is None else max(0.0, (milliseconds_of(sources.now()) - due) / 1000)
    found.append(Reading(read.DUE_LATE, (), late))
    noted = sources.mark.read()
    if noted is not None:
        went_back = compared(noted, await sources.store.positions(), sources.now())
        found.append(Reading(read.WENT_BACK, (), went_back is not None))
    found += await _projection_readings(client, shards)
    found.append(Reading(read.ARCHIVE_WAITING, (), await ClosedMatches(client, shards).waiting()))
    outbox = Outbox(client)
    found += [Reading(read.NOTICES, (state,), count) for state, count in (await outbox.waiting()).items()]
    found.append(Reading(read.NOTICES_LATE, (), await outbox.late_seconds(sources.now())))
    backup = await last_backup(client)
    if backup is not None:
        found.append(Reading(read.BACKUP_AGE, (), _age(backup.at, sources.now())))
    return found


async def _projection_readings(client: "redis.asyncio.Redis", shards: int) -> list[Reading]:
    standings = await projections(client, shards)
    found = [
        Reading(read.HALTED, (name,), standing.halted is not None) for name, standing in standings.items()
    ]
    aside = dict.fromkeys((*standings, "archive"), 0)
    for one in await dead_letters(client, shards):
        aside[one.projection] = aside.get(one.projection, 0) + 1
    found += [Reading(read.PARKED, (name,), count) for name, count in aside.items()]
    generation = standings[NAME].readable
    if generation is None:
        return found
    rows, pipe = Ledger(client, shards).of(generation), client.pipeline(transaction=False)
    for shard in range(shards):
        pipe.zcard(rows.index(shard, OPEN))
        pipe.zcard(rows.index(shard, ENDED))
    counts: list[int] = await pipe.execute()
    running, over = sum(counts[::2]), sum(counts[1::2])
    found += [Reading(read.MATCHES, ("open",), running), Reading(read.MATCHES, ("over",), over)]
    return found


async def _job_readings(name: str, client: "redis.asyncio.Redis", now: Instant) -> list[Reading]:
    found = list(_memory(name, await client.info("memory")))
    for state, (kind, key) in QUEUE_KEYS.items():
        count = await (client.llen(key) if kind == "list" else client.zcard(key))
        found.append(Reading(read.JOBS, (state,), count))
    workers = await live_workers(client, now)
    return [*found, Reading(read.WORKERS, (), workers), Reading(read.LOOPS, (), await loops_live(client))]


async def _archive_readings(sources: Sources) -> list[Reading]:
    latest = await sources.digests.latest()
    digest = await sources.digests.read(latest) if latest else None
    return [] if digest is None else [Reading(read.DIGEST_AGE, (), _age(digest.line.at, sources.now()))]


def _sums(told: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Add up what the primaries of the log say."""
    if len(told) == 1:
        return dict(*told.values())
    every = Counter[str]()
    for one in told.values():
        every.update({name: value for name, value in one.items() if isinstance(value, int)})
    return dict(every)


def _memory(store: str, told: dict[str, Any]) -> Iterator[Reading]:
    yield Reading(read.MEMORY, (store,), float(told["used_memory"]))
    limit = float(told.get("maxmemory") or told.get("total_system_memory") or 0)
    yield Reading(read.MEMORY_LIMIT, (store,), limit)


def _disks(sources: Sources) -> Iterator[Reading]:
    for name, folder in (("data", sources.data), ("archive", sources.archive)):
        # The archive's folder is made with its first file; its disk is that of the folder above it.
        for place in (folder, folder.parent) if folder is not None else ():
            if place.is_dir():
                yield Reading(read.DISK_FREE, (name,), shutil.disk_usage(place).free)
                break


def _age(since: Instant, now: Instant) -> float:
    return max(0.0, seconds_between(since, now))
