"""Sessions: on which devices a person is known. A session is a secret in a cookie, or a program's bearer token.

The log's server keeps ``tb:people:session:<hash>``, a Redis hash: ``person``, ``since`` and ``seen`` (in milliseconds),
``device`` and ``by``; it expires when it is not used for long. ``tb:people:person:<person>:sessions`` names a person's
sessions by their hashes. Only the device has the secret, so reading the store, or a backup, opens nothing.

Sessions of earlier versions had no person: they held one field for each role in a match, ``seat:<match>`` or
``host:<match>``. Such a session becomes a person's when it is next used.
"""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec
import redis.asyncio

from domain.instants import Instant, instant_from_milliseconds, milliseconds_of
from services.log.event_store.securing import passing
from services.log.redis_errors import available
from services.people.hashed_secrets import hash_of, is_secret
from services.people.memberships import Membership, Memberships
from services.people.persons import Persons
from services.people.player_names import PlayerNames
from services.people.stored_text import fields_of, text_of

FIRST_SECONDS: Final = 30 * 24 * 3600
"""How long a session lasts on which nobody came back."""

LASTING_SECONDS: Final = 400 * 24 * 3600
"""How long a session lasts after a day on which it was used."""

_ROLES: Final = ("seat:", "host:")
_A_DAY: Final = 24 * 3600 * 1000
_LONGEST_DEVICE: Final = 60

CameBy = Literal["", "link", "mail", "code", "passkey"]
"""By which way back somebody came in."""

_WAYS: Final[Mapping[str, CameBy]] = {"link": "link", "mail": "mail", "code": "code", "passkey": "passkey"}

_MEMBERSHIP: Final = msgspec.json.Decoder(Membership)


class Session(msgspec.Struct, frozen=True):
    """A device on which a person is known.

    Attributes:
        id: The hash of its secret: names it, and opens nothing.
        since: When the person came in there.
        seen: When they were seen there last, to a day.
        device: What it says that it is, such as "Firefox, Android".
        by: How the person came in there; empty where they were first known, or came in before this was kept.
    """

    id: str
    since: Instant
    seen: Instant
    device: str = ""
    by: CameBy = ""


class Sessions:
    """Recognises sessions. Methods that ask the store may raise ``StoreUnavailable``."""

    def __init__(
        self,
        client: "redis.asyncio.Redis",
        persons: Persons,
        memberships: Memberships,
        names: PlayerNames,
    ) -> None:
        self._client = client
        self._persons = persons
        self._memberships = memberships
        self._names = names

    async def person(self, session: str, now: Instant) -> str:
        """Return the person of a session; empty if it is nobody's, or no longer."""
        if not is_secret(session):
            return ""
        with available():
            fields = fields_of(await self._client.hgetall(_key(hash_of(session))))
        if not fields:
            return ""
        if "person" not in fields or any(name.startswith(_ROLES) for name in fields):
            return await self._adopt(session, fields, now)
        person = fields["person"]
        if milliseconds_of(now) - int(fields.get("seen", 0)) >= _A_DAY:
            await self._touch(session, person, now)
        return person

    async def begin(self, session: str, person: str, now: Instant, device: str = "", by: CameBy = "") -> str:
        """Make a session a person's, unless it is somebody's already; return whose it is then."""
        key, present = _key(hash_of(session)), milliseconds_of(now)
        with available():
            # Two forms posted at once make one person: the first of them.
            if not await self._client.hsetnx(key, "person", person):
                return text_of(await self._client.hget(key, "person")) or person
            async with self._client.pipeline(transaction=True) as pipeline:
                pipeline.hset(key, "since", present)
                pipeline.hset(key, "seen", present)
                pipeline.hset(key, "device", device[:_LONGEST_DEVICE])
                if by:
                    pipeline.hset(key, "by", by)
                pipeline.expire(key, FIRST_SECONDS)
                pipeline.sadd(_of_person(person), hash_of(session))
                await pipeline.execute()
        return person

    async def of(self, person: str) -> list[Session]:
        """Return a person's sessions, the one that was used last first."""
        with available():
            ids = [text_of(one) for one in await self._client.smembers(_of_person(person))]
            async with self._client.pipeline(transaction=False) as pipeline:
                for one in ids:
                    pipeline.hgetall(_key(one))
                found = await pipeline.execute()
            gone = [one for one, fields in zip(ids, found, strict=True) if not fields]
            if gone:
                with passing():
                    await self._client.srem(_of_person(person), *gone)
        sessions = [
            _session(one, fields_of(fields)) for one, fields in zip(ids, found, strict=True) if fields
        ]
        return sorted(sessions, key=lambda session: session.seen, reverse=True)

    async def end(self, person: str, session_id: str) -> bool:
        """End one of a person's sessions; tell whether it was theirs."""
        with available():
            if not await self._client.srem(_of_person(person), session_id):
                return False
            await self._client.delete(_key(session_id))
        return True

    async def leave(self, session: str) -> None:
        """End a session by its secret; one that is nobody's ends nothing."""
        with available():
            person = text_of(await self._client.hget(_key(hash_of(session)), "person"))
        if person:
            await self.end(person, hash_of(session))

    async def end_all(self, person: str, *, but: str = "") -> int:
        """End a person's sessions, but for one by its id; return how many."""
        ids = [session.id for session in await self.of(person) if session.id != but]
        return sum([await self.end(person, one) for one in ids])

    async def move_all(self, person: str, to: str) -> None:
        """Make all sessions of a person another's."""
        for session in await self.of(person):
            with available():
                async with self._client.pipeline(transaction=True) as pipeline:
                    pipeline.hset(_key(session.id), "person", to)
                    pipeline.expire(_key(session.id), LASTING_SECONDS)
                    pipeline.sadd(_of_person(to), session.id)
                    pipeline.srem(_of_person(person), session.id)
                    await pipeline.execute()

    async def _touch(self, session: str, person: str, now: Instant) -> None:
        key = _key(hash_of(session))
        with available(), passing():
            async with self._client.pipeline(transaction=True) as pipeline:
                pipeline.hset(key, "seen", milliseconds_of(now))
                pipeline.expire(key, LASTING_SECONDS)
                await pipeline.execute()
            await self._persons.keep(person)

    async def _adopt(self, session: str, fields: Mapping[str, str], now: Instant) -> str:
        """Give a session of an earlier version its person, who gets all that it held."""
        held = {name: value for name, value in fields.items() if name.startswith(_ROLES)}
        memberships = sorted(map(_MEMBERSHIP.decode, held.values()), key=lambda one: one.since)
        if "person" not in fields:
            called = await self._names.of([one.holder.player for one in memberships])
            name = next((one for one in reversed(called) if one), "")
            created = await self._persons.create(now, name)
            person = await self.begin(session, created.id, now)
            if person != created.id:  # another request was first
                await self._persons.erase(created.id)
        else:
            person = fields["person"]
        for membership in memberships:
            await self._memberships.collect(person, membership.holder, membership.since)
        with available():
            await self._client.hdel(_key(hash_of(session)), *held)
        await self._touch(session, person, now)
        return person


def _session(session_id: str, fields: Mapping[str, str]) -> Session:
    since, seen = (int(fields.get(name, 0)) for name in ("since", "seen"))
    return Session(
        session_id,
        instant_from_milliseconds(since),
        instant_from_milliseconds(seen),
        fields.get("device", ""),
        _WAYS.get(fields.get("by", ""), ""),
    )


def _key(session_id: str) -> str:
    return f"tb:people:session:{session_id}"


def _of_person(person: str) -> str:
    return f"tb:people:person:{person}:sessions"
