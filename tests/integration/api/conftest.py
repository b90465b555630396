import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any, cast

import fakeredis
import httpx
import pytest
from litestar import Litestar

from api.application import create_app
from services.audit.digests import Digests
from services.bootstrap import present_instant
from services.bootstrap.dossier_kinds import dossier_kinds
from services.bootstrap.parts import Application
from services.log.archive.folder import FolderStorage
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
from services.process.counts import Counts
from services.process.settings import Settings
from services.projections.listing import Listing
from tests.conformance.backends import fake_pool
from tests.integration.api.tables import Api
from tests.kit.memory_store import MemoryEventStore

SECRET = b"a secret of the tests that nobody uses anywhere else"


@asynccontextmanager
async def memory_application(store: Any = None) -> AsyncIterator[Application]:
    log = store or MemoryEventStore()
    reader = MatchReader(log)
    service = MatchService(log, reader, present_instant)
    server = fakeredis.FakeServer()
    client, lists = fakeredis.FakeAsyncRedis(server=server), Connections(fake_pool(server), Patience())
    identity = Identity(SECRET, client)
    # What a process has beyond this is of no use to its doors.
    unused: dict[str, Any] = dict.fromkeys(Application.__struct_fields__)
    parts = {"store": log, "reader": reader, "service": service, "identity": identity}
    parts |= {"digests": Digests(FolderStorage(Path("/no such folder")))}
    names, persons, memberships = PlayerNames(client), Persons(client), Memberships(client)
    sessions = Sessions(SECRET, client, persons, memberships, names)
    parts |= {"sessions": sessions, "names": names, "persons": persons, "memberships": memberships}
    contacts = Contacts(SECRET, client)
    parts["contacts"] = contacts
    kinds = dossier_kinds(client, persons, memberships, sessions, contacts)
    parts["dossiers"] = Dossiers(persons, memberships, kinds, Leaving(service, reader))
    clubs = Clubs(client)
    parts |= {"clubs": clubs, "tables_of_clubs": TablesOfClubs(reader, clubs.tables)}
    parts |= {"operators": Operators(client), "counts": Counts()}
    look = RedisPart(lists, Keyspace(log.shards)).look
    parts |= {"guard": WriteGuard()}
    parts |= {"log_client": client, "listing": Listing(look, log.shards)}
    yield Application(**{**unused, **parts, "bots": BotPlayer(service, reader, identity)})
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
