"""Reading the feed as one consumer: what is new, and a checkpoint that never runs ahead of the work done."""

import asyncio
import time
from collections.abc import Mapping, Sequence
from typing import Final

import msgspec
import structlog

from domain.errors import TableeError
from services.log.event_store.contract import EventStore, Pointer
from services.log.event_store.errors import FeedGap, NotRegistered
from services.log.event_store.keys import shard_of
from services.log.leases import Holding

TRIM_EVERY: Final = 500
"""After so many pointers the feed drops what every consumer has passed."""

LOOK_AGAIN_SECONDS: Final = 10.0
"""How often a subscription asks where its stored checkpoint is.

A primary that is lost may take the last checkpoints with it, and what was made of those pointers: only commands wait
for replicas. Where nothing new happens nobody would notice.
"""

_log = structlog.get_logger(__name__)


class StoreWentBack(TableeError):
    """The log is not the one that was read before: it lost events, or its history is another one."""

    code = "projection.store_went_back"


class Advance(msgspec.Struct, frozen=True):
    """One shard's part of a checkpoint: it moves from the old position to the new one, or not at all."""

    shard: int
    old: int
    new: int


class Batch(msgspec.Struct, frozen=True):
    """What a consumer has to deal with before it commits.

    Attributes:
        pointers: What is new, in order within each match.
        advances: The checkpoint behind it.
        missed: Why pointers were passed over: the first start, a gap, or a store that went back. Then nothing short
            of a look at every match tells what happened. None when the batch is complete.
    """

    pointers: tuple[Pointer, ...] = ()
    advances: tuple[Advance, ...] = ()
    missed: TableeError | None = None


