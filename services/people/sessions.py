"""Who a browser is, until accounts come: a session that collects the seats which its pages took or proved by token.

A session is a secret in a cookie. It holds who plays, never the tokens: nobody who reads the store can use its seats.

The log's server keeps ``tb:people:session:<hash>``, a Redis hash with one field for each role in a match,
``seat:<match>`` or ``host:<match>``. This is stored data with backups, not a projection: without their session, people
lose their seats.
"""

import hmac

import msgspec
import redis.asyncio

from domain.instants import Instant
from services.log.redis_errors import available
from services.people.hashed_secrets import hash_of
from services.people.identity import Holder, Role


class Membership(msgspec.Struct, frozen=True):
    """A session's part in a match.

    Attributes:
        holder: As whom.
        since: When the session got it.
    """

    holder: Holder
    since: Instant


class Held(msgspec.Struct, frozen=True):
    """As whom a session acts at one match; empty texts where it does not.

    Attributes:
        seat: The player who sits, or sat, there.
        host: The host.
    """

    seat: str = ""
    host: str = ""

    def player(self, role: Role) -> str:
        """Return who acts in a role; empty for nobody."""
        return self.seat if role == "seat" else self.host


_DECODER = msgspec.json.Decoder(Membership)


class Sessions:
    """Recognises sessions. What asks the store raises ``StoreUnavailable`` if it does not answer."""

    def __init__(self, secret: bytes, client: "redis.asyncio.Redis") -> None:
        self._secret = secret
        self._client = client

    def form_token(self, session: str) -> str:
        """Return what the forms of a session's pages carry, so that no other page can post in its name."""
        return hmac.digest(self._secret, f"tablee form\n{session}".encode(), "sha256").hex()

    def fits(self, session: str, form_token: str) -> bool:
        """Tell whether a form comes from a page of this session."""
        return hmac.compare_digest(self.form_token(session).encode(), form_token.encode())

    async def collect(self, session: str, holder: Holder, now: Instant) -> None:
        """Let a session act as the holder of a token from now on, in place of an older one in the same role."""
        field = f"{holder.role}:{holder.match}"
        with available():
            await self._client.hset(_key(session), field, msgspec.json.encode(Membership(holder, now)))

    async def held(self, session: str, match: str) -> Held:
        """Return as whom a session acts at a match."""
        with available():
            rows = await self._client.hmget(_key(session), [f"seat:{match}", f"host:{match}"])
        return Held(*(_DECODER.decode(row).holder.player if row else "" for row in rows))

    async def memberships(self, session: str) -> list[Membership]:
        """Return all parts of a session, the newest first."""
        with available():
            rows = await self._client.hvals(_key(session))
        return sorted(map(_DECODER.decode, rows), key=lambda membership: membership.since, reverse=True)


def _key(session: str) -> str:
    return f"tb:people:session:{hash_of(session)}"
