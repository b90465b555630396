"""What an installation costs as it grows: the doctor, lists, somebody's matches, finding, the digest, catching up.

TABLEE_PERF_MATCHES finished matches (20,000 if not set), and a tenth as many at play: everything is measured with half
of them, and then with all. What costs the same both times does not grow with the whole. Times are of the processor: of
this process, and of the log's server.
"""

import asyncio
import os
import resource
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

import redis.asyncio

from domain.instants import after
from services.audit.digests import DigestMaker, Digests
from services.bootstrap import present_instant
from services.log.archive.closed_matches import ClosedMatches
from services.log.archive.folder import FolderStorage
from services.log.archive.log_with_archive import LogWithArchive
from services.log.archive.shelf import Archive
from services.log.event_store.redis_store import RedisEventStore
from services.matches.reader import MatchReader
from services.people.clubs.club_tables import ClubTables
from services.people.identity import Holder
from services.people.memberships import Memberships
from services.people.played_tables import PlayedTables
from services.projections.keeper import Keeper
from services.projections.list_reader import ListReader
from services.projections.listing import Listing, MatchFilter, Parts
from services.projections.played import PlayedReader, PlayedWanted
from tests.conformance.backends import patient
from tests.conformance.servers import Server, running, valkey_program
from tests.kit.checkout import ROOT
from tests.kit.environment import without_settings
from tests.perf.grown_house import fill, match_id, player_of
from tests.perf.report import median, show

MATCHES: Final = int(os.environ.get("TABLEE_PERF_MATCHES", "20000"))
MOVED: Final = 100
"""Matches at play that have moved since the last digest, and that lists are to catch up with, whatever the size."""

_REPEATS: Final = 9
_A_PERSON: Final = "somebody"
_TICKS: Final = os.sysconf("SC_CLK_TCK")


class Cost(NamedTuple):
    """What something costs.

    Attributes:
        ours: Milliseconds of our processor time.
        server: The same of the log's server.
        commands: Commands that the server carried out.
        wall: Milliseconds on the clock.
    """

    ours: float
    server: float
    commands: float
    wall: float


class House(NamedTuple):
    """An installation under measurement."""

    store: RedisEventStore
    client: "redis.asyncio.Redis"
    log: LogWithArchive
    keeper: Keeper
    archive: Path


async def _server(client: "redis.asyncio.Redis") -> tuple[float, int]:
    cpu: Any = await client.info("cpu")
    stats: Any = await client.info("stats")
    used = cpu["used_cpu_user_main_thread"] + cpu["used_cpu_sys_main_thread"]
    return float(used) * 1000, int(stats["total_commands_processed"])


async def _cost(house: House, work: Callable[[], Awaitable[object]], repeats: int = _REPEATS) -> Cost:
    """Return what some work costs each time, at the median."""
    costs = []
    for _ in range(repeats):
        before, commands = await _server(house.client)
        cpu, wall = time.process_time(), time.perf_counter()
        await work()
        wall, cpu = (time.perf_counter() - wall) * 1000, (time.process_time() - cpu) * 1000
        after_, commands_after = await _server(house.client)
        # Asking costs three commands itself.
        costs.append(Cost(cpu, after_ - before, commands_after - commands - 3, wall))
    return Cost(*(median(values) for values in zip(*costs, strict=True)))


async def _opened(url: str, archive: Path) -> House:
    store = await RedisEventStore.open(url, None, patient())
    client = redis.asyncio.Redis.from_url(url)
    log = LogWithArchive(store, Archive(FolderStorage(archive)))
    keeper = Keeper(client, log, MatchReader(log), present_instant)
    return House(store, client, log, keeper, archive)


