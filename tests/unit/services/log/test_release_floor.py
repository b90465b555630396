"""Two releases side by side: what the newer one writes is left to it, and is no damage to the older one."""

from pathlib import Path

import fakeredis
import msgspec
import pytest
from fakeredis.aioredis import FakeRedis

from domain.errors import BrokenLog
from domain.games.registry import GAMES
from domain.match.events import MATCH_EVENTS
from services.errors import ReleaseTooOld, StoreUnavailable
from services.log.archive.folder import FolderStorage
from services.log.archive.log_with_archive import LogWithArchive
from services.log.archive.shelf import Archive
from services.log.release_floor import LEVEL, SINCE, ReleaseFloor
from services.matches.reader import MatchReader
from services.matches.service import MatchService
from tests.conformance.journal import Journal
from tests.kit.house import House
from tests.kit.log import rechained
from tests.kit.queue import FakeQueue
from tests.kit.tampering import changed
from workers.clock_loop import ClockLoop
from workers.feed_loop import CONSUMER, FeedLoop

LEVEL_1 = Path(__file__).with_name("level_1.txt")
NEWER = {"CardPlayed": 2, "skyjo/9": 3}


@pytest.fixture
def log() -> FakeRedis:
    return FakeRedis(server=fakeredis.FakeServer())


async def as_of_newer(house: House) -> None:
    """Let a newer release have written the match's last event."""
    known = house.store._matches["m1"]
    last = changed(known.entries[-1], lambda plain: plain.update(type="ChairPainted"))
    known.entries[:] = rechained("m1", [*known.entries[:-1], last])
    known.meta = msgspec.structs.replace(known.meta, head=known.entries[-1].h)


class TestTheFloor:
    async def test_rises_before_the_first_thing_that_older_releases_cannot_read(self, log, tmp_path):
        house, floor = House(), ReleaseFloor(log, level=2, since=NEWER)
        store = LogWithArchive(house.store, Archive(FolderStorage(tmp_path)), floor=floor)
        newer = house.beside()
        newer.service = MatchService(store, newer.reader, newer.clock)
        await newer.begin(match="m2", game="odin")
        assert await floor.look() == 1
        house.store.away = True
        with pytest.raises(StoreUnavailable):
            await store.append(Journal("m1").command(types=("CardPlayed",)))
        assert await floor.look() == 2
        with pytest.raises(ReleaseTooOld, match="level 2"):
            await ReleaseFloor(log, level=1).require_release()

    async def test_never_sinks_by_itself(self, log):
        await ReleaseFloor(log, 3, NEWER).raise_for("skyjo", 9, ["MatchCreated"])
        await ReleaseFloor(log, 2, NEWER).raise_for("lama", 1, ["CardPlayed"])
        assert await ReleaseFloor(log).look() == 3
        await ReleaseFloor(log, 2).lower()
        assert await ReleaseFloor(log).look() == 2


class TestAnOlderProcess:
    async def test_leaves_the_match_to_newer_ones_and_goes_on_with_others(self, log):
        house = await House().begin()
        await house.begin(match="m2")
        await as_of_newer(house)
        older = MatchReader(house.store, floor=ReleaseFloor(log, level=1))
        with pytest.raises(BrokenLog, match="a newer release wrote it"):
            await older.head("m1")
        await ReleaseFloor(log, 2, NEWER).raise_for("lama", 1, ["CardPlayed"])
        with pytest.raises(ReleaseTooOld):
            await older.head("m1")
        assert (await older.head("m2")).version > 0

    async def test_sets_no_match_aside_and_passes_no_pointer(self, log):
        house = House()
        older, queue = house.beside(), FakeQueue()
        older.reader = MatchReader(house.store, floor=ReleaseFloor(log, level=1))
        feed = FeedLoop(house.store, older.reader, queue, house.clock)
        await feed.step(0)
        shard = {one: await house.store.checkpoint(CONSUMER, one) for one in range(house.store.shards)}
        await house.begin(bots=1, per_turn=60)
        await as_of_newer(house)
        await ReleaseFloor(log, 2, NEWER).raise_for("lama", 1, ["CardPlayed"])
        before = await house.store.meta("m1")
        house.clock.advance(3600)
        clock = ClockLoop(house.store, older.reader, older.service, older.bots, queue, house.clock)
        for step in (lambda: feed.step(0), clock.step):
            with pytest.raises(ReleaseTooOld):
                await step()
        assert await house.store.meta("m1") == before
        assert {one: await house.store.checkpoint(CONSUMER, one) for one in shard} == shard


def test_every_kind_that_older_releases_lack_is_named_with_its_level():
    """Add what is new to SINCE and raise LEVEL; while level 1 is not released yet, add it to level_1.txt instead."""
    kinds = {kind.__name__ for kind in MATCH_EVENTS}
    for (game, rules), contract in GAMES.items():
        # Games from outside bring their own releases.
        if contract.event_types[0].__module__.startswith("domain."):
            kinds |= {f"{game}/{rules}", *(kind.__name__ for kind in contract.event_types)}
    assert kinds - set(LEVEL_1.read_text().split()) == SINCE.keys()
    assert max(SINCE.values(), default=1) == LEVEL
