"""What is told once a day: each person's digest, and the lists of heads that the house has published.

The log's server keeps ``tb:{notices}:daily``, a Redis hash: ``planned`` is the last day (UTC) whose digests are
planned, ``told`` the number of the last list of heads that is.
"""

from collections.abc import Awaitable, Callable, Collection, Iterable
from datetime import timedelta
from typing import Final

import msgspec
import redis.asyncio

from domain.instants import Instant, instant_of, milliseconds_of, moment_of
from services.log.redis_errors import available
from services.notices.choices import CHANNELS, digests_within, wants
from services.notices.occasions import Kind, Name
from services.notices.outbox import Outbox
from services.people.memberships import Memberships
from services.people.persons import Person, Persons
from services.people.stored_text import text_of

DAILY: Final[frozenset[Kind]] = frozenset({"digest", "heads"})
"""The kinds that are told once a day."""

PAUSE_SECONDS: Final = 5
"""How often it looks whether a day has begun or a list was published."""

_KEY: Final = "tb:{notices}:daily"
_DAY: Final = len("2026-11-29")


class _Listed(msgspec.Struct):
    heads: int


class PublishedHeads:
    """The row of lists of heads, as far as people are told of it."""

    def __init__(
        self,
        latest: Callable[[], Awaitable[int]],
        content: Callable[[int], Awaitable[bytes | None]],
        names_of: Callable[[str], Collection[str]],
    ) -> None:
        """Take what returns the latest number, a list by its number, and the names of a match in lists."""
        self.latest: Final = latest
        self.content: Final = content
        self._names_of: Final = names_of

    async def text(self, number: int) -> str:
        """Return a list as text, with all heads; empty if it is gone."""
        content = await self.content(number)
        return "" if content is None else content.decode()

    async def count(self, number: int) -> int:
        """Return how many heads a list says that it names; 0 if it is gone."""
        first = (await self.text(number)).partition("\n")[0]
        return msgspec.json.decode(first, type=_Listed).heads if first else 0

    def is_named(self, listed: str, matches: Iterable[str]) -> bool:
        """Tell whether a list names one of some matches."""
        return any(f'"{name}"' in listed for match in matches for name in self._names_of(match))


class Daily:
    """Plans what is told once a day. Methods may raise ``StoreUnavailable``.

    Any number of processes may do it at once, and again after one died in the middle: a plan has a name.
    """

    def __init__(
        self,
        client: "redis.asyncio.Redis",
        persons: Persons,
        memberships: Memberships,
        outbox: Outbox,
        published: PublishedHeads,
        now: Callable[[], Instant],
    ) -> None:
        self._client = client
        self._persons = persons
        self._memberships = memberships
        self._outbox = outbox
        self._published = published
        self._now = now
        self._looked_at = 0

    async def step(self) -> None:
        """Plan what is to be planned, at most every few seconds."""
        present = milliseconds_of(self._now())
        if present - self._looked_at < PAUSE_SECONDS * 1000:
            return
        await self._plan_digests()
        await self._plan_heads()
        self._looked_at = present

    async def _plan_digests(self) -> None:
        today = self._now()[:_DAY]
        if await self._noted("planned") == today:
            return
        begins = Instant(f"{today}T00:00:00.000Z")
        ends = instant_of(moment_of(begins) + timedelta(days=1))
        async for person in self._persons.all():
            if _wants_anywhere(person, "digest"):
                due = digests_within(person, begins, ends)
                await self._outbox.plan((Name("", person.id, "digest", day), at) for day, at in due)
        await self._note("planned", today)

    async def _plan_heads(self) -> None:
        latest, told = await self._published.latest(), await self._noted("told")
        # Lists from before people were told of them stay where they are, all but the last.
        first = int(told) + 1 if told else max(1, latest)
        for number in range(first, latest + 1):
            listed = await self._published.text(number)
            async for person in self._persons.all():
                if _wants_anywhere(person, "heads") and await self._is_named(person, listed):
                    await self._outbox.plan([(Name("", person.id, "heads", str(number)), self._now())])
            await self._note("told", str(number))

    async def _is_named(self, person: Person, listed: str) -> bool:
        memberships = await self._memberships.of(person.id)
        return self._published.is_named(listed, {one.holder.match for one in memberships})

    async def _noted(self, field: str) -> str:
        with available():
            return text_of(await self._client.hget(_KEY, field))

    async def _note(self, field: str, value: str) -> None:
        with available():
            await self._client.hset(_KEY, field, value)


def _wants_anywhere(person: Person, kind: Kind) -> bool:
    return any(wants(person, kind, channel) for channel in CHANNELS)
