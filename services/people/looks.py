"""How far each person has seen each of their tables, so that they are told what has moved since they looked.

The log's server keeps ``tb:people:person:<person>:looked``, a Redis hash of versions by match. It holds tables that go
on, and those that have ended since the person looked; who has seen the end is told nothing more. So it never holds more
than their tables, and usually a few. Whether somebody looked is nobody else's business: it is shown to them alone.
"""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final

import redis.asyncio

from services.log.event_store.securing import passing
from services.log.redis_errors import available
from services.people.dossiers import Whom
from services.people.stored_text import fields_of

_REMEMBERED: Final = 4096
"""How many looks one process remembers, so that the store is told of each only once."""


class Looks:
    """Remembers who looked at what. Methods may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        self._client = client
        self._noted: OrderedDict[tuple[str, str], int] = OrderedDict()

    async def of(self, person: str) -> Mapping[str, int]:
        """Return the version at which a person looked last, by match."""
        with available():
            stored = fields_of(await self._client.hgetall(_key(person)))
        return {match: int(version) for match, version in stored.items()}

    async def note(self, person: str, match: str, version: int, *, over: bool) -> None:
        """Take note that a person has seen a match at a version, at which it may be over."""
        if self._noted.get((person, match)) == version:
            return
        with available(), passing():
            if over:
                await self._client.hdel(_key(person), match)
            else:
                await self._client.hset(_key(person), match, version)
        self._noted[person, match] = version
        if len(self._noted) > _REMEMBERED:
            self._noted.popitem(last=False)

    async def erase(self, person: str) -> None:
        """Forget all that a person looked at."""
        with available():
            await self._client.delete(_key(person))


class LooksAtTables:
    """The kind of a dossier: how far they have seen their tables."""

    name: Final = "looks"

    def __init__(self, looks: Looks) -> None:
        self._looks = looks

    async def shown(self, whom: Whom) -> Any:
        """Return the versions by match."""
        return await self._looks.of(whom.person)

    async def move(self, whom: Whom, to: str) -> None:
        """Let the other person have seen what they have seen."""
        theirs = await self._looks.of(to)
        for match, version in (await self._looks.of(whom.person)).items():
            if version > theirs.get(match, 0):
                await self._looks.note(to, match, version, over=False)

    async def erase(self, whom: Whom) -> None:
        """Forget what they looked at."""
        await self._looks.erase(whom.person)


def _key(person: str) -> str:
    return f"tb:people:person:{person}:looked"
