"""Following the feed: what happened since the checkpoint is taken into the rows, together with the checkpoint."""

from collections.abc import Sequence
from typing import Final

from services.log.event_store.contract import EventStore, Pointer
from services.projections.errors import SetReplaced, StoreWentBack
from services.projections.keys import RowSet, takings_by_shard
from services.projections.ledger import Batch, Ledger
from services.projections.row_updates import Taker, newest

BATCH: Final = 200
"""How many pointers of each shard are taken at once."""


class Follower:
    """Follows the feed for one generation of a projection's rows.

    It may be killed between any two steps, and two may run at once: rows and checkpoint are written in one step that
    compares the checkpoint, so whatever is done twice is written once.
    """

    def __init__(self, ledger: Ledger, rows: RowSet, taker: Taker, store: EventStore) -> None:
        """Take the rows, the generation, what makes rows, and the log."""
        self.rows: Final = rows
        self._ledger: Final = ledger
        self._taker: Final = taker
        self._store: Final = store
        self._positions: dict[int, int] = {}

    async def step(self, block: float) -> int:
        """Take what is new; return how many pointers there were.

        Args:
            block: Seconds to wait for something new; 0 for not at all.

        Raises:
            StoreWentBack: The feed ends before the checkpoint, or a row was read from another log.
            SetReplaced: These rows have been given up for others.
            FeedGap: Pointers behind the checkpoint are missing: only a rebuild helps.
            StoreUnavailable: The store did not answer; the next step goes on where the rows are.
        """
        positions = self._positions or await self._checkpoints()
        # Until everything is written: whatever happens on the way, the store is asked again how far this has come.
        self._positions = {}
        pointers = await self._store.feed(positions, BATCH, block)
        if not pointers:
            await self._require_reachable(positions)
        elif not await self._write(positions, pointers):
            return len(pointers)
        self._positions = positions | {pointer.shard: pointer.position for pointer in pointers}
        return len(pointers)

    async def _checkpoints(self) -> dict[int, int]:
        found = await self._ledger.checkpoints(self.rows)
        if len(found) < self._ledger.keyspace.shards:
            raise SetReplaced("These rows are not kept any more.")
        await self._require_reachable(found)
        return found

    async def _require_reachable(self, positions: dict[int, int]) -> None:
        heads = await self._store.positions()
        for shard, position in positions.items():
            if heads[shard] < position:
                raise StoreWentBack(
                    f"The feed of shard {shard} ends at {heads[shard]}, and was read up to {position} before."
                )

    async def _write(self, positions: dict[int, int], pointers: Sequence[Pointer]) -> bool:
        versions = newest((pointer.match, pointer.last) for pointer in pointers)
        takings = await self._taker.take(versions, await self._ledger.rows(self.rows, versions))
        by_shard = takings_by_shard(self.rows, takings)
        reached = {pointer.shard: pointer.position for pointer in pointers}
        batches = [
            Batch(shard, by_shard.get(shard, ()), positions[shard], new) for shard, new in reached.items()
        ]
        return await self._ledger.commit(self.rows, batches)
