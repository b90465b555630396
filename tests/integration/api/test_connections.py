"""Connections of one address: they end when nothing comes, and beyond its share at once. Nobody else is shut out."""

import contextlib
import resource
import socket
import time

import httpx
import pytest

from tests.integration.api.serving import serving

SHARE = 40
IDLE = 2


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with serving(
        tmp_path_factory.mktemp("connections"),
        TABLEE_ADDRESS_CONNECTIONS=str(SHARE),
        TABLEE_IDLE_SECONDS=str(IDLE),
    ) as running:
        yield running


@pytest.fixture
def silent(server):
    """Opens connections on which nothing is sent."""
    with contextlib.ExitStack() as opened:

        def connect(count: int) -> list[socket.socket]:
            address = ("127.0.0.1", server.port)
            return [
                opened.enter_context(contextlib.closing(socket.create_connection(address, timeout=20)))
                for _ in range(count)
            ]

        yield connect


def ended(connection: socket.socket) -> bool:
    with contextlib.suppress(ConnectionResetError):
        return connection.recv(1) == b""
    return True


def test_a_connection_on_which_nothing_comes_ends(silent):
    begun = time.monotonic()
    connections = silent(3)
    connections[1].sendall(b"GET /health/live HTTP/1.1\r\nHo")
    assert all(map(ended, connections))
    assert time.monotonic() - begun < 5 * IDLE


def test_beyond_its_share_the_silent_connections_of_an_address_end_and_the_service_goes_on(server, silent):
    # More than the server lets in at once, where this system lets one process have so many.
    most = min(4400, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 500)
    with httpx.Client(base_url=server.url, timeout=10) as honest:
        assert honest.get("/health/live").status_code == 200
        connections = silent(most)
        begun = time.monotonic()
        assert httpx.get(f"{server.url}/health/live", timeout=10).status_code == 200
        assert honest.get("/health/live").status_code == 200
        assert time.monotonic() - begun < 5
    assert all(map(ended, connections))
    assert "connections_ended" in server.said()


def test_a_stream_does_not_end_for_want_of_another_request(server):
    made = httpx.post(
        f"{server.url}/api/v1/matches",
        json={"game": "lama", "seats": [{}, {}]},
        headers={"Idempotency-Key": "k" * 32},
    ).json()
    with httpx.stream(
        "GET",
        f"{server.url}/api/v1/matches/{made['match']}/stream",
        headers={"Authorization": f"Bearer {made['host_token']}"},
        timeout=20,
    ) as stream:
        lines = stream.iter_lines()
        next(lines)
        time.sleep(2 * IDLE)
        httpx.post(
            f"{server.url}/api/v1/matches/{made['match']}/seats",
            json={"seat": 0},
            headers={"Idempotency-Key": "s" * 32},
        ).raise_for_status()
        assert any("SeatTaken" in line for line in lines)
