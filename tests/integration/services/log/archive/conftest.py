from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path

import pytest
import redis.asyncio
from click.testing import CliRunner, Result

from api.command_line.main import cli
from services.bootstrap import present_instant
from services.log.archive.archivist import Archivist
from services.log.archive.closed_matches import ClosedMatches
from services.log.archive.folder import FolderStorage
from services.log.archive.log_with_archive import LogWithArchive
from services.log.archive.shelf import Archive
from services.log.archive.storage import Storage
from services.log.event_store.redis_store import RedisEventStore
from tests.conformance.backends import flushed, patient
from tests.conformance.servers import Server, running, valkey_program
from tests.kit.environment import settings_named

Tablee = Callable[..., Result]


@pytest.fixture
def tablee_at(monkeypatch) -> Callable[[Path], Tablee]:
    """Makes what runs a command in this process on a data folder, whatever the environment says."""
    for name in settings_named():
        monkeypatch.delenv(name)

    def at(folder: Path) -> Tablee:
        def run(*arguments: object, code: int = 0) -> Result:
            given = [*map(str, arguments), "--data", str(folder)]
            result = CliRunner().invoke(cli, given, catch_exceptions=False)
            assert result.exit_code == code, result.output
            return result

        return run

    return at


class House:
    """An installation on a real server."""

    def __init__(self, store: RedisEventStore, client: "redis.asyncio.Redis", storage: Storage) -> None:
        self.store, self.client = store, client
        self.archive = Archive(storage)
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
        yield House(store, client, FolderStorage(folder))
    await store.close()
