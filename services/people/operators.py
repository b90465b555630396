"""Operators, let in by one-time links.

A link opens one session and lasts a day. The session is another secret, in a cookie, and lasts thirty days.

The log's server keeps two sorted sets of hashes, ``tb:people:operators:links`` and ``tb:people:operators:sessions``,
scored by the millisecond at which each expires, so that all end in one step. ``tb:people:operators:begun`` says that a
link has been made before. This is stored data with backups, not a projection.
"""

from typing import Final, NamedTuple

import redis.asyncio

from domain.instants import Instant, milliseconds_of
from services.log.redis_errors import available
from services.people.hashed_secrets import hash_of, is_secret, new_secret

LINK_SECONDS: Final = 24 * 3600
"""How long a link is good for."""

SESSION_SECONDS: Final = 30 * 24 * 3600
"""How long a session lasts."""

_LINKS: Final = "tb:people:operators:links"
_SESSIONS: Final = "tb:people:operators:sessions"
_BEGUN: Final = "tb:people:operators:begun"


class Ended(NamedTuple):
    """How many sessions, and how many unused links, were ended."""

    sessions: int
    links: int


class Operators:
    """Makes and recognises operators' links and sessions. Every method may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        self._client = client

    async def make_link(self, now: Instant) -> str:
        """Return the secret of a new link."""
        link = await self._new(_LINKS, LINK_SECONDS, now)
        await self._begin()
        return link

    async def make_first_link(self, now: Instant) -> str | None:
        """Return the secret of this installation's first link; None if there was one before."""
        return await self.make_link(now) if await self._begin() else None

    async def enter(self, link: str, now: Instant) -> str | None:
        """Use up a link, perhaps even if the store fails; return the session's secret, None if it opens nothing."""
        # Several may find the link at once; only one removes it.
        if not await self._lasts(_LINKS, link, now) or not await self._drop(_LINKS, link):
            return None
        return await self._new(_SESSIONS, SESSION_SECONDS, now)

    async def is_good(self, link: str, now: Instant) -> bool:
        """Tell whether a link opens anything yet; looking uses nothing up."""
        return await self._lasts(_LINKS, link, now)

    async def knows(self, session: str, now: Instant) -> bool:
        """Tell whether a session is an operator's."""
        return await self._lasts(_SESSIONS, session, now)

    async def leave(self, session: str) -> None:
        """End a session."""
        await self._drop(_SESSIONS, session)

    async def end_all(self, now: Instant) -> Ended:
        """End all sessions and all unused links."""
        lasting = f"({milliseconds_of(now)}"
        with available():
            # One made between these steps is ended but not counted.
            sessions = await self._client.zcount(_SESSIONS, lasting, "+inf")
            links = await self._client.zcount(_LINKS, lasting, "+inf")
            await self._client.delete(_SESSIONS)
            await self._client.delete(_LINKS)
        return Ended(sessions, links)

    async def _begin(self) -> bool:
        """Note that a link is made; tell whether it is the first."""
        with available():
            return bool(await self._client.set(_BEGUN, 1, nx=True))

    async def _new(self, key: str, seconds: int, now: Instant) -> str:
        secret, present = new_secret(), milliseconds_of(now)
        with available():
            await self._client.zremrangebyscore(key, "-inf", present)
            await self._client.zadd(key, {hash_of(secret): present + seconds * 1000})
        return secret

    async def _lasts(self, key: str, secret: str, now: Instant) -> bool:
        if not is_secret(secret):
            return False
        with available():
            until = await self._client.zscore(key, hash_of(secret))
        return until is not None and until > milliseconds_of(now)

    async def _drop(self, key: str, secret: str) -> bool:
        with available():
            return bool(await self._client.zrem(key, hash_of(secret)))
