"""Following the feed: matches that moved get new rows, written together with the checkpoint."""

from typing import Final

from services.log.event_store.contract import EventStore
from services.log.event_store.errors import NotRegistered
from services.log.subscription import Subscription
from services.projections.errors import SetReplaced
from services.projections.keys import RowSet
from services.projections.ledger import Ledger
from services.projections.row_updates import Taker

BATCH: Final = 200
"""How many pointers of each shard are taken at once."""


class Follower:
    """Follows the feed for one generation of a projection's rows.

    It may be killed between any two steps, and two may run at once. One script writes the rows and the checkpoint, and
    compares the checkpoint first, so every batch is written once. Hence the subscription itself never writes it.
    """

    def __init__(self, ledger: Ledger, rows: RowSet, taker: Taker, store: EventStore) -> None:
        self.rows: Final = rows
        self._ledger: Final = ledger
        self._taker: Final = taker
        self._subscription: Final = Subscription(store, rows.consumer, read_only=True)

    async def step(self, block: float) -> int:
        """Take what is new; return how many pointers there were.

        Args:
            block: Seconds to wait for something new; 0 for not at all.

        Raises:
            StoreWentBack: The feed ends before the checkpoint, or a row was read from another log.
            SetReplaced: Other rows have taken the place of these.
            FeedGap: Pointers behind the checkpoint are missing: only a rebuild helps.
            StoreUnavailable: The store did not answer; the next step goes on where the rows are.
        """
        try:
            batch = await self._subscription.next(BATCH, block)
        except NotRegistered:
            raise SetReplaced("These rows are not kept any more.") from None
        # A shard's pointers come in order, so the last one of a match has its newest version.
        versions = {pointer.match: pointer.last for pointer in batch.pointers}
        takings = await self._taker.take(versions, await self._ledger.rows(self.rows, versions))
        if await self._ledger.commit(self.rows, takings, batch.advances):
            await self._subscription.commit(batch)
        return len(batch.pointers)
