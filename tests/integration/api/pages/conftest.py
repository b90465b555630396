from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from litestar import Litestar

from api.application import create_app
from services.bootstrap import Application, present_instant
from services.log.embedded.durability import Verdict
from services.log.event_store.memory import MemoryEventStore
from services.matches.bots import BotPlayer
from services.matches.reader import MatchReader
from services.matches.service import MatchService
from services.people.identity import Identity, MemoryTokens
from services.people.operators import Operators
from services.people.operators_store import MemoryOperators
from services.people.player_names import PlayerNames
from services.people.sessions import Sessions
from services.people.sessions_store import MemorySessions
from services.process.settings import Settings
from tests.integration.api.conftest import started
from tests.integration.api.pages.reader import Reader

SECRET = b"a secret of the tests that nobody uses anywhere else"


@asynccontextmanager
async def memory_application(
    store: Any, sessions: MemorySessions, names: PlayerNames
) -> AsyncIterator[Application]:
    reader = MatchReader(store)
    service = MatchService(store, reader, present_instant)
    identity = Identity(SECRET, MemoryTokens())
    unused: dict[str, Any] = dict.fromkeys(Application.__struct_fields__)
    parts = {"store": store, "reader": reader, "service": service, "identity": identity}
    people: dict[str, Any] = {"sessions": Sessions(SECRET, sessions), "names": names}
    people |= {"operators": Operators(MemoryOperators())}
    yield Application(**{**unused, **parts, **people, "bots": BotPlayer(service, reader, identity)})


async def durable(_: Application) -> Verdict:
    return Verdict("yes")


class Pages:
    """The running application, over a log in memory."""

    def __init__(self, app: Litestar, sessions: MemorySessions, names: PlayerNames) -> None:
        self.app = app
        self.sessions = sessions
        self.names = names
        self.application: Application = app.state.parts.application

    def reader(self, language: str = "en") -> Reader:
        return Reader(self.app, language)

    async def play_bots(self, match: str) -> None:
        await self.application.bots.play_turns(match, trace="test", seconds=20)


@asynccontextmanager
async def running_pages(
    store: Any = None, sessions: MemorySessions | None = None, names: PlayerNames | None = None
) -> AsyncIterator[Pages]:
    log, kept, called = store or MemoryEventStore(), sessions or MemorySessions(), names or PlayerNames(None)
    app = create_app(Settings(), lambda: memory_application(log, kept, called), durable)
    async with started(app):
        yield Pages(app, kept, called)


@pytest.fixture
async def pages() -> AsyncIterator[Pages]:
    async with running_pages() as running:
        yield running
