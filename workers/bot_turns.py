"""The RQ job that plays the bots' turns of a match."""

import asyncio
from contextlib import suppress

import structlog

from services.bootstrap import application, present_instant
from services.errors import NoSuchMatch, StoreUnavailable
from services.logs import correlation
from services.settings import Settings, installation_secret, load_settings
from workers.bot_jobs import send_job
from workers.jobs import BotsQueue, JobStoreUnavailable, connect

PLAY_SECONDS = 20.0
"""How long one job plays on; a longer run of bots' turns goes on in the job that it leaves behind."""

_log = structlog.get_logger(__name__)


def play(match: str, trace: str) -> int:
    """Play all consecutive bot turns of a match.

    Args:
        match: The match's id.
        trace: Correlation id of the request that made the bots move.

    Returns:
        How many turns were played.
    """
    with correlation(trace or None):
        return asyncio.run(_play(load_settings(), match, trace))


async def _play(settings: Settings, match: str, trace: str) -> int:
    if settings.log_store_url is None:
        raise StoreUnavailable("TABLEE_LOG_STORE_URL is not set")
    secret = installation_secret(settings)
    async with application(
        settings.log_store_url, settings.shards, secret, settings.archive_address
    ) as parts:
        try:
            played = await parts.bots.play_turns(match, trace=trace, seconds=PLAY_SECONDS)
        except NoSuchMatch:
            _log.warning("bots_found_no_match", match=match)
            return 0
    _log.info("bots_played", match=match, turns=played.turns)
    if settings.job_store_url is not None:
        queue = BotsQueue(connect(settings.job_store_url))
        # Bots that are still to act: the time was used up, and the next job goes on. Else the clock sends it.
        with suppress(JobStoreUnavailable):
            await send_job(queue, played.position, present_instant())
    return played.turns
