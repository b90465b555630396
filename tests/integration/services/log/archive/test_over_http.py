"""A match that has gone to the archive looks over HTTP as it did before; and digests are to be had there."""

import hashlib
import random
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast
from xml.etree import ElementTree as ET

import httpx
import msgspec
import pytest

from api.application import create_app
from domain.chain import genesis
from domain.games.registry import CURRENT
from services.audit.digests import DigestMaker, Digests
from services.bootstrap import present_instant
from services.bootstrap.parts import Application
from services.log.archive.archivist import Archivist
from services.log.archive.closed_matches import ClosedMatches
from services.log.archive.folder import FolderStorage
from services.log.archive.log_with_archive import LogWithArchive
from services.log.archive.shelf import Archive
from services.process.settings import Settings
from tests.integration.api.conftest import durable, memory_application, started
from tests.integration.api.tables import Api, Table, fresh_key
from tests.kit.games import every_key
from tests.kit.memory_store import MemoryEventStore
from tests.kit.options import shortest


class Served:
    """An API over a log with an archive behind it."""

    def __init__(self, folder, client) -> None:
        self.store = MemoryEventStore()
        self.archive = Archive(FolderStorage(folder))
        self.log = LogWithArchive(self.store, self.archive)
        self.closed = ClosedMatches(client, 16)
        self.archivist = Archivist(self.store, self.archive, self.closed, present_instant)
        self.digests = Digests(self.archive.storage)
        self.maker = DigestMaker(self.log, self.digests, self.closed, present_instant)


@asynccontextmanager
async def running(served: Served) -> AsyncIterator[Api]:
    @asynccontextmanager
    async def opening() -> AsyncIterator[Application]:
        async with memory_application(served.log) as parts:
            yield msgspec.structs.replace(parts, digests=served.digests)

    app = create_app(Settings(), opening, durable)
    async with started(app):
        door = httpx.ASGITransport(app=cast("Any", app), raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=door, base_url="http://tablee.test") as client:
            yield Api(client, app)


@pytest.fixture
def served(folder, house):
    return Served(folder, house.client)


async def seen(api: Api, table: Table, version: int) -> dict[str, tuple[int, bytes]]:
    """Everything that can be asked about a match, as it was answered."""
    paths = [
        "",
        "/events",
        "/events?after=7&limit=5",
        "/events?format=ndjson",
        "/replay",
        "/replay?as=seat1",
        "/difference?before=2",
        *(f"/at/{number}" for number in range(1, version + 1)),
        f"/at/{version}?as=seat0",
        f"/at/{version + 1}",
    ]
    found = {}
    for path in paths:
        answer = await api.get(f"{table.path}{path}")
        content = answer.content if answer.is_success else answer.json()["code"].encode()
        found[path] = answer.status_code, content
    return found


@every_key
async def test_an_archived_match_answers_as_before(served, game):
    async with running(served) as api:
        made_key = fresh_key()
        body = {"game": game, "seats": [{}, {}], "options": shortest(CURRENT[game])}
        made = await api.post("/matches", key=made_key, json=body)
        table = Table(api, made.json()["match"], made.json()["host_token"], game)
        await table.begin()
        version = (await table.play_out(random.Random(3)))["version"]
        before = await seen(api, table, version)
        assert before[""][0] == 200
        await served.archivist.archive(table.id)
        assert await served.store.read(table.id) == []
        api.application.reader.forget(table.id)
        assert await seen(api, table, version) == before
        late = await table.move(0, {"type": "draw"}, version)
        assert late.status_code in {400, 410}
        for answer in (
            await api.post(f"{table.path}/resign", token=table.seats[0]),
            await api.post(f"{table.path}/abandon", token=table.host),
            await api.post(f"{table.path}/seats", key=fresh_key(), json={}),
            await api.post("/matches", key=made_key, json=body),
        ):
            assert (answer.status_code, answer.json()["code"]) == (410, "match.closed"), answer.text
        assert await served.store.read(table.id) == []


async def test_an_archive_that_is_away_is_told_as_such(served, folder):
    async with running(served) as api:
        table = await Table.started(api)
        await api.post(f"{table.path}/abandon", token=table.host)
        await served.archivist.archive(table.id)
        api.application.reader.forget(table.id)
        folder.rename(folder.with_name("away"))
        folder.write_bytes(b"")
        answer = await api.get(table.path)
        assert (answer.status_code, answer.json()["code"]) == (503, "archive.unavailable")


async def test_digests_are_to_be_had_byte_for_byte(served):
    async with running(served) as api:
        assert (await api.get("/digests")).json() == {"latest": 0, "digests": []}
        table = await Table.started(api)
        await served.closed.note_moved({table.id: 1})
        made = await served.maker.make()
        answer = await api.get("/digests/1")
        assert answer.headers["Content-Type"] == "application/x-ndjson"
        assert answer.headers["ETag"] == f'"{made.sha256}"'
        assert hashlib.sha256(answer.content).hexdigest() == made.sha256
        assert answer.content == await served.digests.content(1)
        again = await api.get("/digests/1", headers={"If-None-Match": answer.headers["ETag"]})
        assert again.status_code == 304
        (listed,) = (await api.get("/digests")).json()["digests"]
        assert (listed["digest"], listed["heads"], listed["sha256"]) == (1, 1, made.sha256)
        feed = ET.fromstring((await api.get("/digests.atom")).content)
        (entry,) = feed.findall("{http://www.w3.org/2005/Atom}entry")
        assert made.sha256 in "".join(entry.itertext())
        place = genesis(table.id).hex()
        assert (await api.get(f"/digests/1/{place}")).content == answer.content
        assert (await api.get(f"/digests/2/{place}")).json()["code"] == "digest.unknown"
        for wrong in ("3f", place[:-1], place.upper(), f"{place}0"):
            assert (await api.get(f"/digests/1/{wrong}")).json()["code"] == "digest.malformed"
        assert (await api.get("/digests/2")).json()["code"] == "digest.unknown"
        for number in ("0x1", "one", "1e3", "9" * 30):
            assert (await api.get(f"/digests/{number}")).status_code == 400
