"""Following the feed: new rows for matches that moved, written together with the checkpoint."""

from typing import Final

from services.log.event_store.contract import EventStore
from services.log.event_store.errors import NotRegistered
from services.log.leases import Holding
from services.log.subscription import Subscription
from services.projections.errors import SetReplaced
from services.projections.keys import RowSet
from services.projections.ledger import Ledger
from services.projections.row_updates import RowUpdater

BATCH: Final = 200
"""Pointers per shard and step."""


class Follower:
    """Follows the feed for one generation of a projection's rows.

    It may be killed at any time, and two may run at once: one script compares the checkpoint and writes it together
    with the rows, so every batch is written once. The subscription itself therefore never writes the checkpoint.
    """

    def __init__(
        self,
        ledger: Ledger,
        rows: RowSet,
        updater: RowUpdater,
        store: EventStore,
        holding: Holding | None = None,
    ) -> None:
        self.rows: Final = rows
        self._ledger: Final = ledger
        self._updater: Final = updater
        self._subscription: Final = Subscription(store, rows.consumer, read_only=True, holding=holding)

    async def step(self, block: float) -> int:
        """Process what is new, for which it may wait some seconds; return how many pointers there were.

        Raises:
            StoreWentBack: The feed ends before the checkpoint, or a row was made from another log.
            SetReplaced: Another set of rows has replaced this one.
            FeedGap: Pointers after the checkpoint are missing; only a rebuild helps.
            StoreUnavailable: The store did not answer; the next step continues from the stored checkpoint.
        """
        try:
            batch = await self._subscription.next(BATCH, block)
        except NotRegistered:
            raise SetReplaced("These rows are not kept any more.") from None
        # A shard's pointers come in order, so a match's last one has its newest version.
        versions = {pointer.match: pointer.last for pointer in batch.pointers}
        updates = await self._updater.updates(versions, await self._ledger.rows(self.rows, versions))
        if await self._ledger.commit(self.rows, updates, batch.advances):
            await self._subscription.commit(batch)
        return len(batch.pointers)
