"""Rebuilding: beside the rows that are read, from live matches and the archive, and the same as living through it."""

import asyncio
import io
from collections.abc import Awaitable, Callable

import pytest
import redis
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from structlog.testing import capture_logs

from domain.entries import decode_envelope
from services.bootstrap import present_instant
from services.log.archive.documents import document_of, documents, file_end
from services.projections.errors import AlreadyRebuilding, SetReplaced
from services.projections.generations import Building
from services.projections.ledger import Ledger
from services.projections.listing import MatchFilter
from services.projections.matches import LAYOUT
from services.projections.rebuilding import Rebuilder
from services.projections.standing import consumers, projections
from tests.kit.games import GAME_KEYS
from tests.kit.logs import finished, named, running
from workers.projection_loop import ProjectionLoop

BUILDING = f"tb:{{s00}}:p:matches:{LAYOUT}:building"


async def test_archived_matches_are_read_from_the_archive(house):
    await house.put("m1", finished())
    await house.archivist.archive("m1")
    done = await house.rebuilder.rebuild()
    assert (done.rows, done.parked) == (1, 0)
    row = await house.listing.row("m1")
    assert (row.state, row.archived) == ("finished", True)


async def test_the_old_rows_are_read_until_the_new_ones_are_complete(house):
    for number in range(120):
        await house.put(f"m{number}", running())
    await house.rebuilder.rebuild()
    before = await house.rows()
    told: list[tuple[int, int]] = []
    looking: list[asyncio.Task[None]] = []

    async def look() -> None:
        assert (await house.generations.standing()).current == before.generation
        assert len((await house.listing.page(MatchFilter(), None, 200)).rows) == 120

    def report(building: Building) -> None:
        told.append((building.read, building.of))
        if building.read < building.of:
            looking.append(asyncio.ensure_future(look()))

    await house.rebuilder.rebuild(report)
    await asyncio.gather(*looking)
    assert told == [(50, 120), (100, 120), (120, 120)]
    assert len(looking) == 2
    after = await house.rows()
    assert after.generation > before.generation
    assert await house.stored(of=before) == {}
    assert len(await house.stored(of=after)) > 0
    names = {one.consumer for one in await consumers(house.client, house.store.shards)}
    assert names == {after.consumer}


async def test_what_happens_meanwhile_is_in_the_new_rows(house):
    log = running()
    for number in range(60):
        await house.grow(f"m{number}", log, 3)
    growing: list[asyncio.Task[None]] = []

    def report(building):
        if building.read == 50:
            growing.append(asyncio.ensure_future(grow()))

    async def grow() -> None:
        await asyncio.gather(*(house.grow(f"m{number}", log, 5) for number in range(0, 60, 7)))

    await house.rebuilder.rebuild(report)
    await asyncio.gather(*growing)
    await house.catch_up()
    rows = (await house.listing.page(MatchFilter(), None, 100)).rows
    assert {row.match: row.version for row in rows} == {
        f"m{number}": 3 if number % 7 else 5 for number in range(60)
    }


async def test_only_one_rebuilds_at_a_time(house):
    await house.generations.begin(present_instant())
    with pytest.raises(AlreadyRebuilding):
        await house.rebuilder.rebuild()


async def test_who_was_taken_for_dead_writes_nothing_more(house):
    await house.put("m1", running())

    class Slow(Ledger):
        async def commit(self, rows, updates, advances=()):
            await house.client.delete(BUILDING)
            await house.rebuilder.rebuild()
            return await super().commit(rows, updates, advances)

    slow = Rebuilder(Slow(house.client, house.store.shards), house.generations, house.log, present_instant)
    with pytest.raises(SetReplaced):
        await slow.rebuild()
    assert (await house.generations.standing()).building is None
    assert await house.listing.row("m1") is not None


async def test_who_was_slow_but_alone_goes_on(house):
    for number in range(60):
        await house.put(f"m{number}", running())

    def slow(_):
        with redis.Redis(unix_socket_path=house.client.connection_pool.connection_kwargs["path"]) as client:
            client.delete(BUILDING)

    assert (
        await house.rebuilder.rebuild(lambda told: slow(told) if told.read < told.of else None)
    ).rows == 60


async def test_what_a_killed_rebuild_left_is_removed_by_the_next(house):
    await house.put("m1", running())
    building = await house.generations.begin(present_instant())
    rows = house.ledger.of(building.generation)
    for shard in range(house.store.shards):
        await house.store.advance(rows.consumer, shard, None, 0)
    await house.client.delete(BUILDING)
    await house.rebuilder.rebuild()
    names = {one.consumer for one in await consumers(house.client, house.store.shards)}
    assert names == {(await house.rows()).consumer}


