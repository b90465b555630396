"""A server that answers with an error has written nothing, and the error is the reason that people are told."""

import asyncio

import pytest
import redis

from services.errors import OutcomeUnknown, StoreUnavailable
from services.log.event_store.connections import Connections
from services.log.event_store.contract import Appended, Duplicate
from services.log.event_store.keys import Keyspace
from services.log.event_store.patience import Patience
from services.log.event_store.redis_store import RedisEventStore
from tests.conformance.journal import Journal, everything

REFUSALS = (
    "LOADING Redis is loading the dataset in memory",
    "BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.",
    "OOM command not allowed when used memory > 'maxmemory'.",
    "READONLY You can't write against a read only replica.",
    "MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist to disk.",
    "NOREPLICAS Not enough good replicas to write.",
    "MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.",
    "NOAUTH Authentication required.",
    "NOPERM User default has no permissions to run the 'evalsha' command",
    "CLUSTERDOWN The cluster is down",
    "TRYAGAIN Multiple keys request during rehashing of slot",
    "MOVED 1 127.0.0.1:1",
    "ASK 1 127.0.0.1:1",
    "UNBLOCKED force unblock from blocking operation",
    "ERR something that no release has said yet",
)


class Scripted:
    """A server that gives the same reply to everything; None closes the connection instead."""

    def __init__(self, *replies: str | None) -> None:
        self._replies = iter(replies)
        self.asked = 0

    async def __aenter__(self):
        self._listener = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        port = self._listener.sockets[0].getsockname()[1]
        url = f"redis://127.0.0.1:{port}"
        self.store = RedisEventStore(
            Connections.to_url(url, Patience(connect=20, reply=20, resolve=20)), Keyspace(4)
        )
        return self

    async def __aexit__(self, *_):
        await self.store.close()
        self._listener.close()

    async def _serve(self, reader, writer):
        while await reader.read(1 << 16):
            self.asked += 1
            reply = next(self._replies)
            if reply is None:
                break
            writer.write(reply.encode() + b"\r\n")
        writer.close()


@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: refusal.split(" ")[0])
async def test_a_refusal_is_told_with_its_reason_and_not_asked_again(refusal):
    async with Scripted("-" + refusal) as server:
        with pytest.raises(StoreUnavailable) as told:
            await server.store.append(Journal().command())
        # redis-py takes off some of the codes.
        assert refusal.partition(" ")[2] in str(told.value)
        assert server.asked == 1


async def test_a_refusal_after_a_lost_reply_proves_nothing():
    # The reply is lost; sent again, the server refuses to write; asked for the command, it has none on record.
    async with Scripted(None, "-OOM no memory", "$-1") as server:
        with pytest.raises(OutcomeUnknown):
            await server.store.append(Journal().command())
        assert server.asked == 3


async def test_a_refusal_after_a_lost_reply_is_resolved_by_what_is_on_record():
    append = Journal().command(2, command_id="c", fingerprint="f")
    record = "\nc f 1 2"
    async with Scripted(None, "-OOM no memory", f"${len(record)}\r\n{record}") as server:
        assert await server.store.append(append) == Duplicate(1, 2)


async def test_of_several_replies_one_refusal_is_enough():
    async with Scripted("$1\r\n5\r\n-ERR no\r\n$1\r\n7\r\n$1\r\n8", ":0") as server:
        with pytest.raises(StoreUnavailable, match="no"):
            await server.store.positions()
        # All four replies were read: the connection is good for the next question.
        assert await server.store.trim_feed(0) == 0


@pytest.fixture
def client(server):
    with redis.Redis.from_url(server.url()) as one:
        yield one


async def test_a_server_that_is_busy_with_a_script_is_unavailable(server, store, straight, client):
    ada = Journal()
    await ada.write(store)
    append = ada.command()
    client.config_set("lua-time-limit", "1")
    endless = asyncio.create_task(asyncio.to_thread(_run_endless_script, server.url()))
    # It is busy for others from a millisecond after the script has begun.
    while await _answers(store):
        pass
    try:
        with pytest.raises(StoreUnavailable, match="busy"):
            await store.append(append)
    finally:
        client.script_kill()
        await endless
        client.config_set("lua-time-limit", "5000")
    assert await straight.append(append) == Appended(2, 2)


async def _answers(store):
    try:
        await store.next_due()
    except StoreUnavailable:
        return False
    return True


def _run_endless_script(url):
    with redis.Redis.from_url(url, socket_timeout=60) as client:
        with pytest.raises(redis.ResponseError, match="killed"):
            client.eval("while true do end", 0)


@pytest.mark.parametrize(
    ("setting", "value", "normal", "reason"),
    [
        ("min-replicas-to-write", "1", "0", "replicas"),
        ("maxmemory", "1", "0", "maxmemory"),
    ],
)
async def test_a_server_that_may_not_write_writes_nothing(
    store, straight, client, setting, value, normal, reason
):
    ada = Journal()
    first = await ada.write(store, due=3)
    before = await everything(straight)
    client.config_set(setting, value)
    try:
        for write in (
            lambda: store.append(ada.command(due=9)),
            lambda: store.set_due("m", 1, 9),
            lambda: store.advance("lobby", 0, None, 0),
            lambda: store.record_refusal("m", b"{}"),
        ):
            with pytest.raises(StoreUnavailable, match=reason):
                await write()
        assert await store.append(first) == Duplicate(1, 1)
    finally:
        client.config_set(setting, normal)
    assert await everything(straight) == before


async def test_a_replica_answers_readers_and_writes_nothing(store, straight, client):
    ada = Journal()
    await ada.write(store)
    client.config_set("replica-serve-stale-data", "yes")
    client.execute_command("REPLICAOF", "127.0.0.1", "1")
    try:
        with pytest.raises(StoreUnavailable, match="read only replica"):
            await store.append(ada.command())
        assert await ada.matches(store)
    finally:
        client.execute_command("REPLICAOF", "NO", "ONE")
    assert await ada.matches(straight)
    await ada.write(store)
