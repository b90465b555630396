import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any, cast

import fakeredis
import httpx
import msgspec
import pytest
from litestar import Litestar

from api.application import create_app
from services.audit.digests import Digests
from services.bootstrap import present_instant
from services.bootstrap.parts import Application
from services.log.archive.folder import FolderStorage
from services.log.embedded.durability import DurabilityVerdict
from services.log.event_store.connections import Connections
from services.log.event_store.keys import Keyspace
from services.log.event_store.patience import Patience
from services.log.event_store.redis_part import RedisPart
from services.log.write_guard import WriteGuard
from services.matches.bots import BotPlayer
from services.process.counts import Counts
from services.process.settings import Settings
from tests.conformance.backends import fake_pool
from tests.integration.api.tables import Api
from tests.kit.memory_store import MemoryEventStore
from tests.kit.parts import people_over


@asynccontextmanager
async def memory_application(store: Any = None) -> AsyncIterator[Application]:
    log = store or MemoryEventStore()
    server = fakeredis.FakeServer()
    client, lists = fakeredis.FakeAsyncRedis(server=server), Connections(fake_pool(server), Patience())
    look = RedisPart(lists, Keyspace(log.shards)).look
    digests = Digests(FolderStorage(Path("/no such folder")))
    people = people_over(client, log, present_instant, look, counts=Counts(), digests=digests)
    bots = BotPlayer(people.service, people.reader, people.identity)
    yield Application(**msgspec.structs.asdict(people), bots=bots, guard=WriteGuard())
    await lists.close()
    await client.aclose()


async def durable(_: Application) -> DurabilityVerdict:
    return DurabilityVerdict("yes")


@asynccontextmanager
async def started(app: Litestar) -> AsyncIterator[None]:
    """Start and stop an application in one task, as a server does; fixtures begin and end in two."""
    running, stop = asyncio.Event(), asyncio.Event()

    async def live() -> None:
        async with app.lifespan():
            running.set()
            await stop.wait()

    task = asyncio.create_task(live())
    waiting = asyncio.create_task(running.wait())
    await asyncio.wait((task, waiting), return_when=asyncio.FIRST_COMPLETED)
    try:
        if not task.done():
            yield
    finally:
        waiting.cancel()
        stop.set()
        await task


@asynccontextmanager
async def running_api(
    settings: Settings | None = None, store: Any = None, check: Any = durable
) -> AsyncIterator[Api]:
    """Run the application in this very loop, over a log in memory."""
    if settings is None and check is durable:
        app = _usual_app()
        _STORES.append(store)
    else:
        app = create_app(settings or Settings(), lambda: memory_application(store), check)
    async with started(app):
        # What nobody foresaw must come out as an answer here, as it does at a server.
        door = httpx.ASGITransport(app=cast("Any", app), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=door, base_url="http://tablee.test") as client:
            yield Api(client, app)


_STORES: list[Any] = []


@cache
def _usual_app() -> Litestar:
    # Making it takes longer than most tests.
    return create_app(Settings(), lambda: memory_application(_STORES.pop()), durable)


@pytest.fixture
async def api() -> AsyncIterator[Api]:
    async with running_api() as running:
        yield running
