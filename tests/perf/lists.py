"""Lists of matches: bytes of a finished match with its rows, pages of 50 among 20,000, and the rate of a rebuild.

Budgets: a finished match with its history rows 700 B; a page of 50 among 20,000 matches a few ms of CPU. Rows are
written as the loops write them, for tombstones as archiving leaves them.
"""

import secrets
import time
from base64 import b32encode
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec
import redis.asyncio
import uvloop

from services.bootstrap import present_instant
from services.log.archive.folder import FolderStorage
from services.log.archive.log_with_archive import LogWithArchive
from services.log.archive.shelf import Archive
from services.log.event_store.contract import Status
from services.log.event_store.redis_store import RedisEventStore
from services.matches.reader import MatchReader
from services.projections.keeper import Keeper
from services.projections.ledger import RowUpdate
from services.projections.listing import Listing, MatchFilter, Parts
from services.projections.matches import head_mark, marks_of, read_row
from tests.conformance.backends import patient
from tests.conformance.servers import running, valkey_program
from tests.kit.logs import finished, named, put
from tests.perf.report import judged, median, show

COUNT, PIECE, REPEATS, REBUILT = 20_000, 100, 15, 300
FINISHED_BYTES = 700
PAGE_MS = 10
SEATS = 4


class House(NamedTuple):
    """An installation without matches."""

    store: RedisEventStore
    client: "redis.asyncio.Redis"
    keeper: Keeper


def _id() -> str:
    return b32encode(secrets.token_bytes(13))[:20].decode().lower()


def _row(number: int, people: int) -> bytes:
    """Return the row of a match with four seats; one in a hundred is still running."""
    players = tuple(f"p{_id()}" for _ in range(people)) + (1,) * (SEATS - people)
    goes_on, at = number % 100 == 0, 1_764_460_000_000 + number * 37_000
    totals, ranking = [33, 12, 87, 104][:SEATS], [] if goes_on else [[1], [0], [2], [3]]
    feats = [0, 44, 1, 210, 2, 5, -1, 305, 3, -7, 0, 420, 4, 61, 2, 610]
    rest: list[Any] = [totals, ranking, [], 0, [] if goes_on or people < 2 else feats]
    rest += [[0], at, [[0, "move", at]]] if goes_on else []
    head = head_mark(secrets.token_bytes(32))
    return msgspec.json.encode(
        [670, head, at, 86_400_123, "skyjo", 1, 1 if goes_on else 2, 0, players, 7, *rest]
    )


async def _used(house: House) -> int:
    return int((await house.client.info("memory"))["used_memory"])


async def _tombstones(house: House, matches: Sequence[str]) -> None:
    """Write the tombstones that archiving leaves of matches."""
    keyspace = house.keeper.ledger.keyspace
    record: dict[Any, Any] = {"version": 670, "status": Status.ARCHIVED.value, "game": "skyjo", "rules": 1}
    pipe = house.client.pipeline(transaction=False)
    for match in matches:
        pipe.hset(keyspace.of_match(match).meta, mapping={**record, "head": secrets.token_bytes(32)})
    await pipe.execute()


async def rows_written(house: House, count: int) -> list[tuple[str, bytes]]:
    """Write rows of matches between people, one in a hundred of which goes on; return them."""
    return await _rows(house, [_id() for _ in range(count)], SEATS)


async def _rows(house: House, matches: Sequence[str], people: int) -> list[tuple[str, bytes]]:
    """Write the rows of matches, and return them."""
    await house.keeper.rebuilder.rebuild()
    current = (await house.keeper.generations.standing()).current or 0
    rows = house.keeper.ledger.of(current)
    updates: list[RowUpdate] = []
    for number, match in enumerate(matches):
        row = _row(number, people)
        updates.append(RowUpdate(match, 0, row, marks_of(row)))
    for start in range(0, len(updates), PIECE):
        assert await house.keeper.ledger.commit(rows, updates[start : start + PIECE])
    return [(update.match, update.row) for update in updates]


async def _bytes(house: House, people: int) -> tuple[tuple[object, ...], list[str]]:
    await house.client.flushdb()
    matches = [_id() for _ in range(COUNT)]
    empty = await _used(house)
    written = await _rows(house, matches, people)
    rows = await _used(house)
    await _tombstones(house, matches)
    whole = (await _used(house) - empty) / COUNT
    row = (str(people), (rows - empty) / COUNT, whole - (rows - empty) / COUNT)
    players = [str(read_row(row).seats[0]) for _, row in written]
    return (*row, whole, judged(whole, FINISHED_BYTES)), players


async def _pages(house: House, player: str) -> list[tuple[object, ...]]:
    listing = Listing(house.store.look, house.store.shards)
    anybody = Parts()
    first = await listing.page(MatchFilter(seen_by=anybody), None, 50)
    asked = (
        ("first", MatchFilter(seen_by=anybody), None),
        ("second", MatchFilter(seen_by=anybody), first.next),
        ("in the middle", MatchFilter(until=first.rows[0].made_at, seen_by=anybody), None),
        ("those that go on", MatchFilter(state="playing"), None),
        ("of a player", MatchFilter(player=player), None),
        ("a filter that fits nothing", MatchFilter(game="odin"), None),
    )
    rows: list[tuple[object, ...]] = []
    for name, wanted, after in asked:
        times, walls, page = [], [], first
        for _ in range(REPEATS):
            cpu, wall = time.process_time(), time.perf_counter()
            page = await listing.page(wanted, after, 50)
            times.append((time.process_time() - cpu) * 1000)
            walls.append((time.perf_counter() - wall) * 1000)
        budget = "" if "nothing" in name else judged(median(times), PAGE_MS)
        rows.append((name, str(len(page.rows)), median(times), min(times), budget, median(walls)))
    return rows


async def _rebuilt(house: House) -> tuple[object, ...]:
    """Return how many matches per second a rebuild reads in the store."""
    await house.client.flushdb()
    log = finished("skyjo", SEATS)
    for number in range(REBUILT):
        await put(house.store, f"m{number}", named(f"m{number}", log), game="skyjo")
    begun, cpu = time.perf_counter(), time.process_time()
    await house.keeper.rebuilder.rebuild()
    took, used = time.perf_counter() - begun, time.process_time() - cpu
    return (str(REBUILT), str(len(log)), used / REBUILT * 1000, REBUILT / used, REBUILT / took)


async def _measured(url: str, folder: Path) -> None:
    store = await RedisEventStore.open(url, 16, patient())
    async with redis.asyncio.Redis.from_url(url) as client:
        log = LogWithArchive(store, Archive(FolderStorage(folder)))
        house = House(store, client, Keeper(client, log, MatchReader(log), present_instant))
        few, _ = await _bytes(house, 1)
        many, players = await _bytes(house, SEATS)
        show(
            ("people of 4", "rows and indexes, B", "tombstone, B", "finished match, B", "budget"), [few, many]
        )
        print()
        pages = await _pages(house, players[77])
        show(("page among 20,000", "rows", "ms CPU", "quickest", "budget", "ms on the clock"), pages)
        print()
        columns = (
            "matches rebuilt",
            "events each",
            "ms CPU each",
            "a second of CPU",
            "a second on the clock",
        )
        show(columns, [await _rebuilt(house)])
    await store.close()


def main() -> None:
    """Measure."""
    with TemporaryDirectory() as folder, running(valkey_program(), fsync="no") as server:
        uvloop.run(_measured(server.url(0), Path(folder)))


if __name__ == "__main__":
    main()
