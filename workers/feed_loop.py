"""The loop that follows the feed: when a person's move leaves a bot to act, a job plays it."""

import asyncio
from collections.abc import Callable

import structlog

from domain.instants import Instant, milliseconds_of
from domain.match.due import ATTEMPT_SECONDS
from services.errors import MatchClosed, NoSuchMatch, StoreUnavailable
from services.log.event_store.contract import EventStore, Pointer
from services.log.event_store.errors import FeedGap
from services.matches.reader import MatchReader
from workers.bot_jobs import send_job
from workers.jobs import BotsQueue, JobStoreUnavailable

CONSUMER = "bots"
"""The name under which this loop's checkpoints are kept."""

BATCH = 200
BLOCK_SECONDS = 1.0
RETRY_SECONDS = 0.2

LOOK_AFTER_QUEUE_SECONDS = 1.0
"""How often the queue's server is asked whether it still has what was sent to it."""

_TRIM_EVERY = 500

_log = structlog.get_logger(__name__)


class FeedLoop:
    """Follows all shards' feeds and sends jobs for bots."""

    def __init__(
        self, store: EventStore, reader: MatchReader, queue: BotsQueue, now: Callable[[], Instant]
    ) -> None:
        """Take the log, a reader on it, the queue, and a clock."""
        self._store = store
        self._reader = reader
        self._queue = queue
        self._now = now
        self._positions: dict[int, int] = {}
        self._seen = 0
        self._owing = False
        self._queue_looked_after_at = 0.0

    async def run(self) -> None:
        """Follow the feed for ever; while the store is away, keep trying."""
        away = False
        while True:
            try:
                if not self._positions:
                    self._positions = await self._registered()
                    await self._catch_up()
                await self.step(BLOCK_SECONDS)
                await self._look_after_queue()
            except (StoreUnavailable, FeedGap) as error:
                if not away:
                    _log.warning("feed_waits", reason=str(error))
                away = True
                self._positions = {}
                await asyncio.sleep(RETRY_SECONDS)
            else:
                if away:
                    _log.info("feed_goes_on")
                away = False

    async def step(self, block: float) -> int:
        """Take the next pointers; return how many there were."""
        pointers = await self._store.feed(self._positions, BATCH, block)
        newest: dict[str, Pointer] = {pointer.match: pointer for pointer in pointers}
        for pointer in newest.values():
            await self._send(pointer.match, pointer.last)
        await self._advance(pointers)
        return len(pointers)

    async def _look_after_queue(self) -> None:
        """Send again what the queue's server did not take, or has lost: bots are not to wait for the clock."""
        present = asyncio.get_running_loop().time()
        if present < self._queue_looked_after_at + LOOK_AFTER_QUEUE_SECONDS:
            return
        self._queue_looked_after_at = present
        try:
            emptied = await asyncio.to_thread(self._queue.was_emptied)
        except JobStoreUnavailable as error:
            self._owe(error)
            return
        if emptied or self._owing:
            _log.info("jobs_sent_again", emptied=emptied)
            self._owing = False
            await self._catch_up()

    def _owe(self, error: JobStoreUnavailable) -> None:
        if not self._owing:
            _log.warning("jobs_store_unavailable", reason=str(error))
        self._owing = True

    async def _registered(self) -> dict[int, int]:
        heads = await self._store.positions()
        positions = {}
        for shard, head in heads.items():
            known = await self._store.checkpoint(CONSUMER, shard)
            if known is None:
                await self._store.advance(CONSUMER, shard, None, head)
            elif known > head:
                # The feed is shorter than what was read of it: the store went back in time.
                _log.critical("store_went_back", shard=shard, checkpoint=known, head=head)
                await self._store.advance(CONSUMER, shard, known, head)
            positions[shard] = head if known is None else min(known, head)
        return positions

    async def _catch_up(self) -> None:
        """Send jobs for bots that were asked before this loop was there to see it."""
        soon = milliseconds_of(self._now()) + ATTEMPT_SECONDS * 1000
        for match, _ in await self._store.due(soon, BATCH):
            await self._send(match, None)

    async def _advance(self, pointers: list[Pointer]) -> None:
        furthest: dict[int, int] = {}
        for pointer in pointers:
            furthest[pointer.shard] = pointer.position
        for shard, position in furthest.items():
            if not await self._store.advance(CONSUMER, shard, self._positions[shard], position):
                # Another process follows the same feed; both may send a job, its id is the same. From here on we
                # follow from where it stands: a checkpoint that nobody knows any more would never move again.
                _log.debug("checkpoint_moved_elsewhere", shard=shard)
                position = await self._store.checkpoint(CONSUMER, shard) or position  # noqa: PLW2901
            self._positions[shard] = position
        self._seen += len(pointers)
        if self._seen >= _TRIM_EVERY:
            self._seen = 0
            for shard in self._positions:
                await self._store.trim_feed(shard)

    async def _send(self, match: str, version: int | None) -> None:
        try:
            position = await self._reader.head(match)
        except (NoSuchMatch, MatchClosed):
            return
        except StoreUnavailable:
            raise
        except Exception:  # noqa: BLE001
            # One match that cannot be read must not stop the others' bots.
            _log.exception("match_unreadable", match=match, version=version)
            return
        # After a bot's move the job that made it plays on; if it died, the clock notices.
        if version is None or (position.version == version and position.door != "bot"):
            try:
                await send_job(self._queue, position, self._now())
            except JobStoreUnavailable as error:
                self._owe(error)
