"""The part of the feed that this process reads: the shards of matches that somebody watches here.

Whoever begins to watch in a shard that nobody watched has read the log before this knows where the shard's feed ends.
Between the two something may have happened, so such a shard is handed out as begun anew, and its streams read the log
once more. Behind that place every pointer is handed out once and in order, for as long as somebody watches there.
"""

import asyncio
from collections import Counter
from collections.abc import Iterable
from typing import Final, NamedTuple

import structlog

from services.log.event_store.contract import EventStore, Pointer
from services.log.event_store.errors import FeedGap
from services.log.event_store.keys import shard_of

_log = structlog.get_logger(__name__)


class Part(NamedTuple):
    """What came of the feed.

    Attributes:
        pointers: What is new, in order within each shard.
        anew: The shards that are read from their ends on: what happened there before may be known to nobody.
    """

    pointers: list[Pointer]
    anew: frozenset[int] = frozenset()


class WatchedFeed:
    """The feed, as far as somebody watches it.

    Attributes:
        positions: How far it was read, by shard.
    """

    def __init__(self, store: EventStore) -> None:
        self._store: Final = store
        self._watched: Final[Counter[int]] = Counter()
        self._stirred = asyncio.Event()
        self.positions: dict[int, int] = {}

    def enter(self, matches: Iterable[str]) -> None:
        """Watch matches; each must :meth:`leave` in the end. Shards that nobody watched are read from now on."""
        self._watched.update(self.shard_of(match) for match in matches)
        if self._watched.keys() - self.positions.keys():
            self._stirred.set()

    def leave(self, matches: Iterable[str]) -> None:
        """Watch matches no longer. A shard that nobody watches is left out of the next question."""
        self._watched.subtract(Counter(self.shard_of(match) for match in matches))
        for shard in [one for one, watchers in self._watched.items() if watchers <= 0]:
            del self._watched[shard]

    def shard_of(self, match: str) -> int:
        """Return the shard of a match."""
        return shard_of(match, self._store.shards)

    async def next(self, count: int, block: float) -> Part:
        """Return what is new, or nothing after some time; wait for as long as nobody watches.

        Args:
            count: At most so many pointers of each shard.
            block: Seconds to wait for something new.

        Raises:
            StoreUnavailable: The store did not answer. Nothing was passed over.
        """
        while not self._watched:
            # What happens meanwhile is read by nobody, so whoever comes to a shard that was read before must stir too.
            self.positions = {}
            self._stirred.clear()
            await self._stirred.wait()
        self._stirred.clear()
        self.positions = {shard: at for shard, at in self.positions.items() if shard in self._watched}
        if self._watched.keys() - self.positions.keys():
            return await self._begin()
        pointers = await self._read(count, block)
        if pointers == []:
            # A store that was put back to an older state says nothing until its feed is as long as it was.
            return await self._begin()
        for pointer in pointers or ():
            self.positions[pointer.shard] = pointer.position
        return Part(pointers or [])

    async def _read(self, count: int, block: float) -> list[Pointer] | None:
        """Return what is new; None if somebody has begun to watch elsewhere, or something is missing."""
        reading = asyncio.create_task(self._store.feed(self.positions, count, block))
        stirring = asyncio.create_task(self._stirred.wait())
        try:
            await asyncio.wait((reading, stirring), return_when=asyncio.FIRST_COMPLETED)
            if not reading.done():
                return None
            return reading.result()
        except FeedGap as gap:
            _log.warning("feed_gap", reason=str(gap))
            self.positions.pop(gap.shard, None)
            return None
        finally:
            # What an interrupted question would have been told comes again: no position has moved.
            for task in (reading, stirring):
                task.cancel()
            await asyncio.gather(reading, stirring, return_exceptions=True)

    async def _begin(self) -> Part:
        """Begin at the ends of feeds that were not read, or that end before the place up to which they were."""
        heads = await self._store.positions()
        behind = {shard for shard, at in self.positions.items() if heads[shard] < at}
        if behind:
            _log.warning("feed_went_back", shards=sorted(behind))
        anew = frozenset((self._watched.keys() - self.positions.keys()) | behind)
        self.positions |= {shard: heads[shard] for shard in anew}
        return Part([], anew)
