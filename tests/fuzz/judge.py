"""What must be so after every request, whatever it was."""

from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import unquote_to_bytes

import msgspec

from tests.fuzz.changes import ON_THE_LINE
from tests.fuzz.described import Described
from tests.fuzz.log_watch import Standing
from tests.fuzz.request import Request
from tests.fuzz.wire import Reply, Wired

PROBLEM: Final = b"application/problem+json"
_BY_THE_SERVER: Final = frozenset({400, 408, 411, 413, 414, 417, 431, 501, 505})
_MEMBERS: Final = ("type", "title", "status", "detail", "code", "trace")


def by_the_server(request: Request, reply: Reply) -> bool:
    """Tell whether the HTTP server refused by itself what is no HTTP: none of ours ever saw it."""
    allowed = bool(ON_THE_LINE.intersection(request.changed))
    if reply.status == 0:
        return allowed
    return allowed and reply.status in _BY_THE_SERVER and not reply.header(b"x-request-id") and not reply.body


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
    if reply.status >= 500 and reply.status != 503:
        yield f"the service failed with {reply.status}"
    if reply.status < 400 or wired.method == b"HEAD" or _is_readiness(wired, reply):
        return
    path = unquote_to_bytes(wired.target.partition(b"?")[0])
    if path.startswith((b"/api/", b"/health/")):
        yield from _problem(wired, reply, described)
    else:
        yield from _page(reply)


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
    """Yield what a request did although it was refused, or could not do anything."""
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
    """Yield where what a command was told contradicts the log."""
    is_told = reply.status == 200 and request.door == "api" and reply.body.startswith(b'{"version":')
    if not is_told or request.method != b"POST" or "sent before" in request.changed:
        return
    told = msgspec.json.decode(reply.body)
    if not told.get("duplicate") and told["view"]["match"] == request.match and told["last"] != after.version:
        yield f"version {told['last']} was acknowledged, and the log has {after.version}"