class TestTheLoop:
    async def test_removes_what_a_killed_rebuild_left_but_nothing_that_is_being_made(self, house):
        await house.rebuilder.rebuild()
        killed = await house.generations.begin(present_instant())
        for shard in range(house.store.shards):
            await house.store.advance(house.ledger.of(killed.generation).consumer, shard, None, 0)
        names = set[str]()
        for _ in range(2):
            loop = ProjectionLoop(house.client, house.log, house.reader, present_instant)
            await loop.step(0)
            names = {one.consumer for one in await consumers(house.client, house.store.shards)}
            # As long as its lease runs, it may still be alive.
            alive = (await house.generations.standing()).building is not None
            assert (house.ledger.of(killed.generation).consumer in names) is alive
            await house.client.delete(BUILDING)
        assert names == {(await house.rows()).consumer}

    async def test_waits_for_a_store_that_is_away_and_says_so_once(self, house):
        await house.rebuilder.rebuild()
        loop = ProjectionLoop(house.client, house.log, house.reader, present_instant)
        there, away = house.client.pipeline, True

        def pipeline(**how):
            if away:
                raise ConnectionError
            return there(**how)

        house.client.pipeline = pipeline
        with capture_logs() as lines:
            await loop._turn()
            await loop._turn()
            away = False
            await loop._turn()
        assert [line["event"] for line in lines] == ["projection_waits", "projection_goes_on"]

    async def test_builds_the_first_rows_by_itself(self, house):
        await house.put("m1", running())
        loop = ProjectionLoop(house.client, house.log, house.reader, present_instant)
        await loop.step(0)
        assert await house.listing.row("m1") is not None
        await house.put("m2", running())
        await loop.step(0)
        assert await house.listing.row("m2") is not None

    async def test_goes_on_with_rows_that_somebody_else_has_rebuilt(self, house):
        loop = ProjectionLoop(house.client, house.log, house.reader, present_instant)
        await loop.step(0)
        await loop.step(0)
        await house.rebuilder.rebuild()
        await house.put("m1", running())
        await loop.step(0)
        await loop.step(0)
        assert await house.listing.row("m1") is not None

    async def test_rebuilds_when_somebody_asks_for_it(self, house):
        loop = ProjectionLoop(house.client, house.log, house.reader, present_instant)
        await loop.step(0)
        before = (await projections(house.client, house.store.shards))["matches"]
        await house.generations.want()
        await loop.step(0)
        async with asyncio.timeout(10):
            while (await house.generations.standing()).current == before.current:
                await asyncio.sleep(0.01)
        assert loop._rebuilding is not None
        await loop._rebuilding

    async def test_rebuilds_when_the_feed_has_a_gap(self, house):
        loop = ProjectionLoop(house.client, house.log, house.reader, present_instant)
        await loop.step(0)
        for number in range(8):
            await house.put(f"m{number}", running())
        for shard in range(house.store.shards):
            await house.client.xtrim(house.ledger.keyspace.of_shard(shard).feed, maxlen=1, approximate=False)
        await loop.step(0)
        async with asyncio.timeout(10):
            while len((await house.listing.page(MatchFilter(), None, 20)).rows) < 8:
                await loop.step(0)
                await asyncio.sleep(0.01)
        assert loop._rebuilding is not None
        await loop._rebuilding


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("grow"), st.integers(0, 5), st.integers(1, 12)),
        st.tuples(st.just("finish"), st.integers(0, 5), st.just(0)),
        st.tuples(st.just("archive"), st.integers(0, 5), st.just(0)),
        st.tuples(st.just("import"), st.integers(6, 9), st.just(0)),
        st.tuples(st.just("follow"), st.just(0), st.just(0)),
        st.tuples(st.just("again"), st.integers(0, 3), st.integers(0, 5)),
    ),
    max_size=15,
)


class History:
    """A random history of several matches, with a projection that lives through it."""

    def __init__(self, house) -> None:
        self.house = house
        self.events = dict.fromkeys(range(6), 0)
        self.archived: set[int] = set()

    def log(self, number: int):
        return finished(GAME_KEYS[number % len(GAME_KEYS)])

    async def grow(self, number: int, more: int) -> None:
        log = self.log(number)
        # Never in the middle of a command: who is asked, and since when, is known at its end.
        ends = (decode_envelope(entry.e).command.last for entry in log)
        self.events[number] = next(end for end in ends if end >= min(len(log), self.events[number] + more))
        if number not in self.archived:
            await self.house.grow(f"m{number}", log, self.events[number])

    async def finish(self, number: int, _: int) -> None:
        await self.grow(number, len(self.log(number)))

    async def archive(self, number: int, _: int) -> None:
        if self.events[number] == len(self.log(number)):
            await self.house.archivist.archive(f"m{number}")
            self.archived.add(number)

    async def take_in(self, number: int, _: int) -> None:
        match, game = f"m{number}", GAME_KEYS[number % len(GAME_KEYS)]
        text = document_of(match, game, 1, named(match, self.log(number)))
        (document,) = documents(io.BytesIO(text + file_end(1)))
        await self.house.importer.take(document)

    async def follow(self, *_: int) -> None:
        await (await self.house.follower()).step(0)

    async def again(self, shard: int, back: int) -> None:
        """Let pointers be read again, as after a restart of somebody who forgot."""
        rows = await self.house.rows()
        key = self.house.ledger.keyspace.of_shard(shard).shard
        at = int(await self.house.client.hget(key, rows.checkpoint_field) or 0)
        await self.house.client.hset(key, rows.checkpoint_field, max(0, at - back))


@settings(
    max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture], database=None
)
@given(steps=STEPS)
def test_rebuilt_from_the_log_it_is_what_it_became_by_living(in_a_new_house, steps):
    asyncio.run(in_a_new_house(lambda house: lived_through(house, steps)))


async def lived_through(house, steps) -> None:
    await house.rebuilder.rebuild()
    history = History(house)
    does: dict[str, Callable[[int, int], Awaitable[None]]] = {
        "grow": history.grow,
        "finish": history.finish,
        "archive": history.archive,
        "import": history.take_in,
        "follow": history.follow,
        "again": history.again,
    }
    for name, one, two in steps:
        await does[name](one, two)
    await house.catch_up()
    live = await house.stored(of=await house.rows())
    await house.rebuilder.rebuild()
    assert await house.stored(of=await house.rows()) == live
