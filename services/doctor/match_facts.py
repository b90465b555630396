"""What is gathered about one match, at one moment, before anybody judges it."""

from typing import Final

import msgspec
import redis.asyncio
from redis.exceptions import RedisError

from domain.entries import StoredEntry
from domain.errors import BrokenLog
from services.errors import StoreUnavailable
from services.event_store.contract import EventStore, Meta, Status
from services.event_store.keys import Keyspace

_ATTEMPTS: Final = 5


class MatchFacts(msgspec.Struct, frozen=True):
    """A match as the store has it.

    Attributes:
        match: Its id.
        meta: The store's record; None if it cannot be read.
        scheduled: Its instant in the due index, in milliseconds; None if it is not there.
        entries: Its log, as far as it can be read; nothing for one in the archive.
        problem: Why record or log could not be read.
        settled: Whether nothing moved while this was gathered: what has moved is not judged.
    """

    match: str
    meta: Meta | None
    scheduled: int | None
    entries: tuple[StoredEntry, ...] = ()
    problem: BrokenLog | None = None
    settled: bool = True


class MatchLooker:
    """Gathers facts about matches while others write to them."""

    def __init__(self, store: EventStore, client: "redis.asyncio.Redis") -> None:
        """Take the store itself, not one that reads the archive too, and a client of its server."""
        self._store: Final = store
        self._client: Final = client
        self._keyspace: Final = Keyspace(store.shards)

    async def look(self, match: str) -> MatchFacts:
        """Gather the facts about a match.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        facts = await self._once(match)
        for _ in range(_ATTEMPTS):
            if facts.settled:
                break
            facts = await self._once(match)
        return facts

    async def scheduled(self, match: str) -> int | None:
        """Return a match's instant in the due index."""
        try:
            score = await self._client.zscore(self._keyspace.of_shard_of(match).due, match)
        except (RedisError, OSError) as error:
            raise StoreUnavailable(str(error)) from error
        return None if score is None else int(score)

    async def _once(self, match: str) -> MatchFacts:
        before, problem = await self._meta(match)
        scheduled = await self.scheduled(match)
        entries: list[StoredEntry] = []
        if before is None or before.status is not Status.ARCHIVED:
            try:
                entries = await self._store.read(match)
            except BrokenLog as broken:
                problem = problem or broken
                if broken.version > 1:
                    entries = await self._store.read(match, last=broken.version - 1)
        after, _ = await self._meta(match)
        return MatchFacts(match, before, scheduled, tuple(entries), problem, settled=before == after)

    async def _meta(self, match: str) -> tuple[Meta | None, BrokenLog | None]:
        try:
            return await self._store.meta(match), None
        except BrokenLog as error:
            return None, error
