from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path

import pytest
import redis.asyncio

from services.log.event_store.redis_store import RedisEventStore
from tests.conformance.backends import flushed, patient
from tests.conformance.servers import Server, running, valkey_program
from tests.integration.services.projections.house import House

SHARDS = 4


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(valkey_program(), fsync="no") as one:
        yield one


@asynccontextmanager
async def _opened(server: Server, archive: Path) -> AsyncIterator[House]:
    url = flushed(server, 0)
    store = await RedisEventStore.open(url, SHARDS, patient())
    try:
        async with redis.asyncio.Redis.from_url(url) as client:
            yield House(store, client, archive)
    finally:
        await store.close()


@pytest.fixture
async def house(server, tmp_path: Path) -> AsyncIterator[House]:
    async with _opened(server, tmp_path / "archive") as one:
        yield one


@pytest.fixture
def in_a_new_house(server, tmp_path: Path) -> Callable[[Callable[[House], Awaitable[None]]], Awaitable[None]]:
    """Do something in a house in which nothing has happened, as often as a property test wants."""
    numbers = count()

    async def do(work: Callable[[House], Awaitable[None]]) -> None:
        async with _opened(server, tmp_path / f"archive{next(numbers)}") as one:
            await work(one)

    return do
