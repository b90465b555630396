"""Going back in matches: to any version over HTTP, a whole match in one answer, all stored matches folded again.

Budgets: any version of the longest match (about 2,200 events of Skyjo with eight seats) within 50 ms over HTTP, in the
store or in the archive; its whole replay in at most 100 KB compressed; `tablee replay-all` 100,000 events/s per core.
"""

import gzip
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import uvloop

from services.bootstrap.parts import application
from services.log.event_store.contract import EventStore
from services.log.event_store.redis_store import RedisEventStore
from services.process.settings import Settings
from tests.conformance.backends import patient
from tests.conformance.servers import running, valkey_program
from tests.kit.checkout import ROOT
from tests.kit.games import GAME_KEYS
from tests.kit.table import Table
from tests.kit.unlimited import UNLIMITED
from tests.perf.http_client import Client, Fetched
from tests.perf.logs import adoption, longest, played
from tests.perf.report import judged, median, quantile, show
from tests.perf.service import Service

SEEKS = 200
REPLAYS = 7
COPIES = 60
"""How often each match of the set for replay-all is stored."""

LONGEST, ARCHIVED = "longest", "longest-archived"


async def _fetched(client: Client, path: str, **headers: str) -> tuple[float, Fetched]:
    begun = time.perf_counter()
    answer = await client.fetch("GET", path, **headers)
    took = time.perf_counter() - begun
    if answer.status != 200:
        raise AssertionError(answer)
    return took, answer


async def _sought(port: int, match: str, versions: int) -> list[float]:
    """Return the seconds that views of a match at random versions take."""
    client, random = Client("127.0.0.1", port), Random(1)
    times = []
    for _ in range(SEEKS):
        took, _ = await _fetched(client, f"/api/v1/matches/{match}/at/{random.randint(1, versions)}")
        times.append(took)
    client.close()
    return times


async def _replayed(port: int, path: str) -> tuple[list[float], int, int]:
    """Return an answer's seconds, its bytes as sent, and its bytes compressed."""
    client = Client("127.0.0.1", port)
    took, answer = await _fetched(client, path, Accept_Encoding="gzip")
    again = [(await _fetched(client, path, Accept_Encoding="gzip"))[0] for _ in range(REPLAYS - 1)]
    client.close()
    sent = answer.content
    packed = len(sent) if b"content-encoding: gzip" in answer.head else len(gzip.compress(sent, 6))
    return [took, *again], len(sent), packed


async def _adopted(store: EventStore, match: str, table: Table) -> None:
    assert await store.adopt(adoption(match, table.position, table.entries))


def _seeks_and_replays() -> None:
    table, other = longest(LONGEST), longest(ARCHIVED)
    versions = table.position.version
    rows = []
    with Service(**UNLIMITED) as service:
        uvloop.run(_stored_both(service, table, other))
        for name, match in (("in the store", LONGEST), ("in the archive", ARCHIVED)):
            times = uvloop.run(_sought(service.port, match, versions))
            p99 = quantile(times, 0.99)
            rows.append(
                (
                    f"seek, {versions} events, {name}",
                    min(times) * 1000,
                    quantile(times, 0.5),
                    p99,
                    judged(p99, 50),
                )
            )
        show(("over HTTP", "quickest, ms", "median, ms", "p99, ms", "budget for p99"), rows)
        print()
        answers = []
        for path in (f"/api/v1/matches/{LONGEST}/replay", f"/m/{LONGEST}/changes"):
            times, sent, packed = uvloop.run(_replayed(service.port, path))
            kilobytes = packed / 1000
            answers.append(
                (path, times[0] * 1000, median(times) * 1000, sent / 1000, kilobytes, judged(kilobytes, 100))
            )
        columns = ("whole replay", "first, ms", "median, ms", "sent, KB", "gzip, KB", "budget for gzip")
        show(columns, answers)


async def _stored_both(service: Service, table: Table, other: Table) -> None:
    running = service.published()
    place = Settings(data=str(service.data)).archive_address
    async with application(running.log_store_url, 16, b"s" * 32, place) as parts:
        await _adopted(parts.store, LONGEST, table)
        await _adopted(parts.store, ARCHIVED, other)
        await parts.archivist.archive(ARCHIVED)


async def _many(url: str) -> tuple[int, int]:
    """Fill a store with matches of all games; return the numbers of matches and events."""
    store = await RedisEventStore.open(url, None, patient())
    tables = [played(game, 4, seed) for game in GAME_KEYS for seed in (1, 2)]
    for table in tables:
        for copy in range(COPIES):
            await _adopted(store, f"{table.state.terms.game}-{table.position.version}-{copy}", table)  # type: ignore[union-attr]
    await store.close()
    return len(tables) * COPIES, sum(table.position.version for table in tables) * COPIES


def _replay_all_once(*options: str) -> tuple[float, float]:
    """Run the command; return its seconds of wall time, and of CPU time over all its processes."""
    command = [sys.executable, "-m", "api.command_line.main", "replay-all", *options]
    before, begun = os.times(), time.perf_counter()
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise AssertionError(done.stdout + done.stderr)
    after = os.times()
    used = (after.children_user + after.children_system) - (before.children_user + before.children_system)
    return time.perf_counter() - begun, used


def _replay_all() -> None:
    with running(valkey_program()) as server, TemporaryDirectory() as folder:
        matches, events = uvloop.run(_many(server.url()))
        baseline, rows = str(Path(folder) / "baseline"), []
        start_wall, start_cpu = _replay_all_once("--help")
        writing = _replay_all_once("--redis", server.url(), "--write", baseline)
        for name, options in (
            ("decided again", []),
            ("folded only", ["--fold-only"]),
            ("folded only, and compared", ["--fold-only", "--against", baseline]),
        ):
            runs = [_replay_all_once("--redis", server.url(), *options) for _ in range(3)]
            wall, used = (median(part) for part in zip(*runs, strict=True))
            per_core = events / (used - start_cpu)
            budget = judged(per_core, 100_000, least=True) if options else ""
            rows.append((name, events / (wall - start_wall), per_core, budget))
        rows.append(
            ("baseline written", events / (writing[0] - start_wall), events / (writing[1] - start_cpu), "")
        )
        print(f"\n{matches} matches, {events} events, on all cores; the command's own start is left out")
        show(("replay-all", "events/s", "events/s per core", "budget"), rows)


def main() -> None:
    """Measure."""
    _seeks_and_replays()
    _replay_all()


if __name__ == "__main__":
    main()
