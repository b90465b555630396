"""A source with everything that a backup must keep, and commands on it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
import redis
from click.testing import CliRunner, Result

from api.command_line.main import cli
from services.bootstrap import present_instant
from services.log import watched
from services.log.archive.archivist import Archivist
from services.log.archive.closed_matches import ClosedMatches
from services.log.archive.folder import FolderStorage
from services.log.archive.shelf import Archive
from services.log.event_store.contract import Status
from services.log.event_store.redis_store import RedisEventStore
from tests.conformance.backends import flushed, patient
from tests.conformance.servers import Server, redis_program, running, valkey_program
from tests.kit.environment import settings_named
from tests.kit.logs import finished, put
from tests.kit.logs import running as running_log

SECRET = "a secret of thirty-two characters"
TOKEN = "tb:people:token:5e"
SESSION = "tb:people:session:5e"

Tablee = Callable[..., Result]


class Source(NamedTuple):
    """An installation with one match that runs, one that is over, and one in the archive.

    Attributes:
        url: The log's server.
        data: The data folder, with archive and secret.
    """

    url: str
    data: Path


@pytest.fixture(scope="module", params=["valkey", "redis"])
def server(request) -> Iterator[Server]:
    program = valkey_program() if request.param == "valkey" else redis_program()
    with running(program, fsync="no") as one:
        yield one


@pytest.fixture
async def source(server, tmp_path) -> Source:
    url, data = flushed(server, 0), tmp_path / "here"
    data.mkdir()
    (data / "installation.secret").write_text(SECRET + "\n")
    store = await RedisEventStore.open(url, 4, patient())
    await put(store, "runs", running_log(), Status.OPEN)
    await put(store, "over", finished())
    await put(store, "shelved", finished(number=1))
    await store.record_refusal("runs", b'{"code":"no"}')
    async with redis.asyncio.Redis.from_url(url) as client:
        closed = ClosedMatches(client, store.shards)
        archive = Archive(FolderStorage(data / "archive"))
        await Archivist(store, archive, closed, present_instant).archive("shelved")
        await client.set(TOKEN, b"\xff anna", pxat=4_102_444_800_000)
        await client.set(watched.KEY, "2026-11-29T12:00:00.000Z")
        await client.hset(SESSION, mapping={"seat:runs": "x", "host:runs": "y"})
        await client.rpush("tb:some:list", "a", "b", "a")
        await client.sadd("tb:some:set", "a", "b")
        await client.zadd("tb:some:scores", {"a": 1.5, "b": 2})
        await client.xadd("tb:some:stream", {"f": "v"}, id="7-1")
    await store.close()
    return Source(url, data)


@pytest.fixture
def empty(server) -> str:
    return flushed(server, 1)


@pytest.fixture
def tablee(monkeypatch) -> Tablee:
    for name in settings_named():
        monkeypatch.delenv(name)

    def run(*arguments: object, code: int = 0) -> Result:
        result = CliRunner().invoke(cli, list(map(str, arguments)), catch_exceptions=False)
        assert result.exit_code == code, result.output
        return result

    return run


@pytest.fixture
def file(source, tmp_path, tablee) -> Path:
    """Return a backup of the source."""
    made: Path = tmp_path / "backup.tar"
    tablee("backup", made, "--data", source.data, "--redis", source.url)
    return made
