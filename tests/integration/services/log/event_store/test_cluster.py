"""The log on a cluster: found from any node, asked by slot, through moved slots and a primary that is killed."""

import asyncio
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import pytest
from redis.crc import key_slot
from redis.exceptions import ResponseError, WatchError

from api.command_line.commands.up import require_fit, require_fit_for_jobs
from api.command_line.group import CommandFailed
from services.bootstrap.clients import COMMAND, SERVING, blocking_client_of_log, client_of_log
from services.errors import StoreUnavailable
from services.log.acknowledged import Acknowledged
from services.log.embedded.durability import check_durability_async
from services.log.event_store.keys import Keyspace, shard_of
from services.log.event_store.known_commands import has_accepted
from services.log.event_store.patience import Patience
from services.log.event_store.redis_store import RedisEventStore
from services.log.event_store.slots import HOUSE_SLOT
from services.log.write_guard import require_writes
from services.process.settings import load_settings
from tests.conformance.backends import emptied
from tests.conformance.journal import Journal
from tests.integration.services.log.event_store.busy_log import BusyLog
from tests.kit.valkey_cluster import Cluster
from tests.kit.valkeys import Node, until

SHARDS = 16
KEYS = Keyspace(SHARDS)


def slot_of_shard(shard: int) -> int:
    return int(key_slot(KEYS.of_shard(shard).feed.encode()))


@pytest.fixture
def whole(cluster: Cluster) -> Cluster:
    """The session's cluster, empty."""
    emptied(cluster)
    return cluster


Open = Callable[..., Awaitable[RedisEventStore]]


@pytest.fixture
async def opened(whole: Cluster) -> AsyncIterator[Open]:
    async with AsyncExitStack() as stack:

        async def open_one(url: str = "", *, replicas: int = 0) -> RedisEventStore:
            patience = Patience(connect=2, reply=10, resolve=5, replicas=replicas)
            store = await RedisEventStore.open(url or whole.url, SHARDS, patience)
            stack.push_async_callback(store.close)
            store.acknowledged = Acknowledged()
            return store

        yield open_one


async def test_any_node_leads_to_the_cluster_a_replica_or_one_of_several_that_are_away(whole, opened):
    replica = next(node for node in whole.nodes if not node.is_primary())
    ada = Journal()
    accepted = await ada.write(await opened(replica.url))
    nobody, port = "127.0.0.1:1", replica.port
    for url in (f"valkey://{nobody},127.0.0.1:{port}", f"redis://127.0.0.1:{port}/0"):
        assert await ada.matches(await opened(url))
        async with await client_of_log(url, SERVING) as client:
            assert await client.hget("tb:installation", "shards") == b"16"
        with blocking_client_of_log(url, SERVING) as blocking:
            assert has_accepted(blocking, SHARDS, ada.match, "p_ada", accepted.command_id)


async def test_what_no_cluster_has_is_refused_in_a_sentence(whole, opened, tmp_path):
    with pytest.raises(ValueError, match="names a database, but a cluster has only one"):
        await opened(whole.url + "/1")
    alone = Node(tmp_path / "alone").start()
    try:
        with pytest.raises(ValueError, match="names several servers, but they are no cluster"):
            await opened(f"redis://127.0.0.1:{alone.port},127.0.0.1:{alone.port}")
    finally:
        alone.stop()


def test_the_service_starts_on_a_cluster_and_its_jobs_do_not(whole, tmp_path: Path):
    settings = load_settings({}, data=str(tmp_path), log_store_url=whole.url, job_store_url=whole.url)
    require_fit(settings)
    with pytest.raises(CommandFailed, match="jobs need a server that stands alone"):
        require_fit_for_jobs(settings)
    with whole.primaries()[1].client() as client:
        client.config_set("appendfsync", "everysec")
        try:
            with pytest.raises(CommandFailed, match=r"appendfsync everysec \(on 127\.0\.0\.1:\d+\): Set"):
                require_fit(settings)
        finally:
            client.config_set("appendfsync", "always")


