"""What concerns all matches at once: whether the store is older than it was, and whether workers take jobs."""

import asyncio
from typing import Final, Literal

import msgspec
from redis.exceptions import RedisError

from api.parts import Parts
from domain.instants import Instant
from services.bootstrap import present_instant
from services.bootstrap.clients import LOOKING, client
from services.log.high_water_mark import HighWaterMarkFile, WentBack, compared
from services.watch.metrics.workers import live_workers

_PATIENCE: Final = 1.0

Hands = Literal["ok", "none", "away", "not_configured"]
"""Who takes jobs: a worker, none, nobody can tell since the jobs' server does not answer, or there is no server."""


class Installation(msgspec.Struct, frozen=True):
    """What concerns all matches.

    Attributes:
        went_back: Which feed is shorter than it was; None if none is, or nothing was noted beside the store.
        hands: Who takes jobs.
    """

    went_back: WentBack | None
    hands: Hands

    @property
    def is_well(self) -> bool:
        """Whether nothing of this needs an operator."""
        return self.went_back is None and self.hands in {"ok", "not_configured"}


async def installation_of(parts: Parts) -> Installation:
    """Return what concerns all matches.

    Raises:
        StoreUnavailable: The log's server did not answer.
    """
    # Not what a page calls now: signs of life are held against the clock.
    now = present_instant()
    return Installation(await went_back(parts, now), await _hands(parts.settings.job_store_url, now))


async def went_back(parts: Parts, now: Instant) -> WentBack | None:
    """Return which feed is shorter than it was when the loops noted it beside the store.

    Raises:
        StoreUnavailable: The log's server did not answer.
    """
    heights = HighWaterMarkFile(parts.settings.data_folder, parts.settings.log_store_url or "").read()
    return None if heights is None else compared(heights, await parts.application.store.positions(), now)


async def _hands(url: str | None, now: Instant) -> Hands:
    if url is None:
        return "not_configured"
    try:
        async with asyncio.timeout(_PATIENCE), client(url, LOOKING) as jobs:
            return "ok" if await live_workers(jobs, now) else "none"
    except (RedisError, OSError):
        return "away"
