"""The outermost layer of the API: what is the same for every request and every answer, also for unknown paths.

Every request has a correlation id, its own or a new one, and its answer carries it. ``HEAD`` works wherever ``GET``
does. Every answer gets protective headers, and a warning while the log is not durable. The service log gets one line
per request, without tokens, bodies or full paths; for a refused command it names match, command id and reason.
"""

import re
import time
from collections.abc import Iterable
from typing import Any, Final, cast

from litestar import Request
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Message, Receive, Scope, Send

from api.answering.problems import failed
from api.entrance.access_log import AccessLog
from api.entrance.durability import DurabilityWatch
from api.entrance.refused_commands import told_of_request
from services.process.counted import REQUEST_SECONDS, REQUESTS
from services.process.counts import Counts
from services.process.service_log import begin_correlation

_TRACE: Final = re.compile(rb"[A-Za-z0-9_-]{1,64}").fullmatch
_PARENT: Final = re.compile(rb"(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?").fullmatch
"""W3C trace context; later versions may append more."""

_NO_TRACE: Final = b"0" * 32

_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})

_HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-resource-policy", b"same-origin"),
)

_DEFAULT_HEADERS: Final = (
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"referrer-policy", b"no-referrer"),
    # Answers hold tokens and hands; those that may be cached say so themselves.
    (b"cache-control", b"no-store"),
)
"""For answers that do not set them."""


class Doorway:
    """Wraps the whole application."""

    def __init__(
        self, app: ASGIApp, durability: DurabilityWatch, access_log: AccessLog, counts: Counts
    ) -> None:
        self._app = app
        self._access_log = access_log
        self._counts = counts
        self._durability = durability

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if scope["type"] != ScopeType.HTTP:
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        connection = cast("dict[str, Any]", scope)
        method = connection["method"]
        head_only = connection["head_only"] = method == "HEAD"
        if head_only:
            connection["method"] = "GET"
        status, answered = 0, started
        trace = begin_correlation(trace_of(scope["headers"]))

        async def send_on(message: Message) -> None:
            nonlocal status, answered
            if message["type"] == "http.response.start":
                status, answered = message["status"], time.perf_counter()
                message["headers"] = self._completed(message["headers"], trace)
            elif head_only and message["type"] == "http.response.body":
                message["body"] = b""
            await send(message)

        try:
            await self._app(scope, receive, send_on)
        except Exception as error:
            if status:
                raise
            # Even the answer to an error failed. The server would send its own text without our headers.
            request: Request[Any, Any, Any] = Request(scope, receive, send_on)
            await failed(request, error).to_asgi_response(None, request)(scope, receive, send_on)
        finally:
            milliseconds = round((time.perf_counter() - started) * 1000, 2)
            route = connection.get("path_template", "unknown")
            self._access_log.write(method, route, status, milliseconds, told_of_request(scope, status))
            self._count(method, route, status, answered - started)

    def _count(self, method: str, route: str, status: int, seconds: float) -> None:
        # Clients can make up method names; they must not make up counters.
        self._counts.add(REQUESTS, method if method in _METHODS else "other", route, str(status))
        if status:
            self._counts.observe(REQUEST_SECONDS, seconds, route)

    def _completed(self, headers: Any, trace: str) -> list[tuple[bytes, bytes]]:
        given = [_with_head(pair) if pair[0] == b"allow" else pair for pair in headers]
        names = {name for name, _ in given}
        given += _HEADERS
        given += (pair for pair in _DEFAULT_HEADERS if pair[0] not in names)
        given.append((b"x-request-id", trace.encode()))
        if self._durability.header:
            given.append((b"tablee-durability", self._durability.header))
        return given


def _with_head(allow: tuple[bytes, bytes]) -> tuple[bytes, bytes]:
    name, value = allow
    methods = {method.strip() for method in value.split(b",")}
    return name, b", ".join(sorted(methods | {b"HEAD"} if b"GET" in methods else methods))


def trace_of(headers: Iterable[tuple[bytes, bytes]]) -> str | None:
    """Return the request's ``X-Request-Id``, else the trace of ``traceparent``; None if neither may stand in logs."""
    parent = None
    for name, value in headers:
        if name == b"x-request-id" and _TRACE(value):
            return value.decode()
        if name == b"traceparent" and (found := _PARENT(value)) and found[1] != _NO_TRACE:
            parent = found[1].decode()
    return parent
