"""The process that follows the feed and the clock, and keeps the archive: ``python -m workers.loops``."""

import asyncio
import signal
from collections.abc import Coroutine
from typing import Any, Final

import redis
import structlog

from services.bootstrap import present_instant
from services.bootstrap.clients import SENDING
from services.bootstrap.notices import notice_parts
from services.bootstrap.parts import Application, opening_of
from services.bootstrap.queue import opened_jobs
from services.errors import BelongsElsewhere, StoreUnavailable
from services.jobs.notices import NoticesQueue
from services.jobs.servers import Spread
from services.log.archive.following import ClosedMatchesFollower
from services.log.belonging import installation_id
from services.log.embedded.start_report import report_started
from services.log.held_clock import say_held
from services.log.high_water_mark import HighWaterMarkFile
from services.log.leases import ShardLeases
from services.log.secret_mark import mark_of
from services.matches.outages import Outages
from services.process.event_loops import quick_loop
from services.process.games import load_games
from services.process.rare_collections import collect_rarely
from services.process.service_log import configure_logs
from services.process.settings import Settings, installation_secret, load_settings
from workers.archive_loop import ArchiveLoop
from workers.clock_loop import ClockLoop
from workers.clock_watch import ClockWatch, elapsed_seconds
from workers.counts_loop import CountsLoop
from workers.feed_loop import FeedLoop
from workers.forgetting_loop import ForgettingLoop
from workers.high_water_mark_loop import HighWaterMarkLoop
from workers.jobs import SpreadQueue
from workers.leagues_loop import LeaguesLoop
from workers.notices_loop import NoticesLoop
from workers.own_jobs import own_servers, require_own_jobs
from workers.projection_loop import ProjectionLoop

_log = structlog.get_logger(__name__)

FEED, CLOCK, PROJECTIONS, ARCHIVE, NOTICES = "feed", "clock", "projections", "archive", "notices"
DUTIES: Final = (FEED, CLOCK, PROJECTIONS, ARCHIVE, NOTICES)
"""What there is to do for each shard; several processes share it."""

DIGESTS, SENDING_NOTICES = "digests", "sending"
SINGLE: Final = (DIGESTS, SENDING_NOTICES)
"""What one process does for all."""

_RETRY_SECONDS = 0.2
SECONDS_PER_DAY = 86_400


async def run(settings: Settings, stop: asyncio.Event) -> None:
    """Run the loops until told to stop."""
    if settings.log_store_url is None:
        raise SystemExit("TABLEE_LOG_STORE_URL must be set")
    opening = opening_of(settings)
    mark = HighWaterMarkFile(settings.data_folder, settings.log_store_url)
    beating: asyncio.Task[None] | None = None
    with opened_jobs(own_servers(settings), SENDING) as connections:
        while not stop.is_set():
            try:
                async with opening() as parts:
                    await asyncio.to_thread(require_own_jobs, connections, settings)
                    beating = beating or asyncio.create_task(report_started().keep_beating())
                    mark.installation = await installation_id(parts.log_client)
                    leases = ShardLeases(parts.store, DUTIES, SINGLE)
                    try:
                        await leases.step()
                        await _until(stop, *_loops(parts, connections, mark, settings, leases))
                    finally:
                        await leases.give_back()
                    # Whoever stops the service while it holds people's time back says that the clock is right.
                    await say_held(parts.log_client, None)
            except StoreUnavailable as error:
                _log.warning("loops_wait_for_the_store", reason=str(error))
                await asyncio.sleep(_RETRY_SECONDS)
    if beating is not None:
        beating.cancel()


def _loops(
    parts: Application,
    connections: Spread["redis.Redis"],
    mark: HighWaterMarkFile,
    settings: Settings,
    leases: ShardLeases,
) -> list[Coroutine[Any, Any, None]]:
    queue, grace = SpreadQueue(connections), settings.archive_after_days * SECONDS_PER_DAY
    return [
        leases.run(),
        NoticesLoop(
            parts.store,
            notice_parts(parts, settings),
            NoticesQueue(connections),
            present_instant,
            leases.of(NOTICES),
            leases.of(SENDING_NOTICES),
        ).run(),
        FeedLoop(parts.store, parts.reader, queue, present_instant, parts.plans, leases.of(FEED)).run(),
        ClockLoop(
            parts.store,
            parts.reader,
            parts.service,
            parts.bots,
            queue,
            present_instant,
            ClockWatch(present_instant, parts.log_client),
            outages=Outages(
                parts.store, parts.reader, parts.service, parts.log_client, present_instant, elapsed_seconds
            ),
            rests=parts.rests,
            holding=leases.of(CLOCK),
        ).run(),
        ArchiveLoop(
            ClosedMatchesFollower(parts.store, parts.closed, parts.archivist, leases.of(ARCHIVE)),
            parts.archivist,
            parts.digest_maker,
            grace,
            leases.of(ARCHIVE),
            leases.of(DIGESTS),
        ).run(),
        ProjectionLoop(
            parts.log_client, parts.store, parts.reader, present_instant, leases.of(PROJECTIONS)
        ).run(),
        CountsLoop(connections, parts.counts, mark_of(installation_secret(settings))).run(),
        HighWaterMarkLoop(parts.store, mark, present_instant).run(),
        ForgettingLoop(parts.dossiers, parts.clubs, present_instant).run(),
        LeaguesLoop(parts.league_runner).run(),
    ]


async def _until(stop: asyncio.Event, *running: Coroutine[Any, Any, None]) -> None:
    stopping = asyncio.create_task(stop.wait())
    loops = [asyncio.create_task(one) for one in running]
    done, pending = await asyncio.wait([stopping, *loops], return_when=asyncio.FIRST_COMPLETED)
    for task in pending:
        task.cancel()
    await asyncio.gather(*pending, return_exceptions=True)
    for task in done:
        # A loop never ends by itself: what it raised ends this process, and the supervisor starts it again.
        task.result()


def main() -> None:
    """Start the loops; stop them on SIGTERM or SIGINT."""
    settings = load_settings()
    configure_logs(settings.log_format, settings.log_level, process="loops")
    load_games(settings.games)
    collect_rarely()

    async def until_signalled() -> None:
        stop = asyncio.Event()
        running = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGINT):
            running.add_signal_handler(number, stop.set)
        await run(settings, stop)

    try:
        with asyncio.Runner(loop_factory=quick_loop()) as runner:
            runner.run(until_signalled())
    except BelongsElsewhere as error:
        _log.critical("loops_not_started", code=error.code, reason=str(error))
        raise SystemExit(1) from None


if __name__ == "__main__":
    main()
