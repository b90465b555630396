"""Browsers' sessions: each collects the seats that were taken on its pages or proved by token.

A session is a secret in a cookie. The store knows who plays in it but no token, so reading the store gives nobody a
seat.

The log's server keeps ``tb:people:session:<hash>``, a Redis hash with one field for each role in a match,
``seat:<match>`` or ``host:<match>``. This is stored data with backups, not a projection: people who lose their session
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
    """A session's part in a match."""

    holder: Holder
    since: Instant


class Held(msgspec.Struct, frozen=True):
    """Who a session is at one match; empty for a role that it does not have.

    Attributes:
        seat: The player who sits, or sat, there.
        host: The host.
    """

    seat: str = ""
    host: str = ""

    def player(self, role: Role) -> str:
        """Return the player in a role; empty for none."""
        return self.seat if role == "seat" else self.host


_DECODER = msgspec.json.Decoder(Membership)


class Sessions:
    """Recognises sessions. Methods that ask the store may raise ``StoreUnavailable``."""

    def __init__(self, secret: bytes, client: "redis.asyncio.Redis") -> None:
        self._secret = secret
        self._client = client

    def form_token(self, session: str) -> str:
        """Return the token in a session's forms, without which other sites cannot post in its name."""
        return hmac.digest(self._secret, f"tablee form\n{session}".encode(), "sha256").hex()

    def fits(self, session: str, form_token: str) -> bool:
        """Tell whether a form comes from a page of this session."""
        return hmac.compare_digest(self.form_token(session).encode(), form_token.encode())

    async def collect(self, session: str, holder: Holder, now: Instant) -> None:
        """Let a session act as a token's holder from now on, instead of any earlier one in the same role."""
        field = f"{holder.role}:{holder.match}"
        with available():
            await self._client.hset(_key(session), field, msgspec.json.encode(Membership(holder, now)))

    async def held(self, session: str, match: str) -> Held:
        """Return who a session is at a match."""
        with available():
            rows = await self._client.hmget(_key(session), [f"seat:{match}", f"host:{match}"])
        return Held(*(_DECODER.decode(row).holder.player if row else "" for row in rows))

    async def memberships(self, session: str) -> list[Membership]:
        """Return a session's memberships, newest first."""
        with available():
            rows = await self._client.hvals(_key(session))
        return sorted(map(_DECODER.decode, rows), key=lambda membership: membership.since, reverse=True)


def _key(session: str) -> str:
    return f"tb:people:session:{hash_of(session)}"
