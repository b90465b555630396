"""The stores on which the conformance suite runs."""

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from enum import StrEnum

import fakeredis
import redis
from fakeredis.aioredis import FakeAsyncRedisConnection
from redis.asyncio.connection import ConnectionPool

from services.log.event_store.contract import EventStore
from services.log.event_store.patience import Patience
from services.log.event_store.redis_store import RedisEventStore
from tests.conformance.servers import Server
from tests.kit.memory_store import MemoryEventStore
from tests.kit.valkey_cluster import Cluster

SHARDS = (1, 4, 16)
"""The numbers of shards with which everything is tried; the last is the default."""


class Backend(StrEnum):
    MEMORY = "memory"
    FAKEREDIS = "fakeredis"
    VALKEY = "valkey"
    REDIS = "redis"
    CLUSTER = "cluster"


REAL = (Backend.VALKEY, Backend.REDIS)
SPEAKING_REDIS = (Backend.FAKEREDIS, *REAL)

Open = Callable[[], Awaitable[EventStore]]
"""Opens the test's store once more, as another process would."""


def patient() -> Patience:
    """Return patience for machines that have something else to do."""
    return Patience(connect=20, reply=20, resolve=20)


def database_of(shards: int) -> int:
    """Return a database of its own for each number of shards, so that one server can have them all."""
    return SHARDS.index(shards)


def flushed(server: Server, database: int) -> str:
    """Empty a server's database and return its URL."""
    with redis.Redis.from_url(server.url(database)) as client:
        client.flushdb()
    return server.url(database)


def emptied(cluster: Cluster) -> str:
    """Empty a cluster and return its URL."""
    for node in cluster.primaries():
        with node.client() as client:
            client.flushall()
    return cluster.url


def fake_pool(server: fakeredis.FakeServer) -> ConnectionPool:
    return ConnectionPool(connection_class=FakeAsyncRedisConnection, server=server, protocol=2)


@contextlib.asynccontextmanager
async def opened(backend: Backend, shards: int, server: Server | Cluster | None) -> AsyncIterator[Open]:
    """Give an empty store that can be opened several times; close all that was opened."""
    memory, fake = MemoryEventStore(shards), fakeredis.FakeServer()
    url = ""
    if isinstance(server, Server):
        url = flushed(server, database_of(shards))
    elif server is not None:
        url = emptied(server)
    async with contextlib.AsyncExitStack() as stack:

        async def open_once_more() -> EventStore:
            store: EventStore
            if backend is Backend.MEMORY:
                store = memory
            elif backend is Backend.FAKEREDIS:
                store = await RedisEventStore.on(fake_pool(fake), shards, patient())
            else:
                store = await RedisEventStore.open(url, shards, patient())
            stack.push_async_callback(store.close)
            return store

        yield open_once_more