async def test_every_primary_is_looked_at(whole):
    async with await client_of_log(whole.url, COMMAND) as client:
        await require_writes(client)
        assert (await check_durability_async(client)).durable == "yes"
        with whole.primaries()[2].client() as one:
            one.config_set("maxmemory", "1")
            try:
                with pytest.raises(StoreUnavailable, match="maxmemory"):
                    await require_writes(client)
            finally:
                one.config_set("maxmemory", "0")


@pytest.mark.parametrize("replicas", [0, 1])
async def test_all_that_belongs_to_no_shard_is_written_in_one_step(whole, replicas):
    """Also while the slot in which all of it is goes to another node."""
    async with await client_of_log(whole.url, SERVING, replicas=replicas) as client:
        for to in (*(node for node in whole.primaries() if node is not whole.owner(HOUSE_SLOT)),):
            async with client.pipeline(transaction=True) as pipeline:
                pipeline.set("tb:people:person:a", "1")
                pipeline.sadd("tb:people:club:b", "a")
                pipeline.get("tb:people:person:a")
                assert (await pipeline.execute())[-1] == b"1"
            whole.move(HOUSE_SLOT, to)
            async with client.pipeline(transaction=True) as pipeline:
                await pipeline.watch("tb:people:person:a")
                assert await pipeline.get("tb:people:person:a") == b"1"
                await client.set("tb:people:person:a", "2")
                pipeline.multi()
                pipeline.set("tb:people:person:a", "3")
                with pytest.raises(WatchError):
                    await pipeline.execute()
            assert await client.get("tb:people:person:a") == b"2"
        assert [key async for key in client.scan_iter(match="tb:people:*")]
        script = client.register_script("return redis.call('GET', KEYS[1])")
        pipeline = client.pipeline(transaction=False)
        for shard in range(SHARDS):
            await script(keys=[KEYS.of_shard(shard).leases], args=[], client=pipeline)
        assert await pipeline.execute() == [None] * SHARDS
        async with client.pipeline(transaction=True) as pipeline:
            pipeline.set("tb:people:person:a", "1")
            pipeline.set("tb:{notices}:log", "1")
            with pytest.raises(ResponseError, match="must share a slot"):
                await pipeline.execute()


async def test_a_worker_finds_what_was_accepted(whole, opened):
    store = await opened()
    known = [await Journal(f"m{number}").write(store) for number in range(6)]
    with blocking_client_of_log(whole.url, SERVING) as client:
        for append in known:
            assert has_accepted(client, SHARDS, append.match, append.actor, append.command_id)
            assert not has_accepted(client, SHARDS, append.match, append.actor, "another")


async def test_a_frozen_primary_holds_up_its_own_shards_only(whole, opened):
    store = await opened()
    journals = [Journal(f"m{number}") for number in range(12)]
    for journal in journals:
        await journal.write(store)
    frozen = whole.owner(slot_of_shard(0))
    others = [
        one for one in journals if whole.owner(slot_of_shard(shard_of(one.match, SHARDS))) is not frozen
    ]
    frozen.signal(signal.SIGSTOP)
    try:
        began = time.monotonic()
        for journal in others:
            await journal.write(store)
        assert time.monotonic() - began < 2
    finally:
        frozen.signal(signal.SIGCONT)
    until(frozen.is_whole, "the node is back")
    for journal in journals:
        assert await journal.matches(store)


async def test_slots_are_moved_and_a_primary_is_killed_and_every_acknowledged_command_is_there_once(
    whole, opened
):
    async with BusyLog(await opened(replicas=1), await opened(), matches=24) as busy:
        await busy.all_go_on()
        for shard in sorted(busy.shards)[:2]:
            source = whole.owner(slot_of_shard(shard))
            to = next(node for node in whole.primaries() if node is not source)
            await asyncio.to_thread(whole.move, slot_of_shard(shard), to)
        await busy.all_go_on()

        slot = slot_of_shard(min(busy.shards))
        killed, began = whole.owner(slot), time.monotonic()
        killed.kill()
        await asyncio.to_thread(until, lambda: whole.owner(slot) is not killed, "a replica is promoted")
        # Where one replica must have each command, the new primary needs one, too. From this thread: a node ends with
        # the thread that started it.
        killed.start()
        await busy.all_go_on()
        assert time.monotonic() - began < 20
    await busy.require_all_is_there_once()
    await asyncio.to_thread(until, whole.is_whole, "the cluster is whole again")
