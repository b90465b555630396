"""Who has let whom back on a seat: the record of seats' new links, under ``tb:people:reissues:<match>``.

Operators also leave an event in the log of a match that goes on. This list has the hosts too, and matches that are
over; it names nobody.
"""

from typing import Final, Literal

import msgspec
import redis.asyncio

from domain.instants import Instant
from services.log.redis_errors import available

KEPT: Final = 50
"""The last so many of each match."""

By = Literal["host", "operator"]

Place = int | Literal["host"]
"""A seat by its number, or the host's place."""


class Reissue(msgspec.Struct, frozen=True):
    """A link to a seat was made.

    Attributes:
        at: When.
        seat: For which seat, or for the host's place.
        by: By whom.
    """

    at: Instant
    seat: Place
    by: By


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Reissue)


class Reissues:
    """The record. Methods may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        self._client = client

    async def note(self, match: str, reissue: Reissue) -> None:
        """Record one."""
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                pipeline.rpush(_key(match), _ENCODER.encode(reissue))
                pipeline.ltrim(_key(match), -KEPT, -1)
                await pipeline.execute()

    async def of(self, match: str) -> list[Reissue]:
        """Return those of a match, oldest first."""
        with available():
            stored = await self._client.lrange(_key(match), 0, -1)
        return [_DECODER.decode(one) for one in stored]


def _key(match: str) -> str:
    return f"tb:people:reissues:{match}"
