"""Operators' links and sessions in Redis: stored data with backups, not a projection.

Two sorted sets of hashes, ``tb:people:operators:links`` and ``tb:people:operators:sessions``, by the instant at which
each expires: ending them all is one step. ``tb:people:operators:begun`` says that somebody was let in before.
"""

from typing import Final

import redis.asyncio

from services.log.redis_errors import available
from services.people.operators import Ended

_LINKS: Final = "tb:people:operators:links"
_SESSIONS: Final = "tb:people:operators:sessions"
_BEGUN: Final = "tb:people:operators:begun"


class RedisOperators:
    """The operators' store of a running installation."""

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        """Take a client of the log's server."""
        self._client = client

    async def put_link(self, link_hash: str, until: int, now: int) -> None:
        """Keep a link; drop those that have expired."""
        await self._put(_LINKS, link_hash, until, now)

    async def take_link(self, link_hash: str, now: int) -> bool:
        """Use a link up; tell whether it could be used."""
        if not await self._lasts(_LINKS, link_hash, now):
            return False
        # Of several who have come so far, one removes it.
        with available():
            return bool(await self._client.zrem(_LINKS, link_hash))

    async def put_session(self, session_hash: str, until: int, now: int) -> None:
        """Keep a session; drop those that have expired."""
        await self._put(_SESSIONS, session_hash, until, now)

    async def has_session(self, session_hash: str, now: int) -> bool:
        """Tell whether a session lasts."""
        return await self._lasts(_SESSIONS, session_hash, now)

    async def drop_session(self, session_hash: str) -> None:
        """End a session."""
        with available():
            await self._client.zrem(_SESSIONS, session_hash)

    async def clear(self, now: int) -> Ended:
        """End all sessions and links; tell how many there were."""
        with available():
            # One that is begun between the two steps is ended and not counted.
            sessions = await self._client.zcount(_SESSIONS, now, "+inf")
            links = await self._client.zcount(_LINKS, now, "+inf")
            await self._client.delete(_SESSIONS)
            await self._client.delete(_LINKS)
        return Ended(sessions, links)

    async def begin(self) -> bool:
        """Note that somebody was given a link; tell whether nobody ever was before."""
        with available():
            return bool(await self._client.set(_BEGUN, 1, nx=True))

    async def _put(self, key: str, member: str, until: int, now: int) -> None:
        with available():
            await self._client.zremrangebyscore(key, "-inf", now)
            await self._client.zadd(key, {member: until})

    async def _lasts(self, key: str, member: str, now: int) -> bool:
        with available():
            until = await self._client.zscore(key, member)
        return until is not None and until > now


class MemoryOperators:
    """Operators' links and sessions in memory, for tests."""

    def __init__(self) -> None:
        """Begin empty."""
        self._links: dict[str, int] = {}
        self._sessions: dict[str, int] = {}
        self._begun = False

    async def put_link(self, link_hash: str, until: int, now: int) -> None:  # noqa: ARG002 - the protocol's
        """Keep a link."""
        self._links[link_hash] = until

    async def take_link(self, link_hash: str, now: int) -> bool:
        """Use a link up; tell whether it could be used."""
        return self._links.pop(link_hash, 0) > now

    async def put_session(self, session_hash: str, until: int, now: int) -> None:  # noqa: ARG002 - the protocol's
        """Keep a session."""
        self._sessions[session_hash] = until

    async def has_session(self, session_hash: str, now: int) -> bool:
        """Tell whether a session lasts."""
        return self._sessions.get(session_hash, 0) > now

    async def drop_session(self, session_hash: str) -> None:
        """End a session."""
        self._sessions.pop(session_hash, None)

    async def clear(self, now: int) -> Ended:
        """End all sessions and links; tell how many there were."""
        sessions, links = (
            sum(until > now for until in kept.values()) for kept in (self._sessions, self._links)
        )
        self._sessions.clear()
        self._links.clear()
        return Ended(sessions, links)

    async def begin(self) -> bool:
        """Note that somebody was given a link; tell whether nobody ever was before."""
        begun, self._begun = self._begun, True
        return not begun
