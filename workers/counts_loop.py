"""The loop that hands over what the loops have counted, says that they live, and whose the servers for jobs are."""

import asyncio
from contextlib import suppress
from typing import Final

import redis
from redis.exceptions import RedisError

from services.jobs.claim import claim_all
from services.jobs.servers import Spread
from services.process.counts import Counts
from services.watch.metrics.kept_counts import keep_counts

PAUSE_SECONDS: Final = 5.0
"""A third of the time after which the loops are taken for dead."""


class CountsLoop:
    """Writes to the servers for jobs now and then."""

    def __init__(self, clients: Spread["redis.Redis"], counts: Counts, installation: str = "") -> None:
        self._clients = clients
        self._installation = installation
        self._counts = counts
        self._waiting = Counts()

    async def run(self) -> None:
        """Hand over for ever; while the server is away, count on."""
        while True:
            await self.step()
            await asyncio.sleep(PAUSE_SECONDS)

    async def step(self) -> None:
        """Hand over what was counted since the last time."""
        self._waiting.merge(self._counts.take())
        # Whoever looks after the queue tells that its server is away.
        with suppress(RedisError, OSError):
            await asyncio.to_thread(keep_counts, self._clients.all[0], self._waiting, loops_live=True)
            self._waiting = Counts()
        for other in self._clients.all[1:]:
            with suppress(RedisError, OSError):
                await asyncio.to_thread(keep_counts, other, Counts(), loops_live=True)
        if self._installation:
            await asyncio.to_thread(claim_all, self._clients.servers, self._clients.all, self._installation)
