"""Who may look behind the pages: operators, let in by one-time links.

A link is a secret of 256 bits that opens one session, within a day. A session is another one, in a cookie, for thirty
days. Only hashes are stored: whoever reads the store can neither use a link nor be an operator's browser.
"""

import hashlib
import re
import secrets
from typing import Final, NamedTuple, Protocol

from domain.instants import Instant, milliseconds_of

LINK_SECONDS: Final = 24 * 3600
"""How long a link can be used."""

SESSION_SECONDS: Final = 30 * 24 * 3600
"""How long a session lasts."""

_BYTES: Final = 32
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{43}").fullmatch


class Ended(NamedTuple):
    """What was ended.

    Attributes:
        sessions: The number of operators' sessions.
        links: The number of links that nobody had used.
    """

    sessions: int
    links: int


class OperatorStore(Protocol):
    """Where links and sessions are kept, by the hash of their secret. Every method may raise ``StoreUnavailable``.

    Instants are milliseconds since the epoch.
    """

    async def put_link(self, link_hash: str, until: int, now: int) -> None:
        """Keep a link; drop those that have expired."""

    async def take_link(self, link_hash: str, now: int) -> bool:
        """Use a link up; tell whether it could be used: of several who try at once, one can."""

    async def put_session(self, session_hash: str, until: int, now: int) -> None:
        """Keep a session; drop those that have expired."""

    async def has_session(self, session_hash: str, now: int) -> bool:
        """Tell whether a session lasts."""

    async def drop_session(self, session_hash: str) -> None:
        """End a session."""

    async def clear(self, now: int) -> Ended:
        """End all sessions and links; tell how many there were."""

    async def begin(self) -> bool:
        """Note that somebody was given a link; tell whether nobody ever was before."""


class Operators:
    """Makes and recognises operators' links and sessions."""

    def __init__(self, store: OperatorStore) -> None:
        """Take the place where they are kept."""
        self._store = store

    async def make_link(self, now: Instant) -> str:
        """Return the secret of a new link.

        Raises:
            StoreUnavailable: The store did not take it.
        """
        link, present = secrets.token_urlsafe(_BYTES), milliseconds_of(now)
        await self._store.put_link(_hashed(link), present + LINK_SECONDS * 1000, present)
        await self._store.begin()
        return link

    async def make_first_link(self, now: Instant) -> str | None:
        """Return the secret of this installation's first link; None if there has been one.

        Raises:
            StoreUnavailable: The store did not take it.
        """
        return await self.make_link(now) if await self._store.begin() else None

    async def enter(self, link: str, now: Instant) -> str | None:
        """Use a link up.

        Returns:
            The secret of the session that it opens; None if the link is unknown, was used or has expired.

        Raises:
            StoreUnavailable: The store did not answer; the link may be used up.
        """
        present = milliseconds_of(now)
        if not _SECRET(link) or not await self._store.take_link(_hashed(link), present):
            return None
        session = secrets.token_urlsafe(_BYTES)
        await self._store.put_session(_hashed(session), present + SESSION_SECONDS * 1000, present)
        return session

    async def knows(self, session: str, now: Instant) -> bool:
        """Tell whether a session is an operator's.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        return bool(_SECRET(session)) and await self._store.has_session(
            _hashed(session), milliseconds_of(now)
        )

    async def leave(self, session: str) -> None:
        """End a session.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        if _SECRET(session):
            await self._store.drop_session(_hashed(session))

    async def end_all(self, now: Instant) -> Ended:
        """End all sessions, and all links that nobody has used.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        return await self._store.clear(milliseconds_of(now))


def _hashed(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
