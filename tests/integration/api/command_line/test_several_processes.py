"""``tablee up`` with several processes of the API and of the loops: one port, one count, and nobody missed who dies."""

import os
import re
import signal
import socket

import httpx
import pytest

from services.log.embedded.running import find_running
from tests.integration.api.command_line.conftest import until


@pytest.fixture
def port():
    with socket.socket() as attempt:
        attempt.bind(("127.0.0.1", 0))
        return attempt.getsockname()[1]


def counted(url: str) -> int:
    """How many times the games were listed, by whichever process answers."""
    text = httpx.get(f"{url}/metrics", timeout=20).text
    series = r'^tablee_http_requests_total\{method="GET",route="/api/v1/games",.*\} (\S+)'
    found = re.findall(series, text, re.MULTILINE)
    return int(sum(map(float, found)))


def test_they_share_a_port_and_their_counts_and_outlive_each_other(start, data, port):
    more = {"TABLEE_API_PROCESSES": "2", "TABLEE_LOOP_PROCESSES": "2"}
    process = start(data, "up", "--data", data, "--port", port, **more)
    process.wait_until_it_runs()

    def pids() -> dict[str, int]:
        running = find_running(data)
        assert running is not None
        return dict(running.pids)

    until(lambda: {"API", "API 2", "loops", "loops 2"} <= pids().keys(), "all of them run")
    url = f"http://127.0.0.1:{port}"

    def ask(times: int) -> None:
        for _ in range(times):
            # Each on a connection of its own, which the kernel gives to one of the two.
            assert httpx.get(f"{url}/api/v1/games", timeout=20).status_code == 200

    who: set[str] = set()

    def both_answer() -> bool:
        text = httpx.get(f"{url}/metrics", timeout=20).text
        who.update(re.findall(r"^process_start_time_seconds (\S+)", text, re.MULTILINE))
        return len(who) == 2

    until(both_answer, "both answer")
    ask(20)
    until(lambda: {counted(url) for _ in range(6)} == {20}, "each tells what both counted")

    killed = pids()["API"]
    os.kill(killed, signal.SIGKILL)
    until(lambda: pids().get("API") not in {None, killed}, "it is started again")
    ask(10)
    status, _, errors = process.end(signal.SIGTERM)
    assert status == 0, errors
