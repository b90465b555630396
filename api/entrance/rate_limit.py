"""The layer that refuses people and addresses that ask for too much, before anything else happens.

Nothing under ``/health`` has a limit, because supervisors must always get an answer.
"""

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import structlog
from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Receive, Scope, Send
from litestar.utils.path import normalize_path

from api.entrance.turning_away import turn_away
from api.requests.headers import BEARER
from services.errors import TooManyRequests
from services.jobs.servers import job_servers
from services.people.identity import Identity
from services.people.limits.buckets import Buckets, Limit
from services.people.limits.limiter import Limiter
from services.process.addresses import Addresses, networks_of
from services.process.settings import Settings

_log = structlog.get_logger(__name__)

BURST: Final = 10
"""How many seconds' worth of requests may come at once."""

REFILL: Final = 1800
"""Seconds after which a used-up limit on tables, seats or new persons is full again."""

_HEALTH: Final = ("/health/", "/api/v1/health/")

_DEAR: Final = {
    ("POST", "matches"): 10,
    ("POST", "clubs"): 10,
    ("POST", "tables"): 10,
    ("POST", "imports"): 30,
    ("POST", "new"): 10,
    ("GET", "matches"): 3,
    ("GET", "tables"): 3,
    ("GET", "replay"): 10,
    ("GET", "changes"): 10,
    ("GET", "difference"): 5,
}
"""By method and last part of the path: requests that cost as much as several others. A table is stored, a replay is
long, a list takes many reads."""

_MAKES_TABLE: Final = re.compile(
    r"/api/v1/(?:matches|matches/[^/]+/rematch|clubs|clubs/[^/]+/tables|me/imports(?:/fork)?)"
    r"|/new|/play|/c|/me/imports|/m/[^/]+/(?:fork|rematch)"
).fullmatch
"""A club is counted as a table is, and so is a match from elsewhere, which is kept for good."""

_MAKES_PERSON: Final = "/api/v1/me"
_TAKES_SEAT: Final = re.compile(
    r"(?:/api/v1/matches/([^/]+)/(?:seats|ask-for-seat)|/m/([^/]+)/(?:sit|ask-for-seat))"
).fullmatch
_JOINS: Final = re.compile(r"(?:/api/v1/invitations|/i)/[^/]+").fullmatch
"""A place in a club is counted as a seat is."""
_TRIES_A_WAY_IN: Final = re.compile(
    r"/s/[^/]+|/back(?:/code|/passkey)?|/me/tokens|/ops/enter/[^/]+|/api/v1/me/(?:sessions|seats|links/[^/]+)"
).fullmatch
"""Where somebody could guess a secret. Links are looked at before they are used, so looking counts too."""

_SESSION: Final = re.compile(rb"(?:^|;)\s*(?:__Host-)?tablee=([A-Za-z0-9_-]{43})\s*(?:;|$)").search

Names = Sequence[tuple[str, str]]
"""Who asks: kind (``person``, ``address``) and name of each."""

Limits = Mapping[str, Limit]
"""By kind (``person``, ``address``); a missing kind has no limit."""


