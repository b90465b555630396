"""Which of a person's tables are over, by when each ended: what they have played, found page by page.

The log's server keeps ``tb:people:person:<person>:ended``, a sorted set of matches by the millisecond of their last
event, and ``…:unended``, the matches of which nobody has noticed yet that they are over. Both follow from the person's
memberships and the rows of matches: throw them away, and the next reader makes them anew. Whoever reads them moves what
has ended meanwhile, so a page costs the same however much somebody has played.
"""

from collections.abc import Iterable, Mapping
from typing import Final

import redis.asyncio

from services.log.event_store.securing import passing
from services.log.redis_errors import available
from services.people.stored_text import text_of

_MADE: Final = "made"
"""Stands first in a set that was made from all memberships; no match's id is so short."""

_AT_ONCE: Final = 500


class PlayedTables:
    """The tables that persons have played. Methods may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        self._client: Final = client

    async def is_made(self, person: str) -> bool:
        """Tell whether the sets hold all tables of a person."""
        with available():
            return await self._client.zscore(ended_key(person), _MADE) is not None

    async def make(self, person: str, matches: Iterable[str]) -> None:
        """Make the sets from all tables of a person; which are over is noticed by whoever reads them."""
        listed = list(matches)
        with available(), passing():
            for start in range(0, len(listed), _AT_ONCE):
                await self._client.sadd(unended_key(person), *listed[start : start + _AT_ONCE])
            await self._client.zadd(ended_key(person), {_MADE: -1})

    async def unended(self, person: str) -> list[str]:
        """Return the tables that were not over when somebody looked last."""
        with available():
            return sorted(text_of(match) for match in await self._client.smembers(unended_key(person)))

    async def settle(self, person: str, ended: Mapping[str, int], gone: Iterable[str]) -> None:
        """Note which tables are over and when each ended, and forget those that came to nothing."""
        settled = [*ended, *gone]
        if not settled:
            return
        with available(), passing():
            async with self._client.pipeline(transaction=True) as pipeline:
                if ended:
                    pipeline.zadd(ended_key(person), dict(ended))
                pipeline.srem(unended_key(person), *settled)
                await pipeline.execute()

    async def drop(self, person: str, matches: Iterable[str]) -> None:
        """Forget tables that are no longer a person's."""
        gone = list(matches)
        if gone:
            with available():
                await self._client.zrem(ended_key(person), *gone)

    async def ended(self, person: str, since: int, until: int | None, count: int) -> list[tuple[int, str]]:
        """Return tables that ended between two instants, the last first, and all that ended with the last of them.

        Args:
            person: Whose tables.
            since: The first instant, in milliseconds.
            until: The last one; None for now.
            count: About how many.
        """
        found = await self._between(person, since, until, count)
        if len(found) == count:
            # Several may have ended in the same millisecond, and a page must not cut them apart.
            last = found[-1][0]
            found = [one for one in found if one[0] != last] + await self._between(person, last, last, None)
        return found

    async def _between(
        self, person: str, since: int, until: int | None, count: int | None
    ) -> list[tuple[int, str]]:
        highest, start = "+inf" if until is None else until, None if count is None else 0
        with available():
            found = await self._client.zrevrangebyscore(
                ended_key(person), highest, since, start=start, num=count, withscores=True
            )
        return [(int(float(one[1])), text_of(one[0])) for one in found]


def ended_key(person: str) -> str:
    """Return the key of the tables that are over."""
    return f"tb:people:person:{person}:ended"


def unended_key(person: str) -> str:
    """Return the key of the others."""
    return f"tb:people:person:{person}:unended"
