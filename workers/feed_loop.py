"""The loop that follows the feed and sends a job when a person's move leaves a bot to act."""

import asyncio
from collections.abc import Callable
from typing import Final

import structlog

from domain.instants import Instant, milliseconds_of
from domain.match.due import ATTEMPT_SECONDS, due_of
from domain.match.fold import Position
from services.errors import MatchClosed, NoSuchMatch, StoreUnavailable
from services.jobs.errors import JobStoreUnavailable
from services.log.event_store.contract import EventStore
from services.log.leases import Holding
from services.log.subscription import Subscription
from services.matches.plans import UNDO_TYPES, Plans
from services.matches.reader import MatchReader
from workers.bot_jobs import send_job
from workers.future_matches import is_ahead
from workers.held_due import HeldDue
from workers.jobs import BotsQueue
from workers.running import keep_running

CONSUMER = "bots"
"""The name under which this loop's checkpoints are kept."""

BATCH = 200
BLOCK_SECONDS = 1.0
RETRY_SECONDS = 0.2

LOOK_AFTER_QUEUE_SECONDS = 1.0
"""How often the queue's server is asked whether it still has what was sent to it."""

_USUAL_ANSWER_SECONDS: Final = 0.1

_log = structlog.get_logger(__name__)


class FeedLoop:
    """Follows the feed and sends jobs for bots."""

    def __init__(
        self,
        store: EventStore,
        reader: MatchReader,
        queue: BotsQueue,
        now: Callable[[], Instant],
        plans: Plans | None = None,
        holding: Holding | None = None,
    ) -> None:
        self._store: Final = store
        self._reader: Final = reader
        self._queue = queue
        self._now: Final = now
        self._plans: Final = plans
        self._holding: Final = holding
        self._subscription: Final = Subscription(store, CONSUMER, holding=holding)
        self._is_caught_up = self._owing = False
        self._held: frozenset[int] = frozenset()
        self._queue_looked_after_at = 0.0
        self._looking: asyncio.Task[bool] | None = None

    async def run(self) -> None:
        """Follow the feed for ever; while the store is away, keep trying."""
        await keep_running("feed", _log, self._turn, RETRY_SECONDS)

    async def _turn(self) -> float:
        # Set again only by a turn that ends well: after a break, what no pointer tells of is looked for once more.
        is_caught_up, self._is_caught_up = self._is_caught_up, False
        if self._holding is not None:
            before, self._held = self._held, self._holding.shards()
            # What another process had taken over from the feed, and may not have sent.
            is_caught_up = is_caught_up and self._held <= before
        if not is_caught_up:
            await self._catch_up()
        await self.step(BLOCK_SECONDS)
        await self._look_after_queue()
        self._is_caught_up = True
        return 0.0

    async def step(self, block: float) -> int:
        """Take the next pointers; return how many there were."""
        batch = await self._subscription.next(BATCH, block)
        if batch.missed is not None:
            await self._catch_up()
        newest = {pointer.match: pointer for pointer in batch.pointers}
        if self._plans is not None:
            # Before any plan acts: what it was made for may have been taken back.
            for match in {one.match for one in batch.pointers if UNDO_TYPES.intersection(one.types)}:
                await self._plans.suspend(match)
        for pointer in newest.values():
            await self._send(pointer.match, pointer.last)
            if self._plans is not None:
                await self._plans.act(pointer.match)
        # Two processes may have sent the same job; its id is the same.
        await self._subscription.commit(batch)
        return len(batch.pointers)

    async def _look_after_queue(self) -> None:
        """Send jobs again that the queue's server refused or lost, so that bots need not wait for the clock.

        One of several servers that is silent is waited for beside: the others' bots must not wait for it.
        """
        present = asyncio.get_running_loop().time()
        if self._looking is None:
            if present < self._queue_looked_after_at + LOOK_AFTER_QUEUE_SECONDS:
                return
            self._queue_looked_after_at = present
            self._looking = asyncio.create_task(asyncio.to_thread(self._queue.was_emptied))
        done, _ = await asyncio.wait((self._looking,), timeout=_USUAL_ANSWER_SECONDS)
        if not done:
            return
        looked, self._looking = self._looking, None
        try:
            emptied = looked.result()
        except JobStoreUnavailable as error:
            self._owe(error)
            return
        if emptied or self._owing:
            _log.info("jobs_sent_again", emptied=emptied)
            self._owing = False
            # Of several processes only the first to ask is told.
            await self._catch_up(everywhere=emptied)

    def _owe(self, error: JobStoreUnavailable) -> None:
        if not self._owing:
            _log.warning("jobs_store_unavailable", reason=str(error))
        self._owing = True

    async def _catch_up(self, *, everywhere: bool = False) -> None:
        """Send jobs for bots that no pointer will tell of: their turn came, or their job was lost, some time ago."""
        soon = milliseconds_of(self._now()) + ATTEMPT_SECONDS * 1000
        for match, _ in await HeldDue(self._store, None if everywhere else self._holding).due(soon, BATCH):
            await self._send(match, None)

    async def _notice_ahead(self, position: Position) -> None:
        """Let the clock look soon at a match whose last event is from a clock that is ahead.

        By its log it is due when time gets there, and until then nobody would miss a job that is lost.
        """
        now = self._now()
        if not is_ahead(position.at, now):
            return
        due, soon = due_of(position), milliseconds_of(now) + ATTEMPT_SECONDS * 1000
        if due is not None and due > soon:
            await self._store.set_due(position.match, position.version, soon)

    async def _send(self, match: str, version: int | None) -> None:
        try:
            position = await (
                self._reader.head(match) if version is None else self._reader.reached(match, version)
            )
        except (NoSuchMatch, MatchClosed):
            return
        except StoreUnavailable:
            raise
        except Exception:  # noqa: BLE001
            # One match that cannot be read must not stop the others' bots.
            _log.exception("match_unreadable", match=match, version=version)
            return
        await self._notice_ahead(position)
        # After a bot's move the job that made it plays on; if it died, the clock notices.
        if version is None or (position.version == version and position.door != "bot"):
            try:
                await send_job(self._queue, position, self._now())
            except JobStoreUnavailable as error:
                self._owe(error)
