"""``tb:backup`` on the log's server: when the last backup was made, so that missing backups are noticed."""

from typing import Final

import msgspec
import redis.asyncio

from domain.instants import Instant
from services.log.event_store.keys import PREFIX
from services.log.redis_errors import available

_KEY: Final = f"{PREFIX}backup"


class LastBackup(msgspec.Struct, frozen=True):
    """The last backup that was made and read back.

    Attributes:
        at: When it began: everything acknowledged before that is in it.
        seconds: How long it took.
    """

    at: Instant
    bytes: int
    seconds: float


async def note_backup(client: "redis.asyncio.Redis", made: LastBackup) -> None:
    """Record a backup as the last one.

    Raises:
        StoreUnavailable: The store did not take it.
    """
    with available():
        await client.set(_KEY, msgspec.json.encode(made))


async def last_backup(client: "redis.asyncio.Redis") -> LastBackup | None:
    """Return the last backup; None if there never was one, or its record cannot be read.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    with available():
        stored = await client.get(_KEY)
    try:
        return msgspec.json.decode(stored, type=LastBackup) if stored else None
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
