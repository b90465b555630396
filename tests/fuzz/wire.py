"""HTTP by hand, one request at a time, so that anything at all can be sent."""

import contextlib
import socket
from typing import Final

import msgspec

PATIENCE: Final = 15.0
"""Seconds after which a service without an answer counts as not answering."""

_LISTEN: Final = 0.15
"""Seconds to listen to a stream on which nothing more comes."""

Headers = list[tuple[bytes, bytes]]


class Wired(msgspec.Struct):
    """A request as it goes over the line.

    Attributes:
        method: The method.
        target: Path and query.
        headers: In order; ``Host`` and the body's length are added where needed.
        body: The body.
        chunks: The most bytes per chunk of the body; 0 for a body in one piece.
        length: A false ``Content-Length``; None for the true one.
    """

    method: bytes
    target: bytes
    headers: Headers
    body: bytes = b""
    chunks: int = 0
    length: bytes | None = None

    def written(self) -> bytes:
        """Return all bytes."""
        names = {name.lower() for name, _ in self.headers}
        head = list(self.headers)
        if b"host" not in names:
            head.insert(0, (b"Host", b"127.0.0.1"))
        if self.chunks:
            head.append((b"Transfer-Encoding", b"chunked"))
        elif self.body or self.length is not None or self.method in {b"POST", b"PUT", b"PATCH"}:
            head.append((b"Content-Length", self.length or str(len(self.body)).encode()))
        lines = [b"%b %b HTTP/1.1" % (self.method, self.target)]
        lines += [b"%b: %b" % pair for pair in head]
        return b"\r\n".join([*lines, b"", self._body()])

    def _body(self) -> bytes:
        if not self.chunks:
            return self.body
        pieces = [self.body[at : at + self.chunks] for at in range(0, len(self.body), self.chunks)]
        return b"".join(b"%x\r\n%b\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


class Reply(msgspec.Struct):
    """An answer. Status 0: the connection was closed without one; -1: none came in time."""

    status: int
    headers: Headers = []
    body: bytes = b""

    def header(self, name: bytes) -> bytes:
        """Return a header; empty if it is not there."""
        return next((value for key, value in self.headers if key == name), b"")

    @property
    def text(self) -> str:
        return self.body.decode(errors="replace")


class Line:
    """A connection that is reopened if it was closed."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._socket: socket.socket | None = None
        self._read = b""

    def ask(self, wired: Wired) -> Reply:
        """Send a request and return the answer."""
        fresh = self._socket is None
        reply = self._tried(wired)
        if reply.status == 0 and not fresh and not reply.headers:
            # The connection may have been closed before: try again on a new one.
            reply = self._tried(wired)
        return reply

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
        self._socket, self._read = None, b""

    def _tried(self, wired: Wired) -> Reply:
        if self._socket is None:
            self._socket = socket.create_connection(("127.0.0.1", self._port), PATIENCE)
        try:
            # A server that refuses a large body may answer and close before all of it was sent.
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                self._socket.sendall(wired.written())
                if wired.length is not None:
                    self._socket.shutdown(socket.SHUT_WR)
            reply, goes_on = self._answer(wired.method == b"HEAD")
        except TimeoutError:
            reply, goes_on = Reply(-1), False
        except (OSError, EOFError):
            reply, goes_on = Reply(0), False
        if not goes_on or wired.length is not None or self._read:
            self.close()
        return reply

    def _answer(self, is_head: bool) -> tuple[Reply, bool]:
        status, headers = self._head()
        while 100 <= status < 200:
            status, headers = self._head()
        reply = Reply(status, headers)
        goes_on = reply.header(b"connection").lower() != b"close"
        if is_head or status in {204, 304}:
            return reply, goes_on
        if reply.header(b"content-type").startswith(b"text/event-stream"):
            reply.body = self._listened()
            return reply, False
        if reply.header(b"transfer-encoding").lower() == b"chunked":
            reply.body = self._chunks()
        elif reply.header(b"content-length"):
            reply.body = self._exactly(int(reply.header(b"content-length")))
        else:
            goes_on = False
            reply.body = self._rest()
        return reply, goes_on

    def _head(self) -> tuple[int, Headers]:
        lines = self._until(b"\r\n\r\n").split(b"\r\n")
        pairs = (line.partition(b":") for line in lines[1:] if line)
        return int(lines[0].split(b" ")[1]), [(name.lower(), value.strip()) for name, _, value in pairs]

    def _chunks(self) -> bytes:
        pieces = []
        while size := int(self._until(b"\r\n").partition(b";")[0], 16):
            pieces.append(self._exactly(size))
            self._exactly(2)
        self._until(b"\r\n")
        return b"".join(pieces)

    def _listened(self) -> bytes:
        assert self._socket is not None
        self._socket.settimeout(_LISTEN)
        with contextlib.suppress(TimeoutError, EOFError):
            while len(self._read) < 200_000:
                self._more()
        return self._read

    def _until(self, mark: bytes) -> bytes:
        while mark not in self._read:
            self._more()
        found, _, self._read = self._read.partition(mark)
        return found

    def _exactly(self, size: int) -> bytes:
        while len(self._read) < size:
            self._more()
        found, self._read = self._read[:size], self._read[size:]
        return found

    def _rest(self) -> bytes:
        with contextlib.suppress(EOFError):
            while True:
                self._more()
        found, self._read = self._read, b""
        return found

    def _more(self) -> None:
        assert self._socket is not None
        piece = self._socket.recv(65_536)
        if not piece:
            raise EOFError
        self._read += piece
