"""Quick probes of ports: whether one is free, and whether HTTP answers on it, in half a second at most."""

import errno
import os
import socket
import sys

from api.supervision.errors import HostUnusable, PortTaken
from services.process.settings import SettingsError

_PATIENCE = 0.5


def require_free_port(host: str, port: int) -> None:
    """Make sure that this process can listen on a TCP port.

    Raises:
        HostUnusable: The host is not an address of this machine.
        PortTaken: Something else listens there, or this process may not.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        with socket.socket(family, kind, protocol) as attempt:
            # As servers do: without this, the port of a service stopped a minute ago would seem taken.
            attempt.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            attempt.bind(address)
            attempt.listen(1)
    except (OSError, UnicodeError) as error:
        if isinstance(error, socket.gaierror | UnicodeError) or error.errno == errno.EADDRNOTAVAIL:
            raise HostUnusable(host) from error
        raise PortTaken(host, port, _reason(error)) from error


def require_shared_ports() -> None:
    """Make sure that several processes can listen on one port, each for itself.

    Raises:
        SettingsError: This system does not give each of them its share of the connections.
    """
    if sys.platform != "linux":
        raise SettingsError(
            "Only Linux shares a port among processes: leave TABLEE_API_PROCESSES at 1, or start services on several "
            "ports behind a load balancer."
        )


def http_answers(host: str, port: int, path: str) -> bool:
    """Tell whether an HTTP server at an address, or a wildcard, answers a path with status 200. Raises nothing."""
    # By hand: the standard library's client would cost some megabytes for a single request line.
    target = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104 - compared, not bound
    request = f"GET {path} HTTP/1.1\r\nHost: {target}:{port}\r\nConnection: close\r\n\r\n"
    try:
        with socket.create_connection((target, port), timeout=_PATIENCE) as connection:
            connection.sendall(request.encode())
            status = connection.recv(64).split(b" ", 2)
    except OSError:
        return False
    return len(status) > 1 and status[1] == b"200"


def _reason(error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return "another program listens there"
    if error.errno == errno.EACCES:
        return "the system does not let this user listen there"
    return error.strerror or os.strerror(error.errno or 0)
