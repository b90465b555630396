"""A request as meant, in parts that can still be changed before it is written out."""

from typing import Any, Literal
from urllib.parse import quote_plus

import msgspec

from tests.fuzz.odd import Pairs, Verbatim
from tests.fuzz.wire import Headers, Wired

Door = Literal["api", "page"]
Fields = list[tuple[bytes, bytes]]


class Request(msgspec.Struct):
    """A request.

    Attributes:
        operation: Its name: the operation's in the document, or the page's.
        door: Which kind of refusal is expected: a problem document (``api``) or a page.
        method: Its method.
        path: The parts of its path, as sent.
        match: The match that it is about; empty for none.
        query: The fields of its query.
        headers: Its headers, except those of the body.
        json: Its body, JSON.
        form: Its body, a form.
        body: Its body, bytes; wins over the others.
        chunks: See :class:`Wired`.
        length: See :class:`Wired`.
        changed: The names of the changes made to it.
    """

    operation: str
    door: Door
    method: bytes
    path: list[bytes]
    match: str = ""
    query: Fields = []
    headers: Headers = []
    json: Any = msgspec.UNSET
    form: list[tuple[str, str]] | None = None
    body: bytes | None = None
    chunks: int = 0
    length: bytes | None = None
    changed: list[str] = []

    def header(self, name: bytes) -> bytes | None:
        """Return a header; None if it is not there."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    def set_header(self, name: bytes, value: bytes) -> None:
        """Set a header, replacing those with its name."""
        self.drop_header(name)
        self.headers.append((name, value))

    def drop_header(self, name: bytes) -> None:
        """Remove all headers with a name."""
        self.headers = [pair for pair in self.headers if pair[0].lower() != name.lower()]

    def wired(self) -> Wired:
        """Return it as it goes over the line."""
        target = b"/" + b"/".join(self.path)
        if self.query:
            target += b"?" + b"&".join(b"%b=%b" % pair if pair[1] else pair[0] for pair in self.query)
        return Wired(self.method, target, self.headers, self.content(), self.chunks, self.length)

    def content(self) -> bytes:
        """Return the body's bytes."""
        if self.body is not None:
            return self.body
        if self.form is not None:
            return "&".join(f"{_quoted(name)}={_quoted(value)}" for name, value in self.form).encode()
        return b"" if self.json is msgspec.UNSET else write_json(self.json)


def write_json(value: Any) -> bytes:
    """Return a value as JSON, or as something that looks like it."""
    if isinstance(value, Verbatim):
        return value.written
    if isinstance(value, dict):
        value = Pairs(tuple(value.items()))
    if isinstance(value, Pairs):
        return (
            b"{" + b",".join(write_json(key) + b":" + write_json(inner) for key, inner in value.pairs) + b"}"
        )
    if isinstance(value, list | tuple):
        return b"[" + b",".join(map(write_json, value)) + b"]"
    return msgspec.json.encode(value)


def api(
    operation: str, method: bytes, path: str, *, token: str = "", match: str = "", **more: Any
) -> Request:
    """Return a request to the API; ``path`` is relative to its base."""
    request = Request(operation, "api", method, _parts(f"/api/v1{path}"), match, **more)
    request.headers = [*request.headers]
    if token:
        request.headers.append((b"Authorization", b"Bearer " + token.encode()))
    if request.json is not msgspec.UNSET:
        request.headers.append((b"Content-Type", b"application/json"))
    return request


def page(
    operation: str, method: bytes, path: str, *, session: str = "", match: str = "", **more: Any
) -> Request:
    """Return a browser's request."""
    request = Request(operation, "page", method, _parts(path), match, **more)
    request.headers = [*request.headers]
    if session:
        request.headers.append((b"Cookie", b"tablee=" + session.encode()))
    if request.form is not None:
        request.headers.append((b"Content-Type", b"application/x-www-form-urlencoded"))
    return request


def _parts(path: str) -> list[bytes]:
    return path.removeprefix("/").encode().split(b"/")


def _quoted(text: str) -> str:
    return quote_plus(text.encode("utf-8", "surrogatepass"))
