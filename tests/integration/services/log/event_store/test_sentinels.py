"""A server that sentinels watch: when its primary dies, commands go on at the replica and none is lost."""

import asyncio
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from services.bootstrap.clients import COMMAND, blocking_client, client
from services.bootstrap.parts import opening_of
from services.errors import OutcomeUnknown, StoreUnavailable
from services.log.event_store.addresses import Watched, watched_at
from services.log.event_store.contract import Append, Appended, Duplicate
from services.log.event_store.redis_store import RedisEventStore
from services.process.settings import SettingsError, load_settings
from tests.conformance.journal import Journal
from tests.kit.valkeys import Node, nodes

NAME = "the-log"
PATIENCE = 60.0


@pytest.fixture
def watched() -> Iterator[tuple[Node, Node, Node]]:
    """A primary, its replica, and a sentinel that watches them."""
    with nodes(2) as (primary, replica):
        replica.follow(primary)
        sentinel = Node(primary.folder.parent / "sentinel")
        try:
            yield primary, replica, sentinel.watch(primary, NAME)
        finally:
            sentinel.stop()


async def carried_out(store: RedisEventStore, append: Append) -> Appended | Duplicate:
    """Send a command until its outcome is known, as whoever sends it does."""
    end = time.monotonic() + PATIENCE
    while True:
        try:
            answer = await store.append(append)
        except (OutcomeUnknown, StoreUnavailable):
            assert time.monotonic() < end
            await asyncio.sleep(0.2)
            continue
        assert isinstance(answer, Appended | Duplicate)
        return answer


async def test_commands_go_on_at_the_replica_when_the_primary_dies(watched, tmp_path: Path):
    primary, replica, sentinel = watched
    url = f"sentinel://127.0.0.1:1,127.0.0.1:{sentinel.port}/{NAME}"
    settings = load_settings({"TABLEE_REPLICAS": "1"}, data=str(tmp_path), secret="s" * 32, log_store_url=url)
    async with opening_of(settings)() as parts:
        store, journal = parts.live_store, Journal()
        for _ in range(5):
            append = journal.command()
            assert await carried_out(store, append) == Appended(journal.version + 1, journal.version + 1)
            journal.take(append)
        primary.signal(signal.SIGKILL)
        # Sentinels promote the replica. Without one of its own it has nobody to wait for.
        store._connections.patience = type(store._connections.patience)()
        began = time.monotonic()
        for _ in range(5):
            append = journal.command()
            await carried_out(store, append)
            journal.take(append)
        assert time.monotonic() - began < PATIENCE
        assert await store.read("m") == journal.entries
        with replica.client() as promoted:
            assert promoted.info("replication")["role"] == "master"
        # What is kept beside the log finds the replica, too, and so does what blocks.
        assert await parts.log_client.hget("tb:installation", "shards") == b"16"
    async with client(url, COMMAND) as beside:
        assert await beside.ping()
    with blocking_client(url, COMMAND) as blocking:
        assert blocking.hget("tb:installation", "shards") == b"16"


def test_addresses_of_sentinels():
    assert watched_at("redis://localhost") is None
    assert watched_at("sentinel://one,two:26380,[::1]:7/the-log") == Watched(
        (("one", 26379), ("two", 26380), ("::1", 7)), "the-log", {"db": 0}
    )
    assert watched_at("sentinel://me:s%40cret@one/the-log/3") == Watched(
        (("one", 26379),), "the-log", {"db": 3, "username": "me", "password": "s@cret"}
    )
    for wrong in ("sentinel://one", "sentinel://one/", "sentinel:///the-log", "sentinel://one:x/the-log"):
        with pytest.raises(ValueError, match="sentinel://HOST"):
            watched_at(wrong)
    with pytest.raises(SettingsError, match="sentinel://HOST"):
        load_settings({"TABLEE_LOG_STORE_URL": "sentinel://one"})
