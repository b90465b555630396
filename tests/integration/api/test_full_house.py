"""A log that takes no writes: the house says that it is not ready, and people read why, over real servers."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import httpx
import msgspec
import pytest
import redis
import redis.asyncio
import structlog

from api.application import create_app
from domain.instants import Instant
from services.log.high_water_mark import HighWaterMark, HighWaterMarkFile
from services.process.settings import Settings
from services.watch.doctor.installation import judge_writes
from tests.conformance.backends import flushed
from tests.conformance.servers import Server, redis_program, running, valkey_program
from tests.integration.api.conftest import started
from tests.integration.api.tables import Api, Table
from tests.integration.api.test_problems import check_problem


@pytest.fixture(scope="module", params=["valkey", "redis"])
def server(request) -> Iterator[Server]:
    with running(valkey_program() if request.param == "valkey" else redis_program()) as one:
        yield one


@pytest.fixture
def settings(server, tmp_path) -> Settings:
    (tmp_path / "log").mkdir()
    return Settings(log_store_url=flushed(server, 0), data=str(tmp_path))


@asynccontextmanager
async def house(settings: Settings) -> AsyncIterator[Api]:
    app = create_app(settings)
    async with started(app):
        door = httpx.ASGITransport(app=app, raise_app_exceptions=False)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=door, base_url="http://tablee.test") as client:
            yield Api(client, app)


def set_up(settings: Settings, *commands: tuple[str, ...]) -> None:
    with redis.Redis.from_url(settings.log_store_url or "") as client:
        for command in commands:
            client.execute_command(*command)


async def check_ready(api: Api, writes: str) -> None:
    answer = await api.client.get("/health/ready")
    assert answer.json()["writes"] == writes
    assert answer.json()["ready"] is (writes == "ok")
    assert answer.status_code == (200 if writes == "ok" else 503)


async def check_refused(api: Api, table: Table, code: str) -> None:
    seat, view = await table.turn()
    answer = await table.move(seat, {"type": "quit"}, view["version"])
    told = check_problem(answer, 503, code)
    assert "answer" not in told["detail"]
    assert answer.headers["Retry-After"] == "30"
    assert (await api.get(table.path)).json()["version"] == view["version"]


FULL = (("CONFIG", "SET", "maxmemory", "1"),)
ROOM = (("CONFIG", "SET", "maxmemory", "0"),)
REPLICA = (("REPLICAOF", "127.0.0.1", "1"),)
MASTER = (("REPLICAOF", "NO", "ONE"),)


@pytest.mark.parametrize(
    ("break_it", "mend_it", "code"),
    [(FULL, ROOM, "store.full"), (REPLICA, MASTER, "store.read_only")],
    ids=["full", "replica"],
)
async def test_a_server_that_takes_no_writes(settings, break_it, mend_it, code):
    async with house(settings) as api:
        table = await Table.started(api)
        await check_ready(api, "ok")
        set_up(settings, *break_it)
        try:
            with structlog.testing.capture_logs() as lines:
                await check_ready(api, code)
                await check_ready(api, code)
            (line,) = [line for line in lines if line["event"] == "log_takes_no_writes"]
            assert (line["log_level"], line["code"]) == ("error", code)
            await check_refused(api, table, code)
        finally:
            set_up(settings, *mend_it)
        await check_ready(api, "ok")
        seat, view = await table.turn()
        assert (await table.move(seat, {"type": "quit"}, view["version"])).status_code == 200


async def test_asking_whether_the_house_is_ready_writes_nothing(settings):
    async with house(settings) as api:
        with redis.Redis.from_url(settings.log_store_url or "") as client:
            before = set(client.scan_iter()), client.info("persistence")["aof_current_size"]
            await check_ready(api, "ok")
            assert (set(client.scan_iter()), client.info("persistence")["aof_current_size"]) == before


async def test_a_full_disk_is_told_before_the_server_ends_of_it(settings, monkeypatch):
    async with house(settings) as api:
        table = await Table.started(api)
        monkeypatch.setattr("services.log.write_guard.LEAST_BYTES", 1 << 62)
        monkeypatch.setattr("services.log.write_guard._LOOKED_AT_EVERY", 0.0)
        await check_ready(api, "store.full")
        await check_refused(api, table, "store.full")
        monkeypatch.undo()


async def test_an_older_store_that_was_put_back(settings, tmp_path):
    async with house(settings) as api:
        table = await Table.started(api)
    mark = HighWaterMarkFile(tmp_path, settings.log_store_url or "")
    mark.note(dict.fromkeys(range(16), 1000), Instant("2026-11-29T20:00:00.000Z"))
    async with house(settings) as api:
        await check_ready(api, "store.went_back")
        table.api = api
        await check_refused(api, table, "store.went_back")
    assert isinstance(noted := mark.read(), HighWaterMark)
    assert noted.went_back is not None
    mark.file.unlink()
    async with house(settings) as api:
        await check_ready(api, "ok")


async def test_who_accepts_weak_durability_may_go_on_with_an_older_store(settings, tmp_path):
    mark = HighWaterMarkFile(tmp_path, settings.log_store_url or "")
    mark.note(dict.fromkeys(range(16), 1000), Instant("2026-11-29T20:00:00.000Z"))
    async with house(msgspec.structs.replace(settings, accept_weak_durability=True)) as api:
        await check_ready(api, "ok")


async def test_it_is_told_in_the_language_of_who_asks(settings):
    async with house(settings) as api:
        table = await Table.started(api)
        set_up(settings, *FULL)
        try:
            seat, view = await table.turn()
            answer = await table.move(
                seat, {"type": "quit"}, view["version"], headers={"Accept-Language": "fr"}
            )
        finally:
            set_up(settings, *ROOM)
        assert "La maison est pleine" in answer.json()["detail"]


@pytest.mark.parametrize(
    ("break_it", "mend_it", "code"), [(FULL, ROOM, "store.full"), (REPLICA, MASTER, "store.read_only")]
)
async def test_the_doctor_says_the_same(settings, break_it, mend_it, code):
    set_up(settings, *break_it)
    try:
        async with redis.asyncio.Redis.from_url(settings.log_store_url or "") as client:
            (found,) = await judge_writes(client)
    finally:
        set_up(settings, *mend_it)
    assert found.code == code
