"""Replicas: a command is acknowledged once they have it, and one that lacks acknowledged commands is not written to."""

import signal
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from services.bootstrap.clients import SERVING, client_of_log
from services.errors import OutcomeUnknown, StoreWentBack
from services.log.acknowledged import FILE_NAME, Acknowledged
from services.log.event_store.contract import Appended, Duplicate
from services.log.event_store.patience import Patience
from services.log.event_store.redis_store import RedisEventStore
from services.log.high_water_mark import HighWaterMarkFile
from services.log.write_guard import WriteGuard
from services.people.looks import Looks
from tests.conformance.journal import Journal
from tests.kit.instants import NOON
from tests.kit.memory_store import MemoryEventStore
from tests.kit.valkeys import Node, nodes, until
from workers.high_water_mark_loop import HighWaterMarkLoop

INSTALLATION = "a" * 32


@pytest.fixture
def pair() -> Iterator[tuple[Node, Node]]:
    """A primary and its replica."""
    with nodes(2) as (primary, replica):
        replica.follow(primary)
        yield primary, replica


Open = Callable[..., Awaitable[RedisEventStore]]


@pytest.fixture
async def opened() -> AsyncIterator[Open]:
    async with AsyncExitStack() as stack:

        async def open_one(
            node: Node, *, replicas: int = 0, acknowledged: Acknowledged | None = None
        ) -> RedisEventStore:
            patience = Patience(connect=20, reply=20, resolve=1, replicas=replicas, replicated=0.5)
            store = await RedisEventStore.open(node.url, 4, patience)
            stack.push_async_callback(store.close)
            store.acknowledged = acknowledged
            return store

        yield open_one


async def test_what_is_acknowledged_is_on_the_replica_and_below_that_nobody_knows(pair, opened):
    primary, replica = pair
    store, journal = await opened(primary, replicas=1), Journal()
    await journal.write(store)
    beside = await opened(replica)
    assert len(await beside.read("m")) == 1

    replica.signal(signal.SIGSTOP)
    command = journal.command()
    with pytest.raises(OutcomeUnknown, match="0 of 1 replicas"):
        await store.append(command)
    # Sent again on whatever connection, it is not acknowledged either, though the primary has it.
    with pytest.raises(OutcomeUnknown):
        await (await opened(primary, replicas=1)).append(command)
    replica.signal(signal.SIGCONT)
    again = None
    while again is None:
        try:
            again = await store.append(command)
        except OutcomeUnknown:
            continue
    assert again == Duplicate(2, 2)
    assert len(await beside.read("m")) == 2


async def test_what_people_are_told_is_on_the_replica_too(pair):
    """Whichever way it is written: by one command, by several in one step, or after watching."""
    primary, replica = pair

    async def written_in_one_step(client):
        async with client.pipeline(transaction=True) as pipeline:
            pipeline.hset("tb:people:session:s", "person", "p")
            await pipeline.execute()

    async def written_after_watching(client):
        async with client.pipeline(transaction=True) as pipeline:
            await pipeline.watch("tb:people:club:c")
            pipeline.multi()
            pipeline.hset("tb:people:club:c", "name", "ours")
            await pipeline.execute()

    async def token_remembered(client):
        await client.set("tb:people:token:t", "somebody")

    ways = (token_remembered, written_in_one_step, written_after_watching)
    async with await client_of_log(primary.url, SERVING, replicas=1) as client:
        for write in ways:
            await write(client)
        with replica.client() as there:
            assert len(there.keys("tb:people:*")) == len(ways)
        replica.signal(signal.SIGSTOP)
        try:
            for write in ways:
                with pytest.raises(OutcomeUnknown, match="0 of 1 replicas"):
                    await write(client)
            # Who only reads, or writes what follows from the log, waits for nobody.
            assert await client.get("tb:people:token:t") == b"somebody"
            await client.set("tb:{s01}:p:rows", "derived")
            # A table is shown though it is noted that somebody looked at it, which nobody is told.
            await Looks(client).note("p", "m", 3, over=False)
            assert await Looks(client).of("p") == {"m": 3}
        finally:
            replica.signal(signal.SIGCONT)


async def test_two_of_one_replica_are_too_many(pair, opened):
    store = await opened(pair[0], replicas=2)
    with pytest.raises(OutcomeUnknown, match="1 of 2 replicas"):
        await store.append(Journal().command())


async def promoted(pair: tuple[Node, Node], store: RedisEventStore, journal: Journal) -> Node:
    """Promote the replica while its primary still acknowledges something, and let the primary end."""
    primary, replica = pair
    await journal.write(store)
    with replica.client() as there:
        until(lambda: there.keys("tb:*:m:m:ev"), "the replica has the first")
        there.execute_command("REPLICAOF", "NO", "ONE")
    await journal.write(store)
    primary.stop()
    return replica


