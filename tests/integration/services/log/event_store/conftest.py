"""A real server of each kind, and a way to it on which things go wrong."""

from collections.abc import AsyncIterator, Iterator

import pytest

from services.log.event_store.redis_store import RedisEventStore
from tests.conformance.backends import flushed, patient
from tests.conformance.servers import Server, redis_program, running, valkey_program
from tests.integration.services.log.event_store.faulty_line import FaultyLine


@pytest.fixture(scope="module", params=[valkey_program, redis_program], ids=["valkey", "redis"])
def server(request: pytest.FixtureRequest) -> Iterator[Server]:
    with running(request.param()) as one:
        yield one


@pytest.fixture
async def line(server: Server) -> AsyncIterator[FaultyLine]:
    flushed(server, 0)
    async with FaultyLine(server.socket) as one:
        yield one


@pytest.fixture
async def store(line: FaultyLine) -> AsyncIterator[RedisEventStore]:
    """Return a store behind the line."""
    one = await RedisEventStore.open(line.url, 4, patient())
    yield one
    await one.close()


@pytest.fixture
async def straight(server: Server, store: RedisEventStore) -> AsyncIterator[RedisEventStore]:
    """Return the same store without the line, to see what is really there."""
    one = await RedisEventStore.open(server.url(), store.shards, patient())
    yield one
    await one.close()
