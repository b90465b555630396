"""What concerns all matches at once: the store, workers, the clock, and those who follow the log."""

import asyncio
from collections.abc import Mapping
from typing import Final, Literal

import msgspec
from redis.exceptions import RedisError

from api.parts import Parts
from domain.instants import Instant, milliseconds_of, seconds_between
from services.bootstrap import present_instant
from services.bootstrap.clients import LOOKING, client
from services.bootstrap.parts import Application
from services.jobs.servers import JobServers, job_servers
from services.log.high_water_mark import HighWaterMarkFile, WentBack, compared
from services.projections.followers import Follower, followers, patience_with
from services.projections.generations import Standing
from services.projections.matches import LAYOUT, NAME
from services.projections.standing import consumers, projections
from services.watch.findings import is_clock_late
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
    return Installation(await went_back(parts, now), await _hands(job_servers(parts.settings), now))


async def went_back(parts: Parts, now: Instant) -> WentBack | None:
    """Return which feed is shorter than it was when the loops noted it beside the store.

    Raises:
        StoreUnavailable: The log's server did not answer.
    """
    noted = HighWaterMarkFile(parts.settings.data_folder, parts.settings.log_store_url or "").read()
    return None if noted is None else compared(noted, await parts.application.store.positions(), now)


async def _hands(servers: JobServers | None, now: Instant) -> Hands:
    if servers is None:
        return "not_configured"
    found = await asyncio.gather(*(_hands_at(url, now) for url in servers.urls))
    return "away" if "away" in found else "none" if "none" in found else "ok"


async def _hands_at(url: str, now: Instant) -> Hands:
    try:
        async with asyncio.timeout(_PATIENCE), client(url, LOOKING) as jobs:
            return "ok" if await live_workers(jobs, now) else "none"
    except (RedisError, OSError):
        return "away"


class FollowerRow(msgspec.Struct, frozen=True):
    """A follower of the log.

    Attributes:
        seen: How far it is.
        seconds: For how long it has been behind; 0 if it is not.
        is_stuck: Whether that is too long, or it can go no further.
    """

    seen: Follower
    seconds: float
    is_stuck: bool


class Loops(msgspec.Struct, frozen=True):
    """How far the loops are.

    Attributes:
        followers: Those who follow the log.
        due: The earliest instant at which a match needs somebody, in milliseconds; None if no match does.
        late: For how many seconds it has passed; below zero if it is still to come.
        is_late: Whether the clock should have come long ago.
        projections: How the projections stand, by name.
    """

    followers: tuple[FollowerRow, ...]
    due: int | None
    late: float
    is_late: bool
    projections: Mapping[str, Standing]

    @property
    def stuck(self) -> tuple[FollowerRow, ...]:
        """Those who do not go on."""
        return tuple(row for row in self.followers if row.is_stuck)

    @property
    def is_list_old(self) -> bool:
        """Whether who keeps the list of matches does not go on."""
        return any(row.seen.name.startswith(f"{NAME}.") for row in self.stuck)


async def loops_of(parts: Application, now: Instant) -> Loops:
    """Return how far the loops are.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    due = await parts.store.next_due()
    late = 0.0 if due is None else (milliseconds_of(now) - due) / 1000
    lags = await consumers(parts.log_client, parts.store.shards)
    standing = await projections(parts.log_client, parts.store.shards)
    filling = _filling(standing)
    rows = tuple(_row(one, now, filling) for one in await followers(parts.store, lags))
    return Loops(rows, due, late, is_clock_late(due, milliseconds_of(now)), standing)


def _filling(standing: Mapping[str, Standing]) -> frozenset[str]:
    """Return who has registered and reads old matches first: a projection that is being rebuilt."""
    return frozenset(
        f"{name}.{LAYOUT}-{one.building.generation}"
        for name, one in standing.items()
        if one.building is not None
    )


def _row(one: Follower, now: Instant, filling: frozenset[str]) -> FollowerRow:
    seconds = 0.0 if one.since is None else seconds_between(one.since, now)
    is_stuck = (
        (seconds > patience_with(one.name) and one.name not in filling) or bool(one.ahead) or one.has_gap
    )
    return FollowerRow(one, seconds, is_stuck)
