"""Leagues, kept beside the log.

The log's server keeps ``tb:people:league:<league>`` (the league), ``tb:people:club:<club>:leagues`` (a club's leagues
by the millisecond at which each was made), ``tb:people:person:<person>:leagues`` and the sorted set
``tb:people:leagues:due`` of those that are not over, by when somebody should look at them next. This is stored data
with backups, not a projection. How matches ended is not in it.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

import msgspec
import redis.asyncio

from domain.errors import Refused
from domain.instants import Instant, milliseconds_of
from services.errors import Contended, NoSuchLeague
from services.log.redis_errors import available
from services.people.clubs.keys import LEAGUES_DUE, league_key, leagues_of_club, leagues_of_person
from services.people.clubs.league import MOST_LEAGUES, League
from services.people.stored_text import text_of

if TYPE_CHECKING:
    from redis.asyncio.client import Pipeline

    _Pipeline: TypeAlias = Pipeline

LeagueStep = Callable[[League], League]
"""What a league becomes."""

_ATTEMPTS: Final = 50
_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(League)


class Leagues:
    """Leagues by their ids. Methods may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        self._client = client

    async def of(self, league: str) -> League | None:
        """Return a league; None if there is none with this id, or no longer."""
        with available():
            stored = await self._client.get(league_key(league))
        return _DECODER.decode(stored) if stored else None

    async def of_club(self, club: str) -> list[League]:
        """Return a club's leagues, those that were made last first."""
        with available():
            found = await self._client.zrevrange(leagues_of_club(club), 0, -1)
        return await self._several([text_of(one) for one in found])

    async def create(self, league: League) -> League:
        """Keep a new league. The same one is made once.

        Raises:
            Refused: The club has too many that are not over.
        """
        kept = await self.of(league.id)
        if kept is not None:
            return kept
        others = await self.of_club(league.club)
        if sum(not one.is_over for one in others) >= MOST_LEAGUES:
            raise Refused("league.too_many", "leagues", most=MOST_LEAGUES)
        async with self._pipeline() as pipeline:
            self._write(pipeline, None, league)
            pipeline.zadd(leagues_of_club(league.club), {league.id: milliseconds_of(league.since)})
            pipeline.zadd(LEAGUES_DUE, {league.id: milliseconds_of(league.since)})
            await pipeline.execute()
        return league

    async def change(self, league: str, step: LeagueStep) -> League:
        """Change a league, unless somebody else does so at the same moment: then once more.

        Raises:
            NoSuchLeague: There is none.
            Contended: Others were quicker every time.
        """
        async with self._pipeline() as pipeline:
            for _ in range(_ATTEMPTS):
                try:
                    await pipeline.watch(league_key(league))
                    stored = await pipeline.get(league_key(league))
                    if not stored:
                        raise NoSuchLeague
                    before = _DECODER.decode(stored)
                    after = step(before)
                    pipeline.multi()  # type: ignore[no-untyped-call]
                    if after != before:
                        self._write(pipeline, before, after)
                    await pipeline.execute()
                except redis.WatchError:
                    await asyncio.sleep(0)
                    continue
                return after
        raise Contended

    async def due(self, now: Instant, most: int) -> list[str]:
        """Return some leagues that somebody should look at now."""
        with available():
            found = await self._client.zrange(
                LEAGUES_DUE, "-inf", milliseconds_of(now), byscore=True, offset=0, num=most
            )
        return [text_of(one) for one in found]

    async def look_again(self, league: str, at: Instant | None) -> None:
        """Note when somebody should look at a league next; None for never."""
        with available():
            if at is None:
                await self._client.zrem(LEAGUES_DUE, league)
            else:
                await self._client.zadd(LEAGUES_DUE, {league: milliseconds_of(at)})

    async def forget_club(self, club: str) -> None:
        """Forget all leagues of a club."""
        for league in await self.of_club(club):
            async with self._pipeline() as pipeline:
                for person in league.persons:
                    pipeline.srem(leagues_of_person(person), league.id)
                pipeline.delete(league_key(league.id))
                pipeline.zrem(LEAGUES_DUE, league.id)
                pipeline.zrem(leagues_of_club(club), league.id)
                await pipeline.execute()

    async def of_person(self, person: str) -> list[League]:
        """Return the leagues that know a person."""
        with available():
            found = sorted(text_of(one) for one in await self._client.smembers(leagues_of_person(person)))
        return await self._several(found)

    async def asking(self, person: str) -> list[League]:
        """Return the leagues that ask a person to take part, and have not begun."""
        known = await self.of_person(person) if person else []
        return [one for one in known if one.state == "gathering" and person in one.invited]

    async def replace_person(self, person: str, to: str) -> None:
        """Let a person's places be another's; those of an erased person are nobody's: ``to`` is empty then."""
        for league in await self.of_person(person):
            with contextlib.suppress(NoSuchLeague):
                await self.change(league.id, lambda present: _with_other(present, person, to))

    async def _several(self, ids: Sequence[str]) -> list[League]:
        if not ids:
            return []
        with available():
            stored = await self._client.mget([league_key(one) for one in ids])
        return [_DECODER.decode(one) for one in stored if one]

    @contextlib.asynccontextmanager
    async def _pipeline(self) -> AsyncIterator["_Pipeline"]:
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                yield pipeline

    @staticmethod
    def _write(pipeline: "_Pipeline", before: League | None, after: League) -> None:
        known = frozenset() if before is None else before.persons
        pipeline.set(league_key(after.id), _ENCODER.encode(after))
        for person in after.persons - known:
            pipeline.sadd(leagues_of_person(person), after.id)
        for person in known - after.persons:
            pipeline.srem(leagues_of_person(person), after.id)


def _with_other(league: League, person: str, to: str) -> League:
    # Who has a place there already keeps it; the other one is nobody's.
    heir = "" if to and league.number_of(to) is not None else to
    entrants = tuple(
        msgspec.structs.replace(one, person=heir) if one.person == person else one for one in league.entrants
    )
    invited = tuple(dict.fromkeys(filter(None, (to if one == person else one for one in league.invited))))
    maker = to if league.maker == person else league.maker
    return msgspec.structs.replace(league, entrants=entrants, invited=invited, maker=maker)
