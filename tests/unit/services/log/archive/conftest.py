import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import fakeredis
import pytest
from fakeredis.aioredis import FakeRedis

from services.log.archive.archivist import Archivist
from services.log.archive.closed_matches import ClosedMatches
from services.log.archive.folder import FolderStorage
from services.log.archive.log_with_archive import LogWithArchive
from services.log.archive.shelf import Archive
from tests.kit.instants import FakeClock
from tests.kit.memory_store import MemoryEventStore


class House:
    """An installation: a store in memory, its archive in a folder, and what goes from one to the other."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.clock = FakeClock()
        self.store = MemoryEventStore()
        self.archive = Archive(FolderStorage(folder))
        self.log = LogWithArchive(self.store, self.archive)
        self.client = FakeRedis(server=fakeredis.FakeServer())
        self.closed = ClosedMatches(self.client, self.store.shards)
        self.archivist = Archivist(self.store, self.archive, self.closed, self.clock)

    def again(self) -> "House":
        """The same installation as a process finds it that has just been started."""
        other = House(self.folder)
        other.clock, other.store, other.client = self.clock, self.store, self.client
        other.log = LogWithArchive(other.store, other.archive)
        other.closed = ClosedMatches(other.client, other.store.shards)
        other.archivist = Archivist(other.store, other.archive, other.closed, other.clock)
        return other

    def files(self) -> list[Path]:
        return sorted(self.folder.rglob("*.gz"))


@pytest.fixture
async def house(tmp_path) -> AsyncIterator[House]:
    one = House(tmp_path / "archive")
    yield one
    await one.client.aclose()


@pytest.fixture
async def other_house(tmp_path) -> AsyncIterator[House]:
    one = House(tmp_path / "elsewhere")
    yield one
    await one.client.aclose()
    await asyncio.sleep(0)
