"""Until when the clocks were watched: kept in the log's store, so that a store that is put back goes back with it."""

from typing import Final

import redis.asyncio

from domain.instants import Instant
from services.log.event_store.securing import passing
from services.log.redis_errors import available

KEY: Final = "tb:watched"
"""The key under which the log's server keeps it: an instant."""


async def watched_until(client: "redis.asyncio.Redis") -> Instant | None:
    """Return until when the clocks were watched; None if nobody ever said.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    with available():
        said = await client.get(KEY)
    return None if said is None else Instant(said.decode() if isinstance(said, bytes) else said)


async def say_watched(client: "redis.asyncio.Redis", until: Instant) -> None:
    """Say that the clocks have been watched until now.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    with available(), passing():
        await client.set(KEY, until)
