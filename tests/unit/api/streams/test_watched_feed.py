"""A process reads the feed where somebody watches, and nowhere else."""

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager

from api.streams.hub import StreamHub
from api.streams.messages import Eyes
from api.streams.open_streams import Looker
from api.streams.watched_feed import WatchedFeed
from services.log.event_store.contract import Pointer
from services.log.event_store.keys import shard_of
from tests.conformance.journal import Journal
from tests.kit.memory_store import MemoryEventStore


class Noted(MemoryEventStore):
    """A store that notes which shards are asked for, and counts what it hands out."""

    def __init__(self) -> None:
        super().__init__(16)
        self.asked: list[set[int]] = []
        self.handed_out: list[Pointer] = []

    async def feed(self, after: Mapping[int, int], count: int, block: float) -> list[Pointer]:
        self.asked.append(set(after))
        pointers = await super().feed(after, count, block)
        self.handed_out += pointers
        return pointers


@asynccontextmanager
async def following(hub: StreamHub) -> AsyncIterator[None]:
    running = asyncio.create_task(hub.run())
    try:
        yield
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)


async def until(true: Callable[[], object]) -> None:
    async with asyncio.timeout(5):
        while not true():
            await asyncio.sleep(0.001)


async def test_matches_in_shards_that_nobody_watches_are_not_read():
    store, quiet = Noted(), Journal("quiet")
    busy = [Journal(f"busy{number}") for number in range(40)]
    here = shard_of("quiet", 16)
    elsewhere = [one for one in busy if shard_of(one.match, 16) != here]
    assert len(elsewhere) > 30
    hub = StreamHub(store)
    async with following(hub):
        watcher = hub.watch(["quiet"], Looker())
        await until(lambda: store.asked)
        for journal in busy:
            await journal.write(store)
        await quiet.write(store)
        await until(lambda: watcher.versions.get("quiet") == 1)
        assert store.asked
        assert all(asked == {here} for asked in store.asked)
        assert len(store.handed_out) == 1 + len(busy) - len(elsewhere)

        # Somebody else begins to watch elsewhere: from now on that is read, too, and at once.
        other = hub.watch([elsewhere[0].match], Looker())
        await until(lambda: store.asked[-1] == {here, shard_of(elsewhere[0].match, 16)})
        await elsewhere[0].write(store)
        await until(lambda: other.versions.get(elsewhere[0].match) == 2)

        # They watch another match instead, and go: the rest is read as before.
        hub.watch_instead(other, ["quiet"])
        await quiet.write(store)
        await until(lambda: other.versions.get("quiet") == 2)
        await until(lambda: store.asked[-1] == {here})
        hub.leave(other)
        hub.leave(watcher)
        await quiet.write(store)
        asked = len(store.asked)
        for _ in range(3):
            await quiet.write(store)
            await asyncio.sleep(0.01)
        assert len(store.asked) <= asked + 1


async def test_whoever_comes_back_after_everybody_had_gone_wakes_the_reader():
    feed = WatchedFeed(Noted())
    here = frozenset({shard_of("m", 16)})
    feed.enter(["m"])
    assert (await feed.next(10, 0.01)).anew == here
    feed.leave(["m"])
    coming = asyncio.create_task(feed.next(10, 0.01))
    await asyncio.sleep(0)
    feed.enter(["m"])
    async with asyncio.timeout(5):
        assert (await coming).anew == here


async def test_what_happens_before_it_is_known_where_a_feed_ends_is_looked_for_in_the_log(monkeypatch):
    store, match = Noted(), Journal("m")
    positions = store.positions

    async def late() -> dict[int, int]:
        await match.write(store)
        return await positions()

    monkeypatch.setattr(store, "positions", late)
    hub = StreamHub(store)
    subscriber = hub.subscribe("m", Eyes(), Looker())
    assert await store.read("m") == []
    async with following(hub), asyncio.timeout(5):
        assert await subscriber.news.get() is None


async def test_a_store_that_was_put_back_is_followed_from_its_new_end(monkeypatch):
    monkeypatch.setattr("api.streams.hub._BLOCK", 0.01)
    store, match = Noted(), Journal("m")
    hub = StreamHub(store)
    async with following(hub):
        watcher = hub.watch(["m"], Looker())
        await match.write(store)
        await until(lambda: watcher.lost or watcher.versions)
        other = Noted()
        monkeypatch.setattr(store, "feed", other.feed)
        monkeypatch.setattr(store, "positions", other.positions)
        watcher.lost = False
        await until(lambda: watcher.lost)
        await Journal("m").write(other)
        await until(lambda: watcher.versions)
