"""Which closed matches wait for the archive, which cannot go there, and which heads have moved since the last digest.

==================================  ==========================================================================
``tb:{s07}:p:archive:waiting``      sorted set: closed matches by the instant at which they were closed
``tb:{s07}:p:archive:parked``       hash: matches that could not be archived, each with the reason
``tb:{s07}:p:archive:moved``        sorted set: matches with new events, by version
``tb:{s00}:p:archive:filled``       there once all matches of the store have been looked through
``tb:{s00}:p:archive:digest``       number and SHA-256 of the latest digest that was made here
==================================  ==========================================================================

All of it follows from the log, and is filled from the feed; losing it costs a scan of all matches.
"""

from collections.abc import AsyncIterator, Collection, Iterable, Iterator
from itertools import groupby
from typing import Any, Final

import msgspec
import redis.asyncio

from domain.instants import Instant
from services.log.event_store.keys import Keyspace, shard_of
from services.log.redis_errors import available

NAME: Final = "archive"
"""The name of the consumer and of its rows."""

_FORGET_PUBLISHED: Final = """
local dropped = 0
for number = 1, #ARGV, 2 do
    local version = redis.call('ZSCORE', KEYS[1], ARGV[number])
    if version and tonumber(version) <= tonumber(ARGV[number + 1]) then
        dropped = dropped + redis.call('ZREM', KEYS[1], ARGV[number])
    end
end
return dropped
"""


class ArchiveFailure(msgspec.Struct, frozen=True):
    """A match that could not be archived.

    Attributes:
        code: Why not.
        detail: The same, in words.
        at: When it was tried.
        version: The event that is wrong; 0 if none is named.
    """

    match: str
    code: str
    detail: str
    at: Instant
    version: int = 0

    @property
    def told(self) -> str:
        """Why not, in one line with its code."""
        return self.detail if self.code in self.detail else f"{self.code}: {self.detail}"


class ClosedMatches:
    """The record of closed and moved matches, on Redis. Every method may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis", shards: int) -> None:
        self._client: Final = client
        self._keyspace: Final = Keyspace(shards)
        self._filled: Final = self._keyspace.of_projection(0, NAME, "filled")
        self._digest: Final = self._keyspace.of_projection(0, NAME, "digest")

    async def filled(self) -> bool:
        """Tell whether all matches of the store have been looked through."""
        with available():
            return bool(await self._client.exists(self._filled))

    async def set_filled(self, *, filled: bool) -> None:
        """Note that all matches have been looked through, or that this must be done again."""
        with available():
            await (self._client.set(self._filled, 1) if filled else self._client.delete(self._filled))

    async def note_digest(self, number: int, sha256: str) -> None:
        """Note the latest digest: no later one says yet what it was."""
        with available():
            await self._client.set(self._digest, f"{number} {sha256}")

    async def noted_digest(self) -> tuple[int, str] | None:
        """Return number and SHA-256 of the latest digest that was noted; None if none was."""
        with available():
            found: Any = await self._client.get(self._digest)
        number, _, sha256 = (found or b"").decode(errors="replace").partition(" ")
        return (int(number), sha256) if number.isdecimal() else None

    async def mentioned(self, shard: int) -> AsyncIterator[tuple[str, str, int]]:
        """Yield a shard's matches that are noted here: the match, where, and its version if that is noted; else 0."""
        for part in ("waiting", "parked", "moved"):
            for key in self._keys(part, (shard,)):
                with available():
                    if part == "parked":
                        rows: Any = [(match, 0) for match in await self._client.hkeys(key)]
                    else:
                        rows = await self._client.zrange(key, 0, -1, withscores=True)
                for match, score in rows:
                    yield match.decode(errors="replace"), part, int(score) if part == "moved" else 0

    async def note_closed(self, match: str, closed_at: int) -> None:
        """Note that a match was closed, at an instant in milliseconds."""
        with available():
            await self._client.zadd(self._key(match, "waiting"), {match: closed_at})

    async def note_moved(self, versions: dict[str, int]) -> None:
        """Note matches that have new events, with their versions."""
        with available():
            for shard, matches in groupby(sorted(versions, key=self._shard), self._shard):
                key = self._keyspace.of_projection(shard, NAME, "moved")
                await self._client.zadd(key, {match: versions[match] for match in matches}, gt=True)

    async def closed_before(self, until: int, count: int, shards: Collection[int] | None = None) -> list[str]:
        """Return matches that were closed no later than an instant, at most so many per shard."""
        found: list[str] = []
        with available():
            for key in self._keys("waiting", shards):
                rows: Any = await self._client.zrangebyscore(key, "-inf", until, start=0, num=count)
                found += (row.decode() for row in rows)
        return found

    async def waiting(self) -> int:
        """Return how many matches wait."""
        with available():
            return sum([await self._client.zcard(key) for key in self._keys("waiting")])

    async def done(self, match: str) -> None:
        """Forget a match that is archived."""
        with available():
            await self._client.zrem(self._key(match, "waiting"), match)
            await self._client.hdel(self._key(match, "parked"), match)

    async def set_aside(self, failure: ArchiveFailure) -> None:
        """Set a match aside that cannot be archived, so that the others go on."""
        with available():
            key = self._key(failure.match, "parked")
            await self._client.hset(key, failure.match, msgspec.json.encode(failure).decode())
            await self._client.zrem(self._key(failure.match, "waiting"), failure.match)

    async def dead_letters(self) -> list[ArchiveFailure]:
        """Return the matches that were set aside."""
        found: list[ArchiveFailure] = []
        with available():
            for key in self._keys("parked"):
                rows = await self._client.hvals(key)
                found += (msgspec.json.decode(row, type=ArchiveFailure) for row in rows)
        return sorted(found, key=lambda one: one.match)

    async def moved(self) -> AsyncIterator[str]:
        """Yield the matches that have new events since the last digest."""
        for key in self._keys("moved"):
            with available():
                rows: Any = await self._client.zrange(key, 0, -1)
            for row in rows:
                yield row.decode()

    async def forget_moved(self, versions: Iterable[tuple[str, int]]) -> None:
        """Forget that matches have moved, unless they have moved on since they were published."""
        by_shard = sorted(versions, key=lambda one: self._shard(one[0]))
        with available():
            for shard, rows in groupby(by_shard, lambda one: self._shard(one[0])):
                key = self._keyspace.of_projection(shard, NAME, "moved")
                arguments = [part for row in rows for part in row]
                await self._client.eval(_FORGET_PUBLISHED, 1, key, *arguments)

    def _shard(self, match: str) -> int:
        return shard_of(match, self._keyspace.shards)

    def _key(self, match: str, part: str) -> str:
        return self._keyspace.of_projection(self._shard(match), NAME, part)

    def _keys(self, part: str, shards: Collection[int] | None = None) -> Iterator[str]:
        wanted = range(self._keyspace.shards) if shards is None else sorted(shards)
        return (self._keyspace.of_projection(shard, NAME, part) for shard in wanted)
