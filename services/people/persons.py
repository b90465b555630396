"""Persons: who somebody is at all their tables and on all their devices, without registering.

The first table that somebody makes or joins creates their person. No log names it: at each match a person has another
opaque id, and what leads from one to the other is kept here, beside the log, so that it can be erased.

The log's server keeps ``tb:people:person:<person>`` (the record) and ``tb:people:persons:provisional``, a sorted set of
those who have not come back yet, scored by the millisecond at which they are forgotten. This is stored data with
backups, not a projection.
"""

from collections.abc import AsyncIterator, Mapping, Sequence
from typing import Final

import msgspec
import redis.asyncio

from domain.instants import Instant, milliseconds_of
from services.log.redis_errors import available
from services.people.opaque_ids import new_id
from services.people.player_names import readable
from services.people.stored_text import text_of

PROVISIONAL_SECONDS: Final = 30 * 24 * 3600
"""How long somebody is known who made or joined a table, never moved there and never came back."""

_PROVISIONAL: Final = "tb:people:persons:provisional"
_ATTEMPTS: Final = 20
_AT_ONCE: Final = 500
_KEPT: Final = 4096


class Person(msgspec.Struct, frozen=True, omit_defaults=True):
    """Somebody who plays here.

    Attributes:
        id: Opaque; it stands in no log and on no page that others see.
        since: When they came.
        name: How they want to be called at their next table; empty for none.
        language: In which they read; empty to go by their browser.
        time_zone: Where they live, such as ``Europe/Paris``; empty if they never said.
        preferences: What else they chose for themselves, by name.
    """

    id: str
    since: Instant
    name: str = ""
    language: str = ""
    time_zone: str = ""
    preferences: Mapping[str, str] = {}


class Wish(msgspec.Struct, frozen=True):
    """What a person wants to be different; None leaves a thing as it is.

    Attributes:
        preferences: Those that change. An empty value takes one away.
    """

    name: str | None = None
    language: str | None = None
    time_zone: str | None = None
    preferences: Mapping[str, str] = {}

    def granted(self, person: Person) -> Person:
        """Return the person with what they wished for."""
        chosen = {**person.preferences, **self.preferences}
        return msgspec.structs.replace(
            person,
            name=person.name if self.name is None else readable(self.name),
            language=person.language if self.language is None else self.language,
            time_zone=person.time_zone if self.time_zone is None else self.time_zone,
            preferences={name: value for name, value in chosen.items() if value},
        )


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Person)


class Persons:
    """Persons by their ids. Methods may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        self._client = client
        # Everybody moves often, and nobody becomes provisional again: the store is told once.
        self._kept: set[str] = set()

    async def create(self, now: Instant, name: str = "", time_zone: str = "") -> Person:
        """Make a person, who is provisional until :meth:`keep`."""
        person = Person(new_id("u"), now, readable(name), time_zone=time_zone)
        forgotten_at = milliseconds_of(now) + PROVISIONAL_SECONDS * 1000
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                pipeline.set(_key(person.id), _ENCODER.encode(person))
                pipeline.zadd(_PROVISIONAL, {person.id: forgotten_at})
                await pipeline.execute()
        return person

    async def of(self, person: str) -> Person | None:
        """Return a person; None if there is none with this id, or no longer."""
        with available():
            stored = await self._client.get(_key(person))
        return _DECODER.decode(stored) if stored else None

    async def of_many(self, persons: Sequence[str]) -> list[Person | None]:
        """Return several persons in the same order."""
        if not persons:
            return []
        with available():
            stored = await self._client.mget([_key(person) for person in persons])
        return [_DECODER.decode(one) if one else None for one in stored]

    async def change(self, person: str, wish: Wish) -> Person | None:
        """Change what is wished and leave the rest; return the person as they are now, None if there is none."""
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                for _ in range(_ATTEMPTS):
                    # Two devices may change different things at once: neither may be lost.
                    await pipeline.watch(_key(person))
                    stored = await pipeline.get(_key(person))
                    if not stored:
                        return None
                    after = wish.granted(_DECODER.decode(stored))
                    pipeline.multi()  # type: ignore[no-untyped-call]
                    pipeline.set(_key(person), _ENCODER.encode(after))
                    try:
                        await pipeline.execute()
                    except redis.WatchError:
                        continue
                    return after
        return await self.of(person)

    async def keep(self, person: str) -> None:
        """Keep a person until they are erased: they have moved, come back, or taken a way back in."""
        if not person or person in self._kept:
            return
        with available():
            await self._client.zrem(_PROVISIONAL, person)
        if len(self._kept) >= _KEPT:
            self._kept.clear()
        self._kept.add(person)

    async def forgotten(self, now: Instant, most: int) -> list[str]:
        """Return some of the provisional persons whose time is over; they are to be erased."""
        with available():
            found = await self._client.zrange(
                _PROVISIONAL, "-inf", milliseconds_of(now), byscore=True, offset=0, num=most
            )
        return [text_of(person) for person in found]

    async def is_forgotten(self, person: str, now: Instant) -> bool:
        """Tell whether a person's time is over."""
        with available():
            forgotten_at = await self._client.zscore(_PROVISIONAL, person)
        return forgotten_at is not None and forgotten_at <= milliseconds_of(now)

    async def called(self, name: str) -> list[Person]:
        """Return all persons with a name, whatever its case. It reads every record: for operators, not for pages."""
        wanted = readable(name).casefold()
        return [person async for person in self.all() if person.name.casefold() == wanted]

    async def all(self) -> AsyncIterator[Person]:
        """Yield everybody, in no order. It reads every record: for operators, and for what is done once a day."""
        with available():
            keys = [key async for key in self._client.scan_iter(match=_key("u" + "?" * 20), count=1000)]
        ids = sorted({text_of(key).rpartition(":")[2] for key in keys})
        for start in range(0, len(ids), _AT_ONCE):
            for person in await self.of_many(ids[start : start + _AT_ONCE]):
                if person is not None:
                    yield person

    async def let_go(self, person: str, now: Instant) -> None:
        """Have a person be among the forgotten from now on, whether they were provisional or not."""
        self._kept.discard(person)
        with available():
            await self._client.zadd(_PROVISIONAL, {person: milliseconds_of(now)})

    async def erase(self, person: str) -> None:
        """Remove the record. What else is kept about them must be gone before."""
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                pipeline.delete(_key(person))
                pipeline.zrem(_PROVISIONAL, person)
                await pipeline.execute()


def _key(person: str) -> str:
    return f"tb:people:person:{person}"
