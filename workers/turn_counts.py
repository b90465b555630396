"""Handing over what a worker has counted: one question at a time, so that a silent server holds up no turn."""

import asyncio
from typing import Final

import redis
from redis.exceptions import RedisError

from services.process.counts import Counts
from services.watch.metrics.kept_counts import keep_counts


class TurnCounts:
    """What was counted and is not handed over yet."""

    def __init__(self) -> None:
        self._waiting: Final = Counts()
        self._is_asking = False

    async def hand_over(self, client: "redis.Redis", counts: Counts) -> None:
        """Add to it, and hand it over; what the server does not take goes with the next ones."""
        self._waiting.merge(counts)
        if self._is_asking:
            return
        self._is_asking = True
        try:
            while (taken := self._waiting.take()).counters or taken.spreads:
                try:
                    await asyncio.to_thread(keep_counts, client, taken)
                except (RedisError, OSError):
                    self._waiting.merge(taken)
                    return
        finally:
            self._is_asking = False
