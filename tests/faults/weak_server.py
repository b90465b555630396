"""A log's server that may lose acknowledged data, and what the service says about it."""

import contextlib
import http.client
from collections.abc import Iterator

from redis import Redis

from tests.faults.running_service import RunningService
from tests.faults.waiting import until_true

WEAK = (("appendfsync", "everysec", "fsync_not_always"), ("maxmemory-policy", "allkeys-lru", "evicts"))
"""Setting, weak value, and the code of the problem."""


@contextlib.contextmanager
def configured(url: str, *settings: tuple[str, str]) -> Iterator[None]:
    """Change a server's settings while the block runs."""
    with Redis.from_url(url) as client:
        before = [(setting, client.config_get(setting)[setting]) for setting, _ in settings]
        for setting, value in settings:
            client.config_set(setting, value)
        yield
        for setting, value in before:
            client.config_set(setting, value)


def require_refusal_when_it_becomes_weak(service: RunningService) -> None:
    for setting, value, problem in WEAK:
        assert "tablee-durability" not in headers_of(service, "/api/v1/games")
        with configured(service.log_store_url, (setting, value)):
            # Answers warn even if nobody asks for readiness.
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


def headers_of(service: RunningService, path: str) -> dict[str, str]:
    connection = http.client.HTTPConnection("127.0.0.1", service.port, timeout=10)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        return {name.lower(): value for name, value in answer.getheaders()}
    finally:
        connection.close()
