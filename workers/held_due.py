"""What is due in the shards that this process looks after."""

from typing import Final

from services.log.event_store.contract import EventStore
from services.log.leases import Holding


class HeldDue:
    """The due index, as far as it concerns this process; all of it without leases."""

    def __init__(self, store: EventStore, holding: Holding | None = None) -> None:
        self._store: Final = store
        self._holding: Final = holding

    async def due(self, until: int, count: int) -> list[tuple[str, int]]:
        """Return matches due at ``until`` or earlier, at most ``count`` per shard, earliest first.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        if self._holding is None:
            return await self._store.due(until, count)
        return await self._store.due(until, count, self._holding.shards())

    async def next_due(self) -> int | None:
        """Return the earliest due instant.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        if self._holding is None:
            return await self._store.next_due()
        return await self._store.next_due(self._holding.shards())
