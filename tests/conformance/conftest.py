"""Every test that asks for ``store`` runs on every store and with every number of shards.

A test marked ``backends(...)`` runs on those only; ``server`` is the real server behind the store, if there is one.
What has nothing to do with shards is tried with one number of them.
"""

from collections.abc import AsyncIterator, Iterator

import pytest

from services.log.event_store.contract import EventStore
from tests.conformance.backends import SHARDS, Backend, Open, opened
from tests.conformance.servers import Server, redis_program, running, valkey_program


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line(
        "markers",
        "backends(*backends, shards=...): the stores and numbers of shards with which this test runs",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "backend" not in metafunc.fixturenames:
        return
    marker = metafunc.definition.get_closest_marker("backends")
    backends = (marker.args if marker else ()) or tuple(Backend)
    shards = marker.kwargs.get("shards", SHARDS) if marker else SHARDS
    metafunc.parametrize(
        ("backend", "shards"), [pytest.param(one, n, id=f"{one}-{n}") for one in backends for n in shards]
    )


@pytest.fixture(scope="session")
def valkey() -> Iterator[Server]:
    with running(valkey_program()) as server:
        yield server


@pytest.fixture(scope="session")
def redis_7() -> Iterator[Server]:
    with running(redis_program()) as server:
        yield server


@pytest.fixture
def server(backend: Backend, request: pytest.FixtureRequest) -> Server | None:
    names = {Backend.VALKEY: "valkey", Backend.REDIS: "redis_7"}
    return request.getfixturevalue(names[backend]) if backend in names else None


@pytest.fixture
async def open_store(backend: Backend, shards: int, server: Server | None) -> AsyncIterator[Open]:
    async with opened(backend, shards, server) as open_once_more:
        yield open_once_more


@pytest.fixture
async def store(open_store: Open) -> EventStore:
    return await open_store()
