"""What must hold after every request, whatever it was."""

import re
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import unquote_to_bytes

import msgspec

from tests.fuzz.described import Described
from tests.fuzz.log_watch import Standing
from tests.fuzz.request import Request
from tests.fuzz.wire import Reply, Wired

PROBLEM: Final = b"application/problem+json"
_BY_THE_SERVER: Final = frozenset({400, 408, 411, 413, 414, 417, 431, 501, 505})
_TARGET: Final = re.compile(rb"/[A-Za-z0-9._~:/?#\[\]@!$&'()*+,;=%-]*").fullmatch
_LONGEST_TARGET: Final = 8_000
_TOKEN: Final = re.compile(rb"[A-Za-z0-9!#$%&'*+.^_`|~-]+").fullmatch
_VALUE: Final = re.compile(rb"[\t\x20-\x7e\x80-\xff]*").fullmatch
_MOST_HEADERS: Final = 90
_MEMBERS: Final = ("type", "title", "status", "detail", "code", "trace")


def by_the_server(wired: Wired, reply: Reply) -> bool:
    """Tell whether the HTTP server itself refused a request that is not HTTP, so that our code never saw it."""
    if reply.status == 0:
        return not _is_http(wired)
    silent = not reply.header(b"x-request-id") and not reply.body
    return silent and reply.status in _BY_THE_SERVER and not _is_http(wired)


def _is_http(wired: Wired) -> bool:
    """Tell whether every server must understand a request."""
    if not (_TARGET(wired.target) and len(wired.target) < _LONGEST_TARGET and _TOKEN(wired.method)):
        return False
    names = [name.lower() for name, _ in wired.headers]
    if (
        len(names) > _MOST_HEADERS
        or wired.length is not None
        or (wired.chunks and b"content-length" in names)
    ):
        return False
    return all(_TOKEN(name) and _VALUE(value) for name, value in wired.headers)


def answer_of(wired: Wired, reply: Reply, described: Described) -> Iterator[str]:
    """Yield what is wrong with the form of an answer."""
    if reply.status == -1:
        yield "no answer in time"
        return
    if reply.status == 0:
        yield "the connection was closed without an answer"
        return
    for name in (b"x-request-id", b"x-content-type-options", b"content-security-policy"):
        if not reply.header(name):
            yield f"the answer has no {name.decode()}"
    yield from headers_of(reply)
    if reply.status >= 500 and reply.status != 503:
        yield f"the service failed with {reply.status}"
    if reply.status < 400 or wired.method == b"HEAD" or _is_readiness(wired, reply):
        return
    path = b"/" + unquote_to_bytes(wired.target.partition(b"?")[0]).lstrip(b"/")
    is_page = not path.startswith((b"/api/", b"/health/"))
    # Outside all known paths nobody knows who asks: a client that does not want a page gets a problem document.
    if is_page and not (reply.status in {404, 405} and reply.header(b"content-type") == PROBLEM):
        yield from _page(reply)
    else:
        yield from _problem(wired, reply, described)


def headers_of(reply: Reply) -> Iterator[str]:
    """Yield what is wrong with an answer's headers, whatever it says."""
    names = {name for name, _ in reply.headers}
    if b"x-injected" in names:
        yield "a header was smuggled into the answer"
    where = reply.header(b"location")
    if where and not (where.startswith(b"/") and where[1:2] not in {b"/", b"\\"}):
        yield f"the browser is sent elsewhere: {where!r}"


def _is_readiness(wired: Wired, reply: Reply) -> bool:
    return reply.status == 503 and b"health/ready" in wired.target


def _problem(wired: Wired, reply: Reply, described: Described) -> Iterator[str]:
    if reply.header(b"content-type") != PROBLEM:
        yield f"a refusal with {reply.status} is no problem document: {reply.header(b'content-type')!r}"
        return
    try:
        told: dict[str, Any] = msgspec.json.decode(reply.body)
    except msgspec.DecodeError:
        yield "a problem document cannot be read"
        return
    for member in _MEMBERS:
        if not told.get(member):
            yield f"a problem document has no {member}"
    if told.get("status") != reply.status or told.get("type") != f"urn:tablee:problem:{told.get('code')}":
        yield "a problem document contradicts its answer"
    operation = described.operation(wired.method, wired.target)
    if not described.knows(operation, reply.status, told.get("code", "")):
        yield f"{operation or 'no operation'} is not said to answer {reply.status} {told.get('code')}"
    if reply.status in {429, 503} and not reply.header(b"retry-after"):
        yield f"{reply.status} without Retry-After"


def _page(reply: Reply) -> Iterator[str]:
    if not reply.header(b"content-type").startswith(b"text/html"):
        yield f"a refusal with {reply.status} is no page: {reply.header(b'content-type')!r}"
    elif b"<h1>" not in reply.body and b'role="alert"' not in reply.body and b"notice" not in reply.body:
        yield f"a page that refuses with {reply.status} says nothing"


def effect_of(wired: Wired, reply: Reply, before: Standing, after: Standing) -> Iterator[str]:
    """Yield what a request did although it was refused, or was a mere read."""
    refused = reply.status >= 400 or reply.status <= 0
    safe = wired.method in {b"GET", b"HEAD", b"OPTIONS"}
    if (refused and reply.status != 0) or safe:
        if (after.version, after.head) != (before.version, before.head):
            yield f"the match went from version {before.version} to {after.version} although {reply.status}"
        if after.writes_unexplained(before) != 0:
            yield f"{after.writes_unexplained(before)} writes although {reply.status} was answered"
    elif after.version < before.version:
        yield f"the match went back from version {before.version} to {after.version}"


def outcome_of(request: Request, reply: Reply, after: Standing) -> Iterator[str]:
    """Yield where a command's answer contradicts the log."""
    is_told = reply.status == 200 and request.door == "api" and reply.body.startswith(b'{"version":')
    if not is_told or request.method != b"POST" or "sent before" in request.changed:
        return
    told = msgspec.json.decode(reply.body)
    if not told.get("duplicate") and told["view"]["match"] == request.match and told["last"] != after.version:
        yield f"version {told['last']} was acknowledged, and the log has {after.version}"
