"""Several processes of the API behind one port: what each counts is added up on the jobs' server, for any of them."""

import asyncio
from contextlib import suppress
from typing import Final

import redis
from redis.exceptions import RedisError

from services.process.counts import Counts
from services.watch.metrics.kept_counts import keep_counts

EVERY_SECONDS: Final = 1.0


class HandingOver:
    """Hands over what this process has counted, again and again."""

    def __init__(self, jobs: "redis.Redis", *counts: Counts) -> None:
        """Take a client of the jobs' server, and what counts in this process."""
        self._jobs: Final = jobs
        self._counts: Final = counts
        self._waiting = Counts()

    async def run(self) -> None:
        """Hand over until cancelled."""
        while True:
            await asyncio.sleep(EVERY_SECONDS)
            await self.step()

    async def step(self) -> None:
        """Hand over what is there; what the server does not take waits."""
        for counts in self._counts:
            self._waiting.merge(counts.take())
        with suppress(RedisError, OSError):
            await asyncio.to_thread(keep_counts, self._jobs, self._waiting)
            self._waiting = Counts()
