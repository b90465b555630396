"""Which matches people brought from elsewhere, and who did: here such a match is somebody's claim, not the house's.

The log's server keeps ``tb:people:imported``, a Redis hash from the match's id to the instant at which it was brought,
and ``tb:people:person:<person>:imported``, a sorted set of matches by the millisecond at which they brought each.
This is stored data with backups, not a projection: the log of such a match says nothing of it. What operators import
is not in it: they vouch for that themselves.
"""

from collections.abc import Sequence
from typing import Any, Final

import redis.asyncio

from domain.instants import Instant, milliseconds_of
from services.log.redis_errors import available
from services.people.dossiers import Whom
from services.people.stored_text import text_of

_ALL: Final = "tb:people:imported"


class ImportedMatches:
    """What was brought, and by whom. Methods may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        self._client: Final = client

    async def mark(self, match: str, now: Instant) -> bool:
        """Note that a match comes from elsewhere; tell whether nobody had noted it before."""
        with available():
            return bool(await self._client.hsetnx(_ALL, match, now))

    async def unmark(self, match: str) -> None:
        """Take the note back: the match was not taken in."""
        with available():
            await self._client.hdel(_ALL, match)

    async def since(self, matches: Sequence[str]) -> list[Instant]:
        """Return when each of some matches was brought, in the same order; empty for one that was played here."""
        if not matches:
            return []
        with available():
            return [Instant(text_of(one)) for one in await self._client.hmget(_ALL, list(matches))]

    async def note(self, person: str, match: str, now: Instant) -> None:
        """Note that a person brought a match."""
        with available():
            await self._client.zadd(_of(person), {match: milliseconds_of(now)}, nx=True)

    async def has_brought(self, person: str, match: str) -> bool:
        """Tell whether a person brought a match."""
        with available():
            return await self._client.zscore(_of(person), match) is not None

    async def count(self, person: str) -> int:
        """Return how many matches a person brought."""
        with available():
            return int(await self._client.zcard(_of(person)))

    async def of(self, person: str) -> list[str]:
        """Return the matches that a person brought, the latest first."""
        with available():
            return [text_of(one) for one in await self._client.zrevrange(_of(person), 0, -1)]

    async def move(self, person: str, to: str) -> None:
        """Let another person have brought what a person did."""
        with available():
            for one in await self._client.zrange(_of(person), 0, -1, withscores=True):
                await self._client.zadd(_of(to), {text_of(one[0]): float(one[1])}, nx=True)
            await self._client.delete(_of(person))

    async def erase(self, person: str) -> None:
        """Forget who brought these matches; that they were brought stays known."""
        with available():
            await self._client.delete(_of(person))


class MatchesBrought:
    """The kind of a dossier: the matches that they brought from elsewhere."""

    name: Final = "imported_matches"

    def __init__(self, imported: ImportedMatches) -> None:
        self._imported = imported

    async def shown(self, whom: Whom) -> Any:
        """Return the matches."""
        return await self._imported.of(whom.person)

    async def move(self, whom: Whom, to: str) -> None:
        """Let the other person have brought them."""
        await self._imported.move(whom.person, to)

    async def erase(self, whom: Whom) -> None:
        """Forget that they did."""
        await self._imported.erase(whom.person)


def _of(person: str) -> str:
    return f"tb:people:person:{person}:imported"