async def _lists(house: House, count: int) -> dict[str, Cost]:
    listing, anybody = Listing(house.store.look, house.store.shards), Parts()
    first = await listing.page(MatchFilter(seen_by=anybody), None, 50)
    middle = first.rows[0].changed_at
    pages: Mapping[str, tuple[MatchFilter, str | None]] = {
        "hall: first page": (MatchFilter(state="playing", seen_by=anybody), None),
        "archive: first page": (MatchFilter(state="finished", seen_by=anybody), None),
        "archive: second page": (MatchFilter(state="finished", seen_by=anybody), first.next),
        "archive: half a year ago": (MatchFilter(until=after(middle, -182 * 86_400), seen_by=anybody), None),
        "archive: one game": (MatchFilter(game="odin", seen_by=anybody), None),
        "find: a player": (MatchFilter(player=player_of(count // 2)), None),
        "find: what nobody plays": (MatchFilter(game="nothing"), None),
    }
    return {
        f"{name} (50)": await _cost(house, partial(listing.page, wanted, mark, 50))
        for name, (wanted, mark) in pages.items()
    }


async def _somebodys(house: House, count: int) -> dict[str, Cost]:
    """Somebody has played every tenth of the first half of the matches, and their club too."""
    memberships, tables = Memberships(house.client), ClubTables(house.client)
    played = PlayedReader(
        ListReader(house.store.look, house.store.shards), PlayedTables(house.client), memberships
    )
    now = present_instant()
    for number in range(0, count // 2, 10):
        holder = Holder(match_id(number), player_of(number), "seat")
        await memberships.collect(_A_PERSON, holder, now)
    ended = {match_id(number): now for number in range(0, count // 2, 10)}
    await tables.settle("club", ended)
    # Whoever looks first moves what has ended into its index.
    await played.page(_A_PERSON, PlayedWanted(), None, 20)
    return {
        "a person's matches (20)": await _cost(
            house, lambda: played.page(_A_PERSON, PlayedWanted(), None, 20)
        ),
        "a club's played tables (20)": await _cost(house, lambda: tables.played("club", 0, 20)),
    }


async def _digest(house: House, playing: int) -> dict[str, Cost]:
    digests = Digests(FolderStorage(house.archive))
    closed = ClosedMatches(house.client, house.store.shards)
    maker = DigestMaker(house.log, digests, closed, present_instant)

    async def made() -> None:
        await closed.note_moved({match_id(playing + number): 1 for number in range(MOVED)})
        assert await maker.make() is not None

    return {f"digest of {MOVED} matches that moved": await _cost(house, made, 3)}


async def _caught_up(house: House) -> dict[str, Cost]:
    """Follow the feed to matches that no list has: each pointer leads to another match."""
    current = (await house.keeper.generations.standing()).current or 0
    follower = house.keeper.follower(current)

    async def follow() -> None:
        while await follower.step(0):
            pass

    return {f"lists catch up with {MOVED} matches": await _cost(house, follow, 1)}


async def _opened_for(
    url: str, archive: Path, work: Callable[[House], Awaitable[dict[str, Cost]]]
) -> dict[str, Cost]:
    house = await _opened(url, archive)
    try:
        return await work(house)
    finally:
        await house.store.close()
        await house.client.aclose()


async def _measured(house: House, count: int, playing: int) -> dict[str, Cost]:
    return {**await _lists(house, count), **await _somebodys(house, count), **await _digest(house, playing)}


def _doctor(server: Server, folder: Path, *options: str) -> tuple[Cost, float]:
    """Return what an everyday look costs, and the most memory that one of its processes had, in MB."""
    command = [sys.executable, "-m", "api.command_line.main", "doctor", "--redis", server.url(0)]
    command += ["--data", str(folder), "--jobs", "2", *options]
    used, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    served = _processor_ms(server.pid)
    subprocess.run(command, cwd=ROOT, env=without_settings(), capture_output=True, check=False)
    wall, now = (time.perf_counter() - begun) * 1000, resource.getrusage(resource.RUSAGE_CHILDREN)
    ours = (now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime) * 1000
    return Cost(ours, _processor_ms(server.pid) - served, 0, wall), now.ru_maxrss / 1000


def _processor_ms(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / _TICKS * 1000


def main() -> None:
    """Measure."""
    with TemporaryDirectory() as folder, running(valkey_program(), fsync="no") as server:
        archive = Path(folder) / "archive"
        found: list[dict[str, Cost]] = []
        looks: list[tuple[Cost, float]] = []
        filled, number = 0, 0
        for size in (MATCHES // 2, MATCHES):
            begun, more = time.perf_counter(), size - filled
            fill(server.url(0), archive, more, more // 10, begin=number)
            took = time.perf_counter() - begun
            print(f"{size:,} finished matches and {size // 10:,} at play after {took:.0f} s", flush=True)
            playing, filled, number = number + more, size, number + more + more // 10
            work = partial(_measured, count=size, playing=playing)
            costs = asyncio.run(_opened_for(server.url(0), archive, work))
            looks.append(_doctor(server, Path(folder)))
            fill(server.url(0), archive, 0, MOVED, begin=number, rows=False)
            number += MOVED
            found.append(costs | asyncio.run(_opened_for(server.url(0), archive, _caught_up)))
        print()
        _show(found)
        print()
        columns = (
            "everyday look of the doctor, finished matches",
            "ms CPU",
            "server, ms",
            "s on the clock",
            "MB",
        )
        rows = [
            (f"{size:,}", cost.ours, cost.server, cost.wall / 1000, memory)
            for size, (cost, memory) in zip((MATCHES // 2, MATCHES), looks, strict=True)
        ]
        show(columns, rows)


def _show(found: list[dict[str, Cost]]) -> None:
    half, whole = found
    columns = (
        "what",
        "ms CPU, half",
        "whole",
        "server, half",
        "whole",
        "commands, half",
        "whole",
        "ms on the clock",
    )
    rows = [
        (
            *(name, half[name].ours, cost.ours, half[name].server, cost.server),
            *(half[name].commands, cost.commands, cost.wall),
        )
        for name, cost in whole.items()
    ]
    show(columns, rows)


if __name__ == "__main__":
    main()
