from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
import redis.asyncio

from services.archive.archivist import Archivist
from services.archive.closed_matches import ClosedMatches
from services.archive.folder import FolderPlace
from services.archive.log_with_archive import LogWithArchive
from services.archive.places import Place
from services.archive.shelf import Archive
from services.bootstrap import present_instant
from services.event_store.redis_store import RedisEventStore
from tests.conformance.backends import flushed, patient
from tests.conformance.servers import Server, running, valkey_program


class House:
    """An installation on a real server."""

    def __init__(self, store: RedisEventStore, client: "redis.asyncio.Redis", place: Place) -> None:
        self.store, self.client = store, client
        self.archive = Archive(place)
        self.log = LogWithArchive(store, self.archive)
        self.closed = ClosedMatches(client, store.shards)
        self.archivist = Archivist(store, self.archive, self.closed, present_instant)


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with running(valkey_program(), fsync="no") as one:
        yield one


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "archive"


@pytest.fixture
async def house(server, folder) -> AsyncIterator[House]:
    url = flushed(server, 0)
    store = await RedisEventStore.open(url, 4, patient())
    async with redis.asyncio.Redis.from_url(url) as client:
        yield House(store, client, FolderPlace(folder))
    await store.close()
