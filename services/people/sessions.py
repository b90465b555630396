"""Who a browser is, until accounts come: a session that collects the seats which its pages took or proved by token.

A session is a secret of 256 bits in a cookie; only its hash is stored. It holds who plays, never the tokens: whoever
reads the store can neither be the browser nor use its seats.
"""

import hashlib
import hmac
import secrets
from collections.abc import Sequence
from typing import Protocol

import msgspec

from domain.instants import Instant
from services.people.identity import Holder, Role

_BYTES = 32


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


class SessionStore(Protocol):
    """Where sessions are kept, by the hash of their secret. Every method may raise ``StoreUnavailable``."""

    async def put(self, session_hash: str, membership: Membership) -> None:
        """Keep a session's part in a match, in place of an older one in the same role."""

    async def of_match(self, session_hash: str, match: str) -> Held:
        """Return as whom a session acts at a match."""

    async def of_session(self, session_hash: str) -> Sequence[Membership]:
        """Return all parts of a session, in no order."""


class Sessions:
    """Makes and recognises sessions."""

    def __init__(self, secret: bytes, store: SessionStore) -> None:
        """Take the installation's secret and the place where sessions are kept."""
        self._secret = secret
        self._store = store

    @staticmethod
    def new() -> str:
        """Return the secret of a new session. Nothing is stored until it holds something."""
        return secrets.token_urlsafe(_BYTES)

    def form_token(self, session: str) -> str:
        """Return what the forms of a session's pages carry, so that no other page can post in its name."""
        return hmac.digest(self._secret, f"tablee form\n{session}".encode(), "sha256").hex()

    def fits(self, session: str, form_token: str) -> bool:
        """Tell whether a form comes from a page of this session."""
        return hmac.compare_digest(self.form_token(session).encode(), form_token.encode())

    async def collect(self, session: str, holder: Holder, now: Instant) -> None:
        """Let a session act as the holder of a token from now on.

        Raises:
            StoreUnavailable: The store did not take it.
        """
        await self._store.put(_hashed(session), Membership(holder, now))

    async def held(self, session: str, match: str) -> Held:
        """Return as whom a session acts at a match.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        return await self._store.of_match(_hashed(session), match) if session else Held()

    async def memberships(self, session: str) -> list[Membership]:
        """Return all parts of a session, the newest first.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        found = await self._store.of_session(_hashed(session)) if session else ()
        return sorted(found, key=lambda membership: membership.since, reverse=True)


def _hashed(session: str) -> str:
    return hashlib.sha256(session.encode()).hexdigest()
