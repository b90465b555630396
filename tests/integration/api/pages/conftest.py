from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from fakeredis import FakeAsyncRedis, FakeServer
from litestar import Litestar

from api.application import create_app
from services.bootstrap import present_instant
from services.bootstrap.dossier_kinds import dossier_kinds
from services.bootstrap.parts import Application
from services.log.embedded.durability import DurabilityVerdict
from services.log.event_store.connections import Connections, Patience
from services.log.event_store.keys import Keyspace
from services.log.event_store.redis_part import RedisPart
from services.log.write_guard import WriteGuard
from services.matches.bots import BotPlayer
from services.matches.leaving import Leaving
from services.matches.reader import MatchReader
from services.matches.service import MatchService
from services.matches.tables_of_clubs import TablesOfClubs
from services.people.clubs.clubs import Clubs
from services.people.contacts import Contacts
from services.people.dossiers import Dossiers
from services.people.identity import Identity
from services.people.memberships import Memberships
from services.people.operators import Operators
from services.people.persons import Persons
from services.people.player_names import PlayerNames
from services.people.sessions import Sessions
from services.process.settings import Settings
from services.projections.listing import Listing
from tests.conformance.backends import fake_pool
from tests.integration.api.conftest import started
from tests.integration.api.pages.reader import Reader
from tests.kit.memory_store import MemoryEventStore

SECRET = b"a secret of the tests that nobody uses anywhere else"


@asynccontextmanager
async def memory_application(store: Any, people: FakeServer) -> AsyncIterator[Application]:
    reader = MatchReader(store)
    service = MatchService(store, reader, present_instant)
    client = FakeAsyncRedis(server=people)
    identity = Identity(SECRET, client)
    unused: dict[str, Any] = dict.fromkeys(Application.__struct_fields__) | {"guard": WriteGuard()}
    parts: dict[str, Any] = {"store": store, "reader": reader, "service": service, "identity": identity}
    names, persons, memberships = PlayerNames(client), Persons(client), Memberships(client)
    sessions = Sessions(SECRET, client, persons, memberships, names)
    parts |= {"sessions": sessions, "names": names, "persons": persons, "memberships": memberships}
    contacts = Contacts(SECRET, client)
    parts["contacts"] = contacts
    kinds = dossier_kinds(client, persons, memberships, sessions, contacts)
    parts["dossiers"] = Dossiers(persons, memberships, kinds, Leaving(service, reader))
    clubs = Clubs(client)
    parts |= {"clubs": clubs, "tables_of_clubs": TablesOfClubs(reader, clubs.tables)}
    parts |= {"operators": Operators(client), "bots": BotPlayer(service, reader, identity)}
    lists = Connections(fake_pool(people), Patience())
    listing = Listing(RedisPart(lists, Keyspace(store.shards)).look, store.shards)
    parts |= {"log_client": client, "listing": listing}
    yield Application(**{**unused, **parts})
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
async def running_pages(store: Any = None, people: FakeServer | None = None) -> AsyncIterator[Pages]:
    log, kept = store or MemoryEventStore(), people or FakeServer()
    app = create_app(Settings(), lambda: memory_application(log, kept), durable)
    async with started(app):
        yield Pages(app, kept)


@pytest.fixture
async def pages() -> AsyncIterator[Pages]:
    async with running_pages() as running:
        yield running
