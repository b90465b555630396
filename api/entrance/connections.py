"""A share of the connections for each address, so that nobody who opens thousands shuts others out.

The server accepts connections by itself and has one limit for all. This watch looks at the sockets of its own process
and ends those that an address has beyond its share, silent ones first. The server need not help: to it, the client has
gone away.
"""

import asyncio
import os
import socket
from collections import defaultdict
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from typing import Final, NamedTuple

import structlog

from services.process.addresses import Addresses, name_of

_log = structlog.get_logger(__name__)

LOOK_EVERY: Final = 0.5
"""Seconds between two looks. An honest client may wait this long while somebody fills the server."""

_TELL_EVERY: Final = 60.0
"""Seconds between two lines in the service log about one address."""

_DESCRIPTORS: Final = "/dev/fd"
_BYTES_RECEIVED: Final = slice(128, 136)
"""Where Linux's ``struct tcp_info`` has the number of bytes received."""


class _Connection(NamedTuple):
    is_silent: bool
    descriptor: int
    address: str


class ConnectionWatch:
    """Ends the connections that an address has beyond its share.

    Trusted proxies have no share, because everybody comes through them.
    """

    def __init__(self, port: int, share: int, addresses: Addresses) -> None:
        self._port = port
        self._share = share
        self._addresses = addresses
        self._told: dict[str, float] = {}

    async def watch(self) -> None:
        """Look again and again, until cancelled."""
        while self._share:
            await asyncio.sleep(LOOK_EVERY)
            self.look()

    def look(self) -> int:
        """End all connections beyond the shares; return how many."""
        # Nearly always there are fewer sockets than one share: no need to look at any.
        names = os.listdir(_DESCRIPTORS)  # noqa: PTH208 - ten times as fast, and every half second
        if len(names) <= self._share:
            return 0
        by_address: dict[str, list[_Connection]] = defaultdict(list)
        for connection in self._connections(names):
            by_address[connection.address].append(connection)
        ended = 0
        for address, connections in by_address.items():
            beyond = sorted(connections, reverse=True)[: max(0, len(connections) - self._share)]
            count = sum(self._end(connection) for connection in beyond)
            if count:
                self._tell(address, count)
            ended += count
        return ended

    def _connections(self, names: Iterable[str]) -> Iterator[_Connection]:
        for name in names:
            with suppress(OSError, ValueError):
                descriptor = int(name)
                with closing(_socket_at(descriptor)) as found:
                    peer = self._peer_of(found)
                    if peer:
                        yield _Connection(_is_silent(found), descriptor, name_of(peer))

    def _peer_of(self, found: socket.socket) -> str:
        """Return the address at the other end of a client's connection; empty for any other socket."""
        if found.family not in {socket.AF_INET, socket.AF_INET6} or found.getsockname()[1] != self._port:
            return ""
        peer: str = found.getpeername()[0]
        return "" if self._addresses.trusts(peer) else peer

    def _end(self, connection: _Connection) -> bool:
        try:
            with closing(_socket_at(connection.descriptor)) as found:
                # The descriptor may belong to another socket by now.
                if name_of(self._peer_of(found)) != connection.address:
                    return False
                found.shutdown(socket.SHUT_RDWR)
        except OSError:
            return False
        return True

    def _tell(self, address: str, count: int) -> None:
        now = asyncio.get_running_loop().time()
        self._told = {one: at for one, at in self._told.items() if now - at < _TELL_EVERY}
        if address not in self._told:
            self._told[address] = now
            _log.warning("connections_ended", address=address, count=count, share=self._share)


def _socket_at(descriptor: int) -> socket.socket:
    """Return a copy of a socket of this process by its descriptor; the copy stays the same socket."""
    copy = os.dup(descriptor)
    try:
        # Fails for anything but a socket, which alone has a family.
        return socket.socket(fileno=copy)
    except OSError:
        os.close(copy)
        raise


def _is_silent(found: socket.socket) -> bool:
    """Tell whether nothing has come over a connection; False if the system does not say."""
    if not hasattr(socket, "TCP_INFO"):
        return False
    info = found.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _BYTES_RECEIVED.stop)
    return len(info) == _BYTES_RECEIVED.stop and not any(info[_BYTES_RECEIVED])
