"""A bucket for tests: the part of S3 that an archive needs, over loopback HTTP, in this process."""

import hashlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit
from xml.sax.saxutils import escape

_PAGE = 3
"""Names per answer: few, so that a listing takes several."""


class Bucket:
    """A bucket's content, and the address where it answers.

    Attributes:
        objects: Content by name.
        refusing: Whether it answers everything with 403.
    """

    def __init__(self, address: str) -> None:
        self.address = address
        self.objects: dict[str, bytes] = {}
        self.refusing = False


@contextmanager
def running_bucket() -> Iterator[Bucket]:
    """Run a store with one bucket."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    bucket = Bucket(f"http://127.0.0.1:{server.server_address[1]}")
    server.bucket = bucket  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    try:
        yield bucket
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Any

    def do_PUT(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        name = self._name()
        if self._refused():
            return
        if self.headers.get("If-None-Match") == "*" and name in self.server.bucket.objects:
            self._answer(412, b"<Error><Code>PreconditionFailed</Code></Error>")
            return
        self.server.bucket.objects[name] = content
        self._answer(200, b"", ETag=_tag(content))

    def do_GET(self) -> None:
        if self._refused():
            return
        query = parse_qs(urlsplit(self.path).query)
        if "list-type" in query:
            self._answer(200, self._listed(query))
            return
        content = self.server.bucket.objects.get(self._name())
        if content is None:
            self._answer(404, b"<Error><Code>NoSuchKey</Code></Error>")
        else:
            self._answer(200, content, ETag=_tag(content), Last_Modified="Sun, 29 Nov 2026 12:00:00 GMT")

    def _listed(self, query: dict[str, list[str]]) -> bytes:
        prefix = query.get("prefix", [""])[0]
        after = query.get("continuation-token", [""])[0]
        names = sorted(
            name for name in self.server.bucket.objects if name.startswith(prefix) and name > after
        )
        rows = "".join(
            f"<Contents><Key>{escape(name)}</Key><LastModified>2026-11-29T12:00:00.000Z</LastModified>"
            f"<ETag>x</ETag><Size>{len(self.server.bucket.objects[name])}</Size></Contents>"
            for name in names[:_PAGE]
        )
        more = len(names) > _PAGE
        token = f"<NextContinuationToken>{escape(names[_PAGE - 1])}</NextContinuationToken>" if more else ""
        return (
            f"<ListBucketResult><IsTruncated>{str(more).lower()}</IsTruncated>{token}{rows}</ListBucketResult>"
        ).encode()

    def _name(self) -> str:
        return unquote(urlsplit(self.path).path).removeprefix("/club/")

    def _refused(self) -> bool:
        if self.server.bucket.refusing:
            self._answer(403, b"<Error><Code>AccessDenied</Code></Error>")
        return bool(self.server.bucket.refusing)

    def _answer(self, status: int, content: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: Any) -> None:
        """Log nothing."""


def _tag(content: bytes) -> str:
    return f'"{hashlib.sha256(content).hexdigest()}"'
