"""The inbox of somebody with hundreds of tables: CPU and time of a load, beside 20,000 matches of others.

Budget: 10 ms of CPU for 1,000 finished tables and 20 that go on, whose rows are up to date.
"""

import time
from pathlib import Path
from tempfile import TemporaryDirectory

import redis.asyncio
import uvloop

from services.bootstrap import present_instant
from services.log.archive.folder import FolderStorage
from services.log.archive.log_with_archive import LogWithArchive
from services.log.archive.shelf import Archive
from services.log.event_store.redis_store import RedisEventStore
from services.matches.reader import MatchReader
from services.people.memberships import Held
from services.projections.inbox import InboxReader
from services.projections.keeper import Keeper
from services.projections.list_reader import ListReader
from services.projections.matches import read_row
from tests.conformance.backends import patient
from tests.conformance.servers import running, valkey_program
from tests.perf.lists import House, rows_written
from tests.perf.report import judged, median, show

OTHERS, REPEATS = 20_000, 15
SIZES = ((50, 5), (200, 20), (1000, 20), (5000, 50))
BUDGET_MS = 10


async def _measured(url: str, folder: Path) -> None:
    store = await RedisEventStore.open(url, 16, patient())
    async with redis.asyncio.Redis.from_url(url) as client:
        log = LogWithArchive(store, Archive(FolderStorage(folder)))
        reader = MatchReader(log)
        house = House(store, client, Keeper(client, log, reader, present_instant))
        written = await rows_written(house, OTHERS)
        over = [(match, row) for match, row in written if read_row(row).is_over]
        on = [(match, row) for match, row in written if not read_row(row).is_over]
        keyspace = house.keeper.ledger.keyspace
        for match, _ in on:
            await client.hset(keyspace.of_match(match).meta, "version", 670)
        inbox = InboxReader(ListReader(store.look, store.shards), log, reader)
        rows: list[tuple[object, ...]] = []
        for many, few in SIZES:
            mine = over[:many] + on[:few]
            parts = {match: Held(str(read_row(row).seats[0])) for match, row in mine}
            times, walls = [], []
            for _ in range(REPEATS):
                cpu, wall = time.process_time(), time.perf_counter()
                found = await inbox.inbox(parts, {})
                page = await inbox.finished(parts, found, None, 20)
                times.append((time.process_time() - cpu) * 1000)
                walls.append((time.perf_counter() - wall) * 1000)
                assert (len(found.turns), len(page.tables)) == (few, 20)
            budget = judged(median(times), BUDGET_MS) if many <= 1000 else ""
            rows.append((str(many), str(few), median(times), min(times), budget, median(walls)))
    show(("tables that are over", "that go on", "ms CPU", "quickest", "budget", "ms on the clock"), rows)
    await store.close()


def main() -> None:
    """Measure."""
    with TemporaryDirectory() as folder, running(valkey_program(), fsync="no") as server:
        uvloop.run(_measured(server.url(0), Path(folder)))


if __name__ == "__main__":
    main()
