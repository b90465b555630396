"""Following the feed for matches that were closed or have moved."""

from typing import Final

from domain.match.events import MATCH_ENDS
from services.log.archive.archivist import Archivist
from services.log.archive.closed_matches import NAME, ClosedMatches
from services.log.event_store.contract import EventStore
from services.log.leases import Holding
from services.log.subscription import Subscription

_BATCH: Final = 500


class ClosedMatchesFollower:
    """Keeps the record of closed and moved matches up to date with the feed.

    Noting a match twice is harmless: several processes may follow at once, and each may be killed.
    """

    def __init__(
        self,
        store: EventStore,
        closed: ClosedMatches,
        archivist: Archivist,
        holding: Holding | None = None,
    ) -> None:
        self._subscription: Final = Subscription(store, NAME, holding=holding)
        self._closed: Final = closed
        self._archivist: Final = archivist

    async def follow(self) -> None:
        """Note everything that has happened since the last time.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        is_read = False
        while not is_read:
            batch = await self._subscription.next(_BATCH, 0)
            if batch.missed is not None or not await self._closed.filled():
                await self._archivist.note_all()
            await self._closed.note_moved({pointer.match: pointer.last for pointer in batch.pointers})
            for pointer in batch.pointers:
                if MATCH_ENDS.intersection(pointer.types):
                    await self._archivist.note(pointer.match)
            await self._subscription.commit(batch)
            is_read = batch.missed is None and not batch.pointers
