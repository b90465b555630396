"""Sessions in Redis, under ``tb:people:session:<hash>``: stored data with backups, not a projection.

A hash with one field for each role in a match, ``seat:<match>`` or ``host:<match>``.
"""

from collections.abc import Sequence

import msgspec
import redis.asyncio
from redis.exceptions import RedisError

from services.errors import StoreUnavailable
from services.people.sessions import Held, Membership

_DECODER = msgspec.json.Decoder(Membership)


class RedisSessions:
    """The session store of a running installation."""

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        """Take a client of the log's server: who loses his session loses his seats."""
        self._client = client

    async def put(self, session_hash: str, membership: Membership) -> None:
        """Keep a session's part in a match.

        Raises:
            StoreUnavailable: The store did not take it.
        """
        holder = membership.holder
        field = f"{holder.role}:{holder.match}"
        try:
            await self._client.hset(_key(session_hash), field, msgspec.json.encode(membership))
        except (RedisError, OSError) as error:
            raise StoreUnavailable(str(error)) from error

    async def of_match(self, session_hash: str, match: str) -> Held:
        """Return as whom a session acts at a match.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        try:
            rows = await self._client.hmget(_key(session_hash), [f"seat:{match}", f"host:{match}"])
        except (RedisError, OSError) as error:
            raise StoreUnavailable(str(error)) from error
        seat, host = (_DECODER.decode(row).holder.player if row else "" for row in rows)
        return Held(seat, host)

    async def of_session(self, session_hash: str) -> Sequence[Membership]:
        """Return all parts of a session.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        try:
            rows = await self._client.hvals(_key(session_hash))
        except (RedisError, OSError) as error:
            raise StoreUnavailable(str(error)) from error
        return [_DECODER.decode(row) for row in rows]


class MemorySessions:
    """Sessions in memory, for tests."""

    def __init__(self) -> None:
        """Begin empty."""
        self._memberships: dict[tuple[str, str, str], Membership] = {}

    async def put(self, session_hash: str, membership: Membership) -> None:
        """Keep a session's part in a match."""
        holder = membership.holder
        self._memberships[session_hash, holder.role, holder.match] = membership

    async def of_match(self, session_hash: str, match: str) -> Held:
        """Return as whom a session acts at a match."""
        seat, host = (self._memberships.get((session_hash, role, match)) for role in ("seat", "host"))
        return Held(seat.holder.player if seat else "", host.holder.player if host else "")

    async def of_session(self, session_hash: str) -> Sequence[Membership]:
        """Return all parts of a session."""
        return [found for (owner, _, _), found in self._memberships.items() if owner == session_hash]


def _key(session_hash: str) -> str:
    return f"tb:people:session:{session_hash}"
