"""Many who write to a log at once and never give up, and one who follows it, while things go wrong."""

import asyncio
import time
from typing import Final, Self

from services.errors import OutcomeUnknown, StoreUnavailable
from services.log.event_store.contract import Append, Appended, Duplicate
from services.log.event_store.keys import shard_of
from services.log.event_store.redis_store import RedisEventStore
from tests.conformance.journal import Journal

_LONGEST_PAUSE = 30.0


class BusyLog:
    """Writers, one for each match, and a follower of the feed.

    Attributes:
        journals: What each writer was told is in the log.
        shards: The shards of their matches.
    """

    def __init__(self, writing: RedisEventStore, reading: RedisEventStore, matches: int) -> None:
        self._writing: Final = writing
        self._reading: Final = reading
        self.journals: Final = [Journal(f"m{number}") for number in range(matches)]
        self.shards: Final = {shard_of(one.match, writing.shards) for one in self.journals}
        self._latest = dict.fromkeys(self.shards, 0.0)
        self._seen = dict.fromkeys(range(writing.shards), 0)
        self._stop: Final = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []

    async def __aenter__(self) -> Self:
        self._tasks = [asyncio.create_task(self._write(journal)) for journal in self.journals]
        self._tasks.append(asyncio.create_task(self._follow()))
        return self

    async def __aexit__(self, *_: object) -> None:
        self._stop.set()
        await asyncio.gather(*self._tasks)

    async def all_go_on(self) -> float:
        """Return after how many seconds something was acknowledged in every shard."""
        began = time.monotonic()
        while any(latest < began for latest in self._latest.values()):
            for task in self._tasks:
                if task.done():
                    task.result()
            assert time.monotonic() - began < _LONGEST_PAUSE, "some matches stand still"
            await asyncio.sleep(0.02)
        return time.monotonic() - began

    async def require_all_is_there_once(self) -> None:
        """Compare the log, and what its follower saw, with what the writers were told."""
        for journal in self.journals:
            assert await journal.matches(self._reading)
        positions = await self._reading.positions()
        assert sum(positions.values()) == sum(journal.version for journal in self.journals)
        while self._seen != positions:
            await self._look(block=1)

    async def _write(self, journal: Journal) -> None:
        while not self._stop.is_set():
            append = journal.command(text=journal.match)
            version = journal.version + 1
            assert await self._acknowledged(append) in (
                Appended(version, version),
                Duplicate(version, version),
            )
            journal.take(append)
            self._latest[shard_of(journal.match, self._writing.shards)] = time.monotonic()

    async def _acknowledged(self, append: Append) -> object:
        while True:
            try:
                return await self._writing.append(append)
            except (OutcomeUnknown, StoreUnavailable):
                await asyncio.sleep(0.05)

    async def _follow(self) -> None:
        while not self._stop.is_set():
            try:
                await self._look(block=0.5)
            except StoreUnavailable:
                await asyncio.sleep(0.05)

    async def _look(self, block: float) -> None:
        for pointer in await self._reading.feed(dict(self._seen), 500, block):
            assert pointer.position == self._seen[pointer.shard] + 1
            self._seen[pointer.shard] = pointer.position
