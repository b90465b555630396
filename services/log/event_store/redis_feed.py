"""The feed on Redis: shard by shard, the matches in which something happened, and how far each consumer has read."""

import asyncio
from collections.abc import Collection, Mapping
from typing import Any, Final

from services.log.event_store import keys, scripts
from services.log.event_store.checks import check_consumer, check_number
from services.log.event_store.connections import Command, Servers, answered
from services.log.event_store.contract import Pointer
from services.log.event_store.errors import FeedGap
from services.log.event_store.feed_watch import FeedWatch
from services.log.event_store.keys import Keyspace
from services.log.event_store.leasing import Fence
from services.log.event_store.redis_part import RedisPart

_PAUSE_SECONDS: Final = 0.05
"""After news that turned out to be none: a feed that went back must not keep its readers busy."""


class RedisFeed(RedisPart):
    """Per shard, a stream with dense positions, and a hash with its head and the consumers' checkpoints."""

    def __init__(self, connections: Servers, keyspace: Keyspace) -> None:
        super().__init__(connections, keyspace)
        self._watch: Final = FeedWatch(connections, keyspace)

    async def feed(self, after: Mapping[int, int], count: int, block: float) -> list[Pointer]:
        """Return the pointers after the given positions, in order within each shard; see the contract."""
        if not after:
            return []
        pointers: list[Pointer] = []
        for shard, rows in (await self._new_rows(after, count, block)).items():
            try:
                pointers += _pointers(shard, after[shard], rows)
            except FeedGap:
                # A command writes its pointers in one step, so the server itself never shows a passing gap, but a proxy
                # or a replica in between might. Read once more before raising the alarm.
                again = await self._read(
                    "XRANGE",
                    self._keyspace.of_shard(shard).feed,
                    f"{after[shard] + 1}-0",
                    "+",
                    "COUNT",
                    count,
                )
                pointers += _pointers(shard, after[shard], again)
        return pointers

    async def _new_rows(self, after: Mapping[int, int], count: int, block: float) -> dict[int, list[Any]]:
        if self._connections.spread:
            return await self._new_rows_by_shard(after, count, block)
        by_key = {self._keyspace.of_shard(shard).feed: shard for shard in sorted(after)}
        positions = [f"{after[shard]}-0" for shard in by_key.values()]
        # To Redis, BLOCK 0 means to wait for ever.
        blocking = ("BLOCK", max(1, round(block * 1000))) if block > 0 else ()
        command = ("XREAD", "COUNT", count, *blocking, "STREAMS", *by_key, *positions)
        within = self._connections.patience.reply + block
        with answered():
            reply = (await self._connections.ask(command, within=within, line="waiting"))[0]
        return {by_key[key.decode()]: rows for key, rows in reply or ()}

    async def _new_rows_by_shard(
        self, after: Mapping[int, int], count: int, block: float
    ) -> dict[int, list[Any]]:
        if block <= 0:
            return await self._rows_of(after, after, count)
        waiting = self._watch.enter(after, count)
        try:
            await waiting.wait(block)
        finally:
            self._watch.leave(waiting)
        rows = {shard: came for shard, came in waiting.rows.items() if came is not None}
        # When the time is up, those who do not answer are asked once more, so that this is told.
        unread = waiting.rows.keys() - rows.keys() if waiting.rows else after.keys()
        if unread:
            rows |= await self._rows_of(unread, after, count)
        if waiting.rows and not rows:
            await asyncio.sleep(_PAUSE_SECONDS)
        return rows

    async def _rows_of(
        self, shards: Collection[int], after: Mapping[int, int], count: int
    ) -> dict[int, list[Any]]:
        commands: list[Command] = [
            ("XREAD", "COUNT", count, "STREAMS", self._keyspace.of_shard(shard).feed, f"{after[shard]}-0")
            for shard in shards
        ]
        replies = await self.look(commands)
        return {shard: reply[0][1] for shard, reply in zip(shards, replies, strict=True) if reply}

    async def positions(self) -> dict[int, int]:
        """Return the head position of every shard's feed; 0 where nothing has happened."""
        shards = range(self._keyspace.shards)
        heads = await self.look(
            [("HGET", self._keyspace.of_shard(shard).shard, "position") for shard in shards]
        )
        return {shard: int(head or 0) for shard, head in zip(shards, heads, strict=True)}

    async def secured_positions(self) -> dict[int, int] | None:
        """Return how far every shard's feed is on as many replicas as must have it; see the contract."""
        patience = self._connections.patience
        if not patience.replicas:
            return await self.positions()

        async def of_shard(shard: int) -> tuple[int, int]:
            names = self._keyspace.of_shard(shard)
            arguments = (keys.WAITED_FIELD, patience.replicas)
            # On the connection that told the position, since after it another server may be the primary.
            with answered():
                position, have = await self._connections.run_before(
                    [patience.wait],
                    scripts.SECURE,
                    (names.shard,),
                    arguments,
                    patience.reply + patience.replicated,
                )
            return position, have

        found = await asyncio.gather(*map(of_shard, range(self._keyspace.shards)))
        if any(have < patience.replicas for _, have in found):
            return None
        return {shard: position for shard, (position, _) in enumerate(found)}

    async def checkpoint(self, consumer: str, shard: int) -> int | None:
        """Return a consumer's checkpoint; None if it is not registered."""
        check_consumer(consumer)
        field = keys.CONSUMER_FIELD + consumer
        checkpoint = await self._read("HGET", self._keyspace.of_shard(shard).shard, field)
        return None if checkpoint is None else int(checkpoint)

    async def advance(
        self, consumer: str, shard: int, old: int | None, new: int, fence: Fence | None = None
    ) -> bool:
        """Move a consumer's checkpoint if it still is ``old`` (None registers); tell whether it moved."""
        check_consumer(consumer)
        check_number(old or 0)
        check_number(new)
        names = self._keyspace.of_shard(shard)
        fenced: tuple[str | int, ...] = () if fence is None else (fence.duty, fence.number)
        moved = await self._run(
            scripts.ADVANCE,
            (names.shard, names.leases),
            (keys.CONSUMER_FIELD + consumer, "" if old is None else old, new, *fenced),
        )
        return bool(moved)

    async def trim_feed(self, shard: int) -> int:
        """Drop the pointers that all registered consumers have passed (none without consumers); return how many."""
        shard_keys = self._keyspace.of_shard(shard)
        dropped: int = await self._run(
            scripts.TRIM_FEED, (shard_keys.shard, shard_keys.feed), (keys.CONSUMER_FIELD,)
        )
        return dropped


def _pointers(shard: int, after: int, rows: list[Any]) -> list[Pointer]:
    pointers = []
    for expected, (entry_id, (_, match, _, first, _, last, _, types)) in enumerate(rows, after + 1):
        position = int(entry_id.partition(b"-")[0])
        if position != expected:
            raise FeedGap(shard, expected, position)
        pointers.append(
            Pointer(shard, position, match.decode(), int(first), int(last), tuple(types.decode().split(",")))
        )
    return pointers
