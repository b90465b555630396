"""Which tables belong to which club: a mapping beside the log, which names no club.

The log's server keeps ``tb:people:table:<match>`` (the club) and two sorted sets of matches for each club:
``tb:people:club:<club>:open``, by when each was made, and ``…:played``, by when each ended. What a table is doing
stands in its log alone; whoever lists tables looks there and moves those that have ended. This is stored data with
backups.
"""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import redis.asyncio

from domain.errors import Refused
from domain.instants import Instant, instant_from_milliseconds, milliseconds_of
from services.log.redis_errors import available
from services.people.clubs.keys import UNUSED, club_of_table, open_tables, played_tables
from services.people.stored_text import text_of

MOST_OPEN: Final = 200
"""How many tables of a club may be open at once."""

_AT_ONCE: Final = 500


class ClubTable(NamedTuple):
    """A table of a club.

    Attributes:
        at: When it was made, or ended.
    """

    match: str
    at: Instant


class ClubTables:
    """The tables of clubs. Methods may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        self._client = client

    async def require_room(self, club: str) -> None:
        """Refuse a table to a club that has too many.

        Raises:
            Refused: It has.
        """
        with available():
            count = await self._client.zcard(open_tables(club))
        if count >= MOST_OPEN:
            raise Refused("club.too_many_tables", "tables", most=MOST_OPEN)

    async def record(self, club: str, match: str, now: Instant) -> None:
        """Let a match be a table of a club. Comes before the match's first event.

        Raises:
            Refused: It is another club's.
        """
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                pipeline.set(club_of_table(match), club, nx=True)
                pipeline.get(club_of_table(match))
                _, present = await pipeline.execute()
            if text_of(present) != club:
                raise Refused("match.exists", "ids", match=match)
            async with self._client.pipeline(transaction=True) as pipeline:
                # A request that is sent again: whoever lists the tables settles it again.
                pipeline.zadd(open_tables(club), {match: milliseconds_of(now)}, nx=True)
                pipeline.zrem(UNUSED, club)
                await pipeline.execute()

    async def club_of(self, match: str) -> str:
        """Return the club of a match; empty for none."""
        with available():
            return text_of(await self._client.get(club_of_table(match)))

    async def clubs_of(self, matches: Sequence[str]) -> list[str]:
        """Return the clubs of matches, in the same order; empty for none."""
        if not matches:
            return []
        with available():
            return [text_of(one) for one in await self._client.mget(map(club_of_table, matches))]

    async def open(self, club: str) -> list[ClubTable]:
        """Return the tables that were not over when last looked at, newest first."""
        return await self._listed(open_tables(club), 0, MOST_OPEN - 1)

    async def played(self, club: str, first: int, count: int) -> list[ClubTable]:
        """Return some of the tables that are over, from one on, those that ended last first."""
        return await self._listed(played_tables(club), first, first + count - 1)

    async def settle(self, club: str, ended: Mapping[str, Instant]) -> None:
        """Note which tables are over, and when each ended."""
        if not ended:
            return
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                pipeline.zrem(open_tables(club), *ended)
                pipeline.zadd(
                    played_tables(club), {match: milliseconds_of(at) for match, at in ended.items()}
                )
                await pipeline.execute()

    async def drop(self, club: str, matches: Sequence[str]) -> None:
        """Forget tables that never came to anything."""
        if not matches:
            return
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                pipeline.zrem(open_tables(club), *matches)
                pipeline.delete(*map(club_of_table, matches))
                await pipeline.execute()

    async def forget(self, club: str) -> None:
        """Forget all tables of a club."""
        for key in (open_tables(club), played_tables(club)):
            with available():
                while matches := await self._client.zrange(key, 0, _AT_ONCE - 1):
                    await self._client.delete(*(club_of_table(text_of(match)) for match in matches))
                    await self._client.zrem(key, *matches)

    async def _listed(self, key: str, first: int, last: int) -> list[ClubTable]:
        with available():
            found = await self._client.zrevrange(key, first, last, withscores=True)
        return [ClubTable(text_of(one[0]), instant_from_milliseconds(int(float(one[1])))) for one in found]
