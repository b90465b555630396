from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import pytest
from fakeredis import FakeAsyncRedis, FakeServer
from litestar import Litestar

from api.application import create_app
from services.bootstrap import present_instant
from services.bootstrap.parts import Application
from services.log.embedded.durability import DurabilityVerdict
from services.log.event_store.connections import Connections
from services.log.event_store.keys import Keyspace
from services.log.event_store.patience import Patience
from services.log.event_store.redis_part import RedisPart
from services.log.write_guard import WriteGuard
from services.matches.bots import BotPlayer
from services.process.settings import Settings
from tests.conformance.backends import fake_pool
from tests.integration.api.conftest import started
from tests.integration.api.pages.reader import Reader
from tests.kit.memory_store import MemoryEventStore
from tests.kit.parts import people_over


@asynccontextmanager
async def memory_application(store: Any, people: FakeServer, **more: Any) -> AsyncIterator[Application]:
    client, lists = FakeAsyncRedis(server=people), Connections(fake_pool(people), Patience())
    known = people_over(client, store, present_instant, RedisPart(lists, Keyspace(store.shards)).look, **more)
    bots = BotPlayer(known.service, known.reader, known.identity)
    yield Application(**msgspec.structs.asdict(known), bots=bots, guard=WriteGuard())
    await lists.close()
    await client.aclose()


async def durable(_: Application) -> DurabilityVerdict:
    return DurabilityVerdict("yes")


class Pages:
    """The running application, over a log in memory.

    Attributes:
        people: What the log's server keeps about people.
    """

    def __init__(self, app: Litestar, people: FakeServer) -> None:
        self.app = app
        self.people = people
        self.application: Application = app.state.parts.application

    def reader(self, language: str = "en") -> Reader:
        return Reader(self.app, language)

    async def play_bots(self, match: str) -> None:
        await self.application.bots.play_turns(match, trace="test", seconds=20)


@asynccontextmanager
async def running_pages(
    store: Any = None, people: FakeServer | None = None, settings: Settings | None = None, **more: Any
) -> AsyncIterator[Pages]:
    log, kept = store or MemoryEventStore(), people or FakeServer()
    app = create_app(settings or Settings(), lambda: memory_application(log, kept, **more), durable)
    async with started(app):
        yield Pages(app, kept)


@pytest.fixture
async def pages() -> AsyncIterator[Pages]:
    async with running_pages() as running:
        yield running