class Subscription:
    """Hands out every pointer at least once.

    Any number of processes may run the same consumer, and each may be killed at any moment. A checkpoint moves only
    from the position at which its batch began. If somebody else moved it first, this subscription goes on from where
    it stands now.

    Whatever went wrong, :meth:`next` asks again for the stored checkpoint. When the feed cannot be read from there,
    it goes on from the feed's end, and says so in :attr:`Batch.missed`.
    """

    def __init__(
        self,
        store: EventStore,
        consumer: str | None = None,
        *,
        read_only: bool = False,
        match: str | None = None,
        holding: Holding | None = None,
    ) -> None:
        """Take the log and the consumer's place in it.

        Args:
            store: The log.
            consumer: The name of the stored checkpoint. None keeps the position in memory, from the feed's end on.
            read_only: Never write the checkpoint: the consumer stores it together with what it makes of a batch.
                What it made would be wrong if pointers were passed over, so :meth:`next` raises instead.
            match: Follow the part of the feed that this match is in; None follows all of it.
            holding: Follow only the shards that this process looks after, as they come and go.
        """
        self._store: Final = store
        self._consumer: Final = consumer
        self._read_only: Final = read_only
        self._holding: Final = holding
        self._shards: Sequence[int] = (
            range(store.shards) if match is None else (shard_of(match, store.shards),)
        )
        self._positions: dict[int, int] | None = None
        self._began_at: dict[int, int] = {}
        self._passed = 0
        self._looked_at = 0.0

    async def next(self, count: int, block: float) -> Batch:
        """Return what is new; it comes again until it is committed.

        Args:
            count: At most so many pointers per shard.
            block: Seconds to wait for something new; 0 for not at all.

        Raises:
            FeedGap: Pointers behind a read-only checkpoint are missing.
            StoreWentBack: The feed ends before a read-only checkpoint.
            NotRegistered: There is no such read-only checkpoint.
            StoreUnavailable: The store did not answer.
        """
        if self._holding is not None:
            held = sorted(self._holding.shards())
            if held != list(self._shards):
                # Others may have moved the checkpoints of shards that are new here.
                self._shards, self._positions, self._began_at = held, None, {}
            if not held:
                await asyncio.sleep(block)
                return Batch()
        is_remembered = self._positions is not None and self._consumer is not None
        try:
            return await self._read(count, block)
        except (FeedGap, StoreWentBack, NotRegistered) as missed:
            if is_remembered:
                # Another process of this consumer may have moved on, and the feed may be trimmed up to there.
                return await self.next(count, block)
            if self._read_only:
                raise
            return await self._at_the_end(missed)

    async def commit(self, batch: Batch) -> None:
        """Move on behind the batch handed out last, unless somebody else has moved the checkpoint.

        Raises:
            StoreUnavailable: The store did not answer; :meth:`next` finds out what it did.
        """
        stored = None if self._read_only else self._consumer
        if stored is not None and not await self._advanced(stored, batch.advances):
            _log.debug("checkpoint_moved_elsewhere", consumer=stored)
            return
        self._positions = self._began_at | {one.shard: one.new for one in batch.advances}
        self._passed += len(batch.pointers)
        if stored is not None and self._passed >= TRIM_EVERY:
            self._passed = 0
            await asyncio.gather(*(self._store.trim_feed(shard) for shard in self._shards))

    async def _read(self, count: int, block: float) -> Batch:
        # Forgotten until the batch is committed: if the consumer fails on the way, the store is asked again.
        positions, self._positions = self._positions, None
        if positions is None or self._should_look_again():
            positions = await self._checkpoint()
            await self._require_reachable(positions)
            self._looked_at = time.monotonic()
        pointers = await self._store.feed(positions, count, block)
        if not pointers:
            await self._require_reachable(positions)
            self._positions = positions
        self._began_at = positions
        reached = {pointer.shard: pointer.position for pointer in pointers}
        return Batch(tuple(pointers), _advances(positions, reached))

    def _should_look_again(self) -> bool:
        return self._consumer is not None and time.monotonic() > self._looked_at + LOOK_AGAIN_SECONDS

    async def _at_the_end(self, missed: TableeError) -> Batch:
        """Begin at the feed's end. A checkpoint before a gap moves with the commit; until then it keeps the feed."""
        if self._consumer is None:
            self._began_at = await self._heads()
            return Batch(missed=missed)
        if isinstance(missed, NotRegistered):
            for shard, head in (await self._heads()).items():
                await self._store.advance(self._consumer, shard, None, head)
        elif isinstance(missed, FeedGap):
            _log.warning("feed_gap", consumer=self._consumer, reason=str(missed))
        else:
            _log.critical("store_went_back", consumer=self._consumer, reason=str(missed))
        # What was trimmed while this registered lies before these heads, and everything behind them is kept.
        checkpoint = await self._checkpoint()
        heads = await self._heads()
        ahead = {shard: heads[shard] for shard, position in checkpoint.items() if position > heads[shard]}
        await self._advanced(self._consumer, _advances(checkpoint, ahead))
        self._began_at = checkpoint | ahead
        return Batch(advances=_advances(self._began_at, heads), missed=missed)

    async def _advanced(self, consumer: str, advances: tuple[Advance, ...]) -> bool:
        held = self._holding
        moved = await asyncio.gather(
            *(
                self._store.advance(
                    consumer, one.shard, one.old, one.new, None if held is None else held.fence(one.shard)
                )
                for one in advances
            )
        )
        return all(moved)

    async def _checkpoint(self) -> dict[int, int]:
        if self._consumer is None:
            raise NotRegistered
        found = await asyncio.gather(
            *(self._store.checkpoint(self._consumer, shard) for shard in self._shards)
        )
        checkpoint = {shard: at for shard, at in zip(self._shards, found, strict=True) if at is not None}
        if len(checkpoint) < len(self._shards):
            raise NotRegistered
        return checkpoint

    async def _heads(self) -> dict[int, int]:
        heads = await self._store.positions()
        return {shard: heads[shard] for shard in self._shards}

    async def _require_reachable(self, positions: Mapping[int, int]) -> None:
        """Compare positions with the feed's end, read after them: a busy feed must not look as if it went back."""
        heads = await self._heads()
        for shard, position in positions.items():
            if heads[shard] < position:
                raise StoreWentBack(
                    f"The feed of shard {shard} ends at {heads[shard]}, and was read up to {position} before."
                )


def _advances(old: Mapping[int, int], new: Mapping[int, int]) -> tuple[Advance, ...]:
    return tuple(Advance(shard, old[shard], at) for shard, at in new.items() if at != old[shard])