async def test_a_stale_replica_takes_no_command_from_who_knows_better(pair, opened, tmp_path: Path):
    known = Acknowledged()
    known.keep_in(tmp_path, INSTALLATION)
    journal = Journal()
    replica = await promoted(pair, await opened(pair[0], acknowledged=known), journal)

    # By the process itself, at another address; and by the next one of the same data folder.
    afterwards = Acknowledged()
    afterwards.keep_in(tmp_path, INSTALLATION)
    for acknowledged in (known, afterwards):
        store = await opened(replica, acknowledged=acknowledged)
        stale = Journal()
        stale.entries = list(await store.read("m"))
        assert stale.version == 1
        with pytest.raises(StoreWentBack, match="ends at 1, and stood at 2"):
            await store.append(stale.command())
        assert len(await store.read("m")) == 1
        # A match of another shard lost nothing, and goes on.
        assert await store.append(Journal("m2").command(command_id="k")) in (Appended(1, 1), Duplicate(1, 1))


async def test_it_is_noticed_at_the_start_and_refused_until_an_operator_has_settled_it(
    pair, opened, tmp_path: Path
):
    guard = WriteGuard(None, HighWaterMarkFile(tmp_path, pair[0].url), Acknowledged())
    guard.identify(INSTALLATION, tmp_path)
    replica = await promoted(pair, await opened(pair[0], acknowledged=guard.acknowledged), Journal())

    store = await opened(replica)
    fresh = WriteGuard(None, HighWaterMarkFile(tmp_path, replica.url), Acknowledged())
    fresh.identify(INSTALLATION, tmp_path)
    fresh.require()
    await fresh.compare(store.positions, NOON)
    with pytest.raises(StoreWentBack):
        fresh.require()
    # Another installation's folder is none of its business.
    other = WriteGuard(None, HighWaterMarkFile(tmp_path, "redis://elsewhere"), Acknowledged())
    other._mark.installation = "b" * 32  # type: ignore[union-attr]
    other.require()

    (tmp_path / "heights.json").unlink()
    fresh._looked_at = -10
    fresh.require()
    await fresh.compare(store.positions, NOON)
    fresh.require()
    assert (tmp_path / FILE_NAME).exists()


async def test_how_far_the_feeds_are_is_noted_only_once_the_replicas_have_it(pair, opened, tmp_path: Path):
    primary, replica = pair
    store, journal = await opened(primary, replicas=1), Journal()
    await journal.write(store)
    noted = await store.positions()
    mark = HighWaterMarkFile(tmp_path, primary.url)
    loop = HighWaterMarkLoop(store, mark, lambda: NOON)
    await loop.step()
    replica.signal(signal.SIGSTOP)
    try:
        with pytest.raises(OutcomeUnknown):
            await store.append(journal.command())
        await loop.step()
    finally:
        replica.signal(signal.SIGCONT)
    assert await store.positions() != noted
    known = mark.read()
    assert known is not None
    assert known.positions == noted


async def test_a_busy_feed_does_not_look_as_if_it_went_back(opened, tmp_path: Path):
    """Others note higher positions, in memory and in the file, while one asks how far the feeds are."""
    with nodes(1) as (node,):
        folder = tmp_path / "d"
        guards = [WriteGuard(None, HighWaterMarkFile(folder, node.url), Acknowledged()) for _ in range(2)]
        for guard in guards:
            guard.identify(INSTALLATION, folder)
        starting, busy = guards
        store, journal = await opened(node, acknowledged=busy.acknowledged), Journal()
        await journal.write(store)

        async def while_others_go_on() -> dict[int, int]:
            positions: dict[int, int] = await store.positions()
            await journal.write(store)
            HighWaterMarkFile(folder, node.url).note(await store.positions(), NOON)
            return positions

        for _ in range(3):
            await starting.compare(while_others_go_on, NOON)
            await HighWaterMarkLoop(
                _Asked(while_others_go_on), HighWaterMarkFile(folder, node.url), lambda: NOON
            ).step()
        starting.require()
        noted = HighWaterMarkFile(folder, node.url).read()
        assert noted is not None
        assert noted.went_back is None
        assert noted.positions == await store.positions()


class _Asked(MemoryEventStore):
    """A store of which one thing is asked."""

    def __init__(self, positions: Callable[[], Awaitable[dict[int, int]]]) -> None:
        super().__init__(4)
        self._positions = positions

    async def positions(self) -> dict[int, int]:
        return await self._positions()
