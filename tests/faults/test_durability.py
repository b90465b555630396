"""A log's server that may lose what it has acknowledged is refused; who accepts it is told so with every answer."""

import contextlib
import http.client
from collections.abc import Iterator

import pytest
from redis import Redis

from tests.conformance.servers import Server, redis_program, running, valkey_program
from tests.faults.door import Door
from tests.faults.ledger import Ledger
from tests.faults.running_service import RunningService
from tests.faults.waiting import until_true

WEAK = (("appendfsync", "everysec", "fsync_not_always"), ("maxmemory-policy", "allkeys-lru", "evicts"))

pytestmark = pytest.mark.timeout(240)


@contextlib.contextmanager
def configured(server: Server, *settings: tuple[str, str]) -> Iterator[None]:
    """Give a server other settings for as long as the block runs."""
    with Redis.from_url(server.url()) as client:
        before = [(setting, client.config_get(setting)[setting]) for setting, _ in settings]
        for setting, value in settings:
            client.config_set(setting, value)
        yield
        for setting, value in before:
            client.config_set(setting, value)


@pytest.mark.parametrize(("setting", "value", "problem"), WEAK, ids=[value for _, value, _ in WEAK])
def test_it_is_refused_at_the_start(tmp_path, setting, value, problem):
    del problem
    with running(valkey_program()) as server, configured(server, (setting, value)):
        service = RunningService(tmp_path, "--redis", server.url())
        service.start(wait=False)
        assert service.wait() == 2
    told = service.log.read_text()
    assert f"may lose acknowledged moves ({setting} {value}: Set `{setting} " in told
    assert "TABLEE_ACCEPT_WEAK_DURABILITY=true" in told


def test_it_is_refused_by_readiness_when_it_becomes_so(tmp_path):
    with running(redis_program()) as server, RunningService(tmp_path, "--redis", server.url()) as service:
        for setting, value, problem in WEAK:
            assert "tablee-durability" not in headers_of(service, "/api/v1/games")
            with configured(server, (setting, value)):
                # Answers warn even if nobody asks for the readiness.
                until_true(
                    lambda: headers_of(service, "/api/v1/games").get("tablee-durability") == "weak",
                    seconds=20,
                    what="an answer that warns",
                )
                told = service.readiness()
                assert told is not None
                assert (told["status"], told["ready"], told["log"]) == (503, False, "ok")
                assert told["durability"]["durable"] == "no"
                (point,) = told["durability"]["problems"]
                assert (point["code"], point["found"]) == (problem, f"{setting} {value}")
                assert f"Set `{setting} " in point["remedy"]
            until_true(service.is_ready, seconds=20, what="a readiness of 200")


def test_who_accepts_it_is_told_with_every_answer(tmp_path):
    accepted = {"TABLEE_ACCEPT_WEAK_DURABILITY": "true"}
    with (
        running(redis_program()) as server,
        configured(server, *((setting, value) for setting, value, _ in WEAK)),
        RunningService(tmp_path, "--redis", server.url(), **accepted) as service,
    ):
        told = service.readiness()
        assert told is not None
        assert (told["status"], told["ready"], told["durability_accepted"]) == (200, True, True)
        problems = {point["code"] for point in told["durability"]["problems"]}
        assert problems == {problem for *_, problem in WEAK}

        for path in (
            "/health/live",
            "/health/ready",
            "/api/v1/games",
            "/api/v1/matches/none",
            "/nowhere",
            "/",
        ):
            assert headers_of(service, path)["tablee-durability"] == "weak", path

        ledger = Ledger()
        with contextlib.closing(Door(service.port, ledger)) as door:
            made = door.make("/matches", {"game": "lama", "seats": [{}, {"bot": "steady"}]})
            taken = door.make(f"/matches/{made['match']}/seats", {})
            door.command(made["match"], "ready", taken["seat_token"], {})
            door.command(made["match"], "start", made["host_token"], {})
        assert set(ledger.durability) == {"weak"}


def headers_of(service: RunningService, path: str) -> dict[str, str]:
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=10)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        return {name.lower(): value for name, value in answer.getheaders()}
    finally:
        connection.close()
