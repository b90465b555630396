"""Every test that asks for ``store`` runs on every store and with every number of shards.

A test marked ``backends(...)`` runs on those only; ``server`` is the real server behind the store, if there is one.
What has nothing to do with shards is tried with one number of them.
"""

from collections.abc import AsyncIterator, Iterator, Sequence

import pytest
from _pytest.mark.structures import ParameterSet

from services.log.event_store.contract import EventStore
from tests.conformance.backends import SHARDS, Backend, Open, opened
from tests.conformance.servers import Server, redis_program, running, valkey_program
from tests.kit.valkey_cluster import Cluster


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
    metafunc.parametrize(("backend", "shards"), _cases(backends, shards))


def _cases(backends: Sequence[Backend], shards: Sequence[int]) -> list[ParameterSet]:
    """Return the stores and numbers of shards; a cluster has no databases, and takes its time, so it has one number."""
    return [
        pytest.param(one, number, id=f"{one}-{number}")
        for one in backends
        for number in (shards[-1:] if one is Backend.CLUSTER else shards)
    ]


@pytest.fixture(scope="session")
def valkey() -> Iterator[Server]:
    with running(valkey_program()) as server:
        yield server


@pytest.fixture(scope="session")
def redis_7() -> Iterator[Server]:
    with running(redis_program()) as server:
        yield server


@pytest.fixture
def server(backend: Backend, request: pytest.FixtureRequest) -> Server | Cluster | None:
    names = {Backend.VALKEY: "valkey", Backend.REDIS: "redis_7", Backend.CLUSTER: "cluster"}
    return request.getfixturevalue(names[backend]) if backend in names else None


@pytest.fixture
async def open_store(backend: Backend, shards: int, server: Server | Cluster | None) -> AsyncIterator[Open]:
    async with opened(backend, shards, server) as open_once_more:
        yield open_once_more


@pytest.fixture
async def store(open_store: Open) -> EventStore:
    return await open_store()