class RateLimit:
    """Wraps the application; without a store for the buckets, or without limits, everybody passes."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._requests = _limits(BURST, person=settings.person_rate, address=settings.address_rate)
        self._tables = _kept_limits(person=settings.person_tables, address=settings.address_tables)
        self._seats = _kept_limits(
            person=settings.person_seats, address=settings.address_seats, table=settings.table_seats
        )
        self._persons = _kept_limits(address=settings.address_persons)
        self._tries = _kept_limits(address=settings.address_tries)
        self._addresses = Addresses(networks_of(settings.trusted_proxies))
        self._limiter: Limiter | None = None
        self._has_warned = False
        servers = job_servers(settings)
        if servers is not None and any(self._limits()):
            self._limiter = Limiter(Buckets(servers.first))

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection."""
        if (
            self._limiter is not None
            and scope["type"] == ScopeType.HTTP
            and not scope["path"].startswith(_HEALTH)
        ):
            wait = await self._wait(self._limiter, scope)
            if wait:
                await turn_away(TooManyRequests(wait), scope, receive, send)
                return
        await self._app(scope, receive, send)

    async def close(self) -> None:
        """Close the connections to the store of the buckets."""
        if self._limiter is not None:
            await self._limiter.close()

    def _limits(self) -> tuple[Limits, ...]:
        return self._requests, self._tables, self._seats, self._persons, self._tries

    async def _wait(self, limiter: Limiter, scope: HTTPScope) -> float:
        """Return how many seconds a request must wait; 0 lets it pass."""
        # As the router reads it, so that an extra slash does not evade a limit.
        path, names = normalize_path(scope["path"]), self._names(scope)
        cost = _DEAR.get((scope["method"], path.rpartition("/")[2]), 1)
        wait = await limiter.wait(cost, _askers("", names, self._requests))
        more = () if wait else self._slower(scope["method"], path, names)
        return await limiter.wait(1, more) if more else wait

    def _slower(self, method: str, path: str, names: Names) -> Sequence[tuple[str, str, Limit]]:
        """Return the limits that refill slowly and that a request counts for, too."""
        if _TRIES_A_WAY_IN(path):
            return _askers("tries-", names, self._tries)
        if method != "POST":
            return ()
        if _MAKES_TABLE(path):
            return _askers("tables-", names, self._tables)
        if path == _MAKES_PERSON:
            return _askers("persons-", names, self._persons)
        if taken := _TAKES_SEAT(path):
            names = (*names, ("table", taken[1] or taken[2]))
        elif not _JOINS(path):
            return ()
        return _askers("seats-", names, self._seats)

    def _names(self, scope: Scope) -> Names:
        person, forwarded = "", []
        for name, value in scope["headers"]:
            if name == b"authorization":
                person = _holder(scope, value) or person
            elif name == b"cookie" and not person:
                person = _browser(value)
            elif name == b"x-forwarded-for":
                forwarded.append(value)
        return tuple(self._named(scope, person, forwarded))

    def _named(self, scope: Scope, person: str, forwarded: list[bytes]) -> Iterator[tuple[str, str]]:
        client = scope["client"]
        if client is not None:
            if forwarded and not self._addresses.trusts(client[0]):
                self._warn()
            yield "address", self._addresses.name(client[0], forwarded)
        if person:
            yield "person", person

    def _warn(self) -> None:
        if not self._has_warned:
            self._has_warned = True
            remedy = (
                "if a proxy of yours stands before this service, name its address in TABLEE_TRUSTED_PROXIES"
            )
            _log.warning("forwarded_for_not_believed", remedy=remedy)


def _limits(seconds: float, **rates: float) -> Limits:
    """Return limits by rate, with so many seconds' worth at once; a rate of 0 is no limit."""
    return {kind: Limit(rate, rate * seconds) for kind, rate in rates.items() if rate}


def _kept_limits(**numbers: int) -> Limits:
    """Return limits by how much may come at once. They refill slowly, because what they let through is stored."""
    return _limits(REFILL, **{kind: number / REFILL for kind, number in numbers.items()})


def _askers(what: str, names: Names, limits: Limits) -> Sequence[tuple[str, str, Limit]]:
    return tuple((what + kind, name, limits[kind]) for kind, name in names if kind in limits)


def _holder(scope: Scope, authorization: bytes) -> str:
    """Return the player who holds a token; empty if this process does not know: the store is not asked."""
    token = BEARER(authorization.decode("latin-1").strip())
    if token is None:
        return ""
    identity: Identity = scope["litestar_app"].state.parts.application.identity
    holder = identity.known(token[1])
    return "" if holder is None else holder.player


def _browser(cookies: bytes) -> str:
    """Return a digest of a browser's session, which does not give it away."""
    session = _SESSION(cookies)
    return "" if session is None else hashlib.sha256(b"limit " + session[1]).hexdigest()[:20]
