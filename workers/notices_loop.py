"""The loop that tells people: it follows the feed, enters what still holds, makes messages, and sends jobs for them."""

import asyncio
from collections.abc import Callable
from typing import Final

import structlog

from domain.instants import Instant
from services.bootstrap.notices import NoticeParts
from services.errors import StoreUnavailable
from services.jobs.errors import JobStoreUnavailable
from services.jobs.notices import NoticesQueue
from services.log.event_store.contract import EventStore
from services.log.leases import Holding
from services.log.subscription import Subscription
from workers.running import keep_running

CONSUMER: Final = "notices"
BATCH: Final = 200
PAUSE_SECONDS: Final = 0.5
RETRY_SECONDS: Final = 1.0

_log = structlog.get_logger(__name__)


class NoticesLoop:
    """Tells people what waits for them. Any number of processes may run it at once."""

    def __init__(
        self,
        store: EventStore,
        notices: NoticeParts,
        queue: NoticesQueue,
        now: Callable[[], Instant],
        holding: Holding | None = None,
        sending: Holding | None = None,
    ) -> None:
        """Take what does it; of several processes each plans what it holds, and one enters and sends."""
        self._store = store
        self._notices = notices
        self._queue = queue
        self._now = now
        self._subscription = Subscription(store, CONSUMER, holding=holding)
        self._sending = sending
        self._queue_is_away = False

    async def run(self) -> None:
        """Tell people for ever; while the store is away, keep trying."""
        await keep_running("notices", _log, self._turn, RETRY_SECONDS)

    async def _turn(self) -> float:
        try:
            await self.step()
        except StoreUnavailable:
            raise
        except Exception:  # noqa: BLE001
            # Matches can be played without notices, so this loop must not take the others down.
            _log.exception("notices_failed")
            return RETRY_SECONDS
        return PAUSE_SECONDS

    async def step(self) -> int:
        """Do all that is to be done now; return how many jobs were sent."""
        batch = await self._subscription.next(BATCH, 0)
        if batch.missed is not None:
            await self._look_at_all()
        for match in dict.fromkeys(pointer.match for pointer in batch.pointers):
            await self._look(match)
        await self._subscription.commit(batch)
        if self._sending is not None and not self._sending.shards():
            return 0
        await self._notices.daily.step()
        await self._notices.enterer.step()
        await self._notices.sender.step()
        return await self._send()

    async def _look(self, match: str) -> None:
        try:
            await self._notices.planner.look(match)
        except StoreUnavailable:
            raise
        except Exception:  # noqa: BLE001
            # One match that cannot be read must not keep the others' people from being told.
            _log.exception("match_unreadable", match=match)

    async def _look_at_all(self) -> None:
        """Look at every open match: nothing less tells what happened while pointers were missed."""
        # By the log itself: at the first start the rows of lists are not there yet.
        async for match in self._store.matches():
            meta = await self._store.meta(match)
            if meta is not None and meta.status == "open":
                await self._look(match)

    async def _send(self) -> int:
        due = await self._notices.outbox.on_their_way(self._now(), BATCH)
        try:
            sent = [await asyncio.to_thread(self._queue.send, message_id) for message_id in due]
        except JobStoreUnavailable as error:
            if not self._queue_is_away:
                _log.warning("notices_wait_for_the_queue", reason=str(error))
            self._queue_is_away = True
            return 0
        self._queue_is_away = False
        return sum(sent)
