from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import redis.asyncio

from services.event_store.redis_store import RedisEventStore
from tests.conformance.backends import flushed, patient
from tests.conformance.servers import Server, running, valkey_program
from tests.integration.projections.house import House


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(valkey_program(), fsync="no") as one:
        yield one


@pytest.fixture
async def house(server, tmp_path: Path) -> AsyncIterator[House]:
    url = flushed(server, 0)
    store = await RedisEventStore.open(url, 4, patient())
    async with redis.asyncio.Redis.from_url(url) as client:
        yield House(store, client, tmp_path / "archive")
    await store.close()
