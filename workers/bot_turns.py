"""The RQ job that plays the bots' turns of a match."""

import asyncio
import time
from contextlib import suppress
from typing import Final

import structlog
from redis.exceptions import RedisClusterException, RedisError
from rq import get_current_job

from services.bootstrap import present_instant
from services.bootstrap.clients import LOOKING, SENDING, blocking_client_of_log
from services.bootstrap.parts import Opening, opening_of
from services.errors import NoSuchMatch, OutcomeUnknown, StoreUnavailable
from services.jobs.bots import ALONE_NAME
from services.jobs.errors import JobStoreUnavailable
from services.jobs.servers import job_servers
from services.log.event_store.known_commands import has_accepted
from services.matches.bots import Played, turn_of
from services.matches.hands import HANDS
from services.process.counts import Counts
from services.process.service_log import correlation
from services.process.settings import Settings, load_settings
from workers.bot_jobs import send_job
from workers.jobs import JOB_SECONDS, BotsQueue
from workers.open_house import HOUSE
from workers.turn_counts import TurnCounts

PLAY_SECONDS = 0.25
"""How long one job plays on that waits for the pace of its moves; in a worker that stays a job plays one turn where
people play. A longer run of bots' turns goes on in the job that it leaves behind, at the end of the queue. The queue
stays first in, first out: jobs that jump it would starve those which people have waited for longer."""

PLAY_ALONE_SECONDS = 0.05
"""How long one job plays on at a table of bots only: somebody may begin to wait for a bot elsewhere."""

PATIENCE_SECONDS = 20.0
"""How long a job waits for a log that is away."""

RETRY_SECONDS = 0.2
"""How long a job waits for a log that is away before it tries again."""

_COUNTS: Final = TurnCounts()
_log = structlog.get_logger(__name__)


def play(match: str, trace: str) -> int:
    """Play all consecutive bot turns of a match; return how many.

    A move whose time has not come is made later, and counts for none: this worker judges other tables' turns meanwhile.
    If it is killed before, the clock sends the turn's job again.
    """
    with correlation(trace or None):
        try:
            settings = load_settings()
            if _came_too_late(settings, match):
                return 0
            return HOUSE.run(_play(settings, match, trace, _seconds()), JOB_SECONDS) or 0
        except Exception as error:
            # RQ tells it too, with all of its lines, and does not know the correlation id.
            _log.error("bots_job_failed", match=match, reason=f"{type(error).__name__}: {error}")
            raise


def _came_too_late(settings: Settings, match: str) -> bool:
    """Tell whether the turn for which this job was sent is played: another attempt did it, or the clock.

    Asked before anything is opened. While the queue is long, such jobs come in numbers, and those that people wait for
    stand behind them. What is to be played after that turn has a job of its own.
    """
    job = get_current_job()
    turn = turn_of(job.id) if job is not None else None
    if job is None or turn is None or settings.log_store_url is None:
        return False
    try:
        client = HOUSE.client(settings.log_store_url, LOOKING, blocking_client_of_log)
    except (RedisError, RedisClusterException, OSError):
        return False  # whoever plays the turn finds out
    late = has_accepted(client, settings.shards, match, *turn)
    HOUSE.done_with(client)
    if late:
        _log.info("bots_job_came_too_late", match=match, job=job.id)
    return late


async def _play(settings: Settings, match: str, trace: str, seconds: float) -> int:
    try:
        return await _played(settings, match, trace, seconds)
    except Exception as error:
        if HANDS.get().left:
            # No job waits that could fail.
            _log.error("bots_move_not_made", match=match, reason=f"{type(error).__name__}: {error}")
        raise


async def _played(settings: Settings, match: str, trace: str, seconds: float) -> int:
    if settings.log_store_url is None:
        raise StoreUnavailable("TABLEE_LOG_STORE_URL is not set")
    counts = Counts()
    try:
        played = await _play_patiently(opening_of(settings), match, trace, seconds, counts)
    except NoSuchMatch:
        _log.warning("bots_found_no_match", match=match)
        return 0
    _log.info("bots_played", match=match, turns=played.turns)
    servers = job_servers(settings)
    if servers is not None:
        connection = HOUSE.client(servers.url_of(match), SENDING)
        # Bots that are still to act: the time was used up, and the next job goes on. Else the clock sends it.
        with suppress(JobStoreUnavailable):
            await send_job(BotsQueue(connection), played.position, present_instant())
        HOUSE.done_with(connection)
        HANDS.get().leave()
        first = HOUSE.client(servers.first, SENDING)
        await _COUNTS.hand_over(first, counts)
        HOUSE.done_with(first)
    return played.turns


async def _play_patiently(opening: Opening, match: str, trace: str, seconds: float, counts: Counts) -> Played:
    """Play; while the log is away, try again: a turn that was played all the same is not played twice."""
    end, told = time.monotonic() + PATIENCE_SECONDS, False
    while True:
        try:
            async with HOUSE.parts(opening) as parts:
                try:
                    return await parts.bots.play_turns(match, trace=trace, seconds=seconds)
                finally:
                    counts.merge(parts.counts.take())
        except (StoreUnavailable, OutcomeUnknown) as error:
            if HANDS.get().left or time.monotonic() >= end:
                raise
            if not told:
                _log.warning("bots_wait_for_the_log", match=match, reason=str(error))
            told = True
            HOUSE.beat()
            await asyncio.sleep(RETRY_SECONDS)


def _seconds() -> float:
    job = get_current_job()
    return PLAY_ALONE_SECONDS if job is not None and job.origin == ALONE_NAME else PLAY_SECONDS
