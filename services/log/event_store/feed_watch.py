"""Waiting for news of shards, where each shard must be asked on its own.

On a cluster a command reaches one slot, so a blocking read waits for one shard. All who follow the feed in a process
share one waiting reader for each shard that somebody follows.
"""

import asyncio
from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final

from services.log.event_store.connections import NoReply, NothingSent, Servers, StoreRefused
from services.log.event_store.keys import Keyspace

_BLOCK_SECONDS: Final = 5.0
_PAUSE_SECONDS: Final = 0.2
"""After a question that was not answered."""


class Waiting:
    """Somebody who waits for news.

    Attributes:
        after: The last position that they know, by shard.
        most: The most entries of a shard that they take.
        rows: What came, by shard; None of a shard that must be read, as the reader waited for what is later.
    """

    def __init__(self, after: Mapping[int, int], most: int) -> None:
        self.after: Final = dict(after)
        self.most: Final = most
        self.rows: Final[dict[int, list[Any] | None]] = {}
        self._stirred: Final = asyncio.Event()

    def ring(self, shard: int, rows: list[Any] | None = None) -> None:
        """Note that a shard has moved, or may have."""
        self.rows[shard] = None if rows is None else rows[: self.most]
        self._stirred.set()

    async def wait(self, seconds: float) -> None:
        """Return when something came, or the time is up."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                await self._stirred.wait()


class FeedWatch:
    """The waiting readers of a process."""

    def __init__(self, connections: Servers, keyspace: Keyspace) -> None:
        self._connections: Final = connections
        self._keyspace: Final = keyspace
        self._waiting: Final[set[Waiting]] = set()
        self._readers: Final[dict[int, asyncio.Task[None]]] = {}
        self._behind: Final[dict[int, int]] = {}

    def enter(self, after: Mapping[int, int], most: int) -> Waiting:
        """Begin to wait for what comes behind positions; must :meth:`leave` in the end."""
        waiting = Waiting(after, most)
        self._waiting.add(waiting)
        for shard, position in after.items():
            self._read_on(shard)
            if self._behind.get(shard, position) > position:
                # The reader waits for what is still later: what is between has come already.
                waiting.ring(shard)
        return waiting

    def leave(self, waiting: Waiting) -> None:
        """Wait no longer. A reader that nobody needs ends with its question."""
        self._waiting.discard(waiting)

    async def close(self) -> None:
        """End all readers."""
        readers = list(self._readers.values())
        for reader in readers:
            reader.cancel()
        await asyncio.gather(*readers, return_exceptions=True)

    def _read_on(self, shard: int) -> None:
        if shard not in self._readers:
            self._readers[shard] = asyncio.create_task(self._read(shard))

    async def _read(self, shard: int) -> None:
        key = self._keyspace.of_shard(shard).feed
        try:
            while waiting := [one for one in self._waiting if shard in one.after]:
                behind = self._behind[shard] = min(one.after[shard] for one in waiting)
                most = max(one.most for one in waiting)
                block = ("BLOCK", round(_BLOCK_SECONDS * 1000))
                try:
                    (reply,) = await self._connections.ask(
                        ("XREAD", "COUNT", most, *block, "STREAMS", key, f"{behind}-0"),
                        within=self._connections.patience.reply + _BLOCK_SECONDS,
                        line="waiting",
                    )
                except (NothingSent, NoReply, StoreRefused):
                    # Who waits asks for themselves when their time is up, and is told why.
                    await asyncio.sleep(_PAUSE_SECONDS)
                    continue
                if reply:
                    self._ring(shard, behind, reply[0][1])
        finally:
            del self._readers[shard]
            self._behind.pop(shard, None)

    def _ring(self, shard: int, behind: int, rows: list[Any]) -> None:
        """Wake all who have not seen what came; they are asked for anew when they come back."""
        for one in list(self._waiting):
            after = one.after.get(shard, behind + 1)
            if after <= behind:
                one.ring(shard, rows if after == behind else None)
                del one.after[shard]
