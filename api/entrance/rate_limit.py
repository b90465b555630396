"""The layer that refuses people and addresses that ask for too much, before anything else is done.

Supervisors must always learn how the service is, so nothing under ``/health`` has a limit.
"""

import hashlib
import re
from collections.abc import Iterator, Sequence
from typing import Final

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, Receive, Scope, Send

from api.entrance.turning_away import turn_away
from api.requests.headers import BEARER
from services.errors import TooManyRequests
from services.people.identity import Identity
from services.people.limits.buckets import Buckets, Limit
from services.people.limits.limiter import Limiter
from services.process.addresses import Addresses, networks_of
from services.process.settings import Settings

_log = structlog.get_logger(__name__)

BURST: Final = 10
"""How many seconds' worth of a limit may come at once."""

_HEALTH: Final = ("/health/", "/api/v1/health/")

_DEAR: Final = {
    ("POST", "matches"): 10,
    ("POST", "new"): 10,
    ("GET", "matches"): 3,
    ("GET", "replay"): 10,
    ("GET", "changes"): 10,
    ("GET", "difference"): 5,
}
"""By method and last part of the path: requests that cost as much as several others. A table stays, a replay is long, a
list is put together."""

_SESSION: Final = re.compile(rb"(?:^|;)\s*(?:__Host-)?tablee=([A-Za-z0-9_-]{43})\s*(?:;|$)").search

Askers = Sequence[tuple[str, str, Limit]]


class RateLimit:
    """Wraps the application; without a store for the buckets, or without limits, everybody passes."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._person = _limit(settings.person_rate)
        self._address = _limit(settings.address_rate)
        self._addresses = Addresses(networks_of(settings.trusted_proxies))
        self._limiter: Limiter | None = None
        self._has_warned = False
        if settings.job_store_url is not None and (self._person or self._address):
            self._limiter = Limiter(Buckets(settings.job_store_url))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if (
            self._limiter is not None
            and scope["type"] == ScopeType.HTTP
            and not scope["path"].startswith(_HEALTH)
        ):
            cost = _DEAR.get((scope["method"], scope["path"].rpartition("/")[2]), 1)
            wait = await self._limiter.wait(cost, self._askers(scope))
            if wait:
                await turn_away(TooManyRequests(wait), scope, receive, send)
                return
        await self._app(scope, receive, send)

    async def close(self) -> None:
        """Close the connections to the store of the buckets."""
        if self._limiter is not None:
            await self._limiter.close()

    def _askers(self, scope: Scope) -> Askers:
        person, forwarded = "", []
        for name, value in scope["headers"]:
            if name == b"authorization":
                person = _holder(scope, value) or person
            elif name == b"cookie" and not person:
                person = _browser(value)
            elif name == b"x-forwarded-for":
                forwarded.append(value)
        return tuple(self._limited(scope, person, forwarded))

    def _limited(self, scope: Scope, person: str, forwarded: list[bytes]) -> Iterator[tuple[str, str, Limit]]:
        client = scope["client"]
        if client is not None and self._address is not None:
            if forwarded and not self._addresses.trusts(client[0]):
                self._warn()
            yield "address", self._addresses.name(client[0], forwarded), self._address
        if person and self._person is not None:
            yield "person", person, self._person

    def _warn(self) -> None:
        if not self._has_warned:
            self._has_warned = True
            remedy = (
                "if a proxy of yours stands before this service, name its address in TABLEE_TRUSTED_PROXIES"
            )
            _log.warning("forwarded_for_not_believed", remedy=remedy)


def _limit(rate: int) -> Limit | None:
    return Limit(rate, rate * BURST) if rate else None


def _holder(scope: Scope, authorization: bytes) -> str:
    """Return the player who holds a token; empty if this process has not met them yet: the store is not asked."""
    token = BEARER(authorization.decode("latin-1").strip())
    if token is None:
        return ""
    identity: Identity = scope["litestar_app"].state.parts.application.identity
    holder = identity.known(token[1])
    return "" if holder is None else holder.player


def _browser(cookies: bytes) -> str:
    """Return a digest that stands for a browser's session and does not give it away."""
    session = _SESSION(cookies)
    return "" if session is None else hashlib.sha256(b"limit " + session[1]).hexdigest()[:20]
