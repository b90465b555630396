import socket
import threading
from collections.abc import Iterator

import pytest

from api.supervision.errors import HostUnusable, PortTaken
from api.supervision.probes import http_answers, require_free_port


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def port_of(server: socket.socket) -> int:
    port: int = server.getsockname()[1]
    return port


def test_a_free_port_is_fine_and_stays_free(listener):
    port = port_of(listener)
    listener.close()
    require_free_port("127.0.0.1", port)
    require_free_port("127.0.0.1", port)


@pytest.mark.parametrize("host", ["127.0.0.1", "0.0.0.0", "localhost"])
def test_a_taken_port_is_named_with_the_way_out(listener, host):
    with pytest.raises(PortTaken, match=r"another program listens there.*--port") as refusal:
        require_free_port(host, port_of(listener))
    assert (refusal.value.host, refusal.value.port) == (host, port_of(listener))
    assert str(port_of(listener)) in str(refusal.value)


def test_an_address_of_another_machine_is_refused():
    # 192.0.2.0/24 is reserved for examples: no machine has it.
    with pytest.raises(HostUnusable, match=r"192\.0\.2\.1 is not an address of this machine"):
        require_free_port("192.0.2.1", 8000)


def test_a_name_that_nobody_knows_is_refused():
    with pytest.raises(HostUnusable, match=r"no-such-host\.invalid is not an address.*--host"):
        require_free_port("no-such-host.invalid", 8000)


@pytest.mark.parametrize(("status", "expected"), [("200 OK", True), ("503 Service Unavailable", False)])
def test_only_a_200_counts_as_an_answer(listener, status, expected):
    asked = []

    def serve() -> None:
        connection, _ = listener.accept()
        with connection:
            asked.append(connection.recv(1000).split(b"\r\n")[0])
            connection.sendall(f"HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n".encode())

    server = threading.Thread(target=serve)
    server.start()
    assert http_answers("0.0.0.0", port_of(listener), "/health/ready") is expected
    server.join()
    assert asked == [b"GET /health/ready HTTP/1.1"]


def test_no_server_is_no_answer(listener):
    port = port_of(listener)
    listener.close()
    assert not http_answers("127.0.0.1", port, "/")
