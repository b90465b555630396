"""Keys with which a person's own programs act: a bot that holds seats, or a program that reads the person's inbox.

A bot's seats are its own, never its person's: they are kept under the key's id as a person's are under theirs
(:mod:`services.people.memberships`), so that a key never opens what its person sees. The key itself is told once; the
store has its hash.

The log's server keeps ``tb:people:key:<id>`` (the record), ``tb:people:key-secret:<hash>`` (the id), and
``tb:people:person:<person>:keys``, the set of a person's keys. This is stored data with backups, not a projection.
"""

import base64
import secrets
from typing import Any, Final, Literal

import msgspec
import redis.asyncio

from domain.instants import Instant, milliseconds_of
from services.errors import NotAllowed
from services.log.redis_errors import available
from services.people.dossiers import Leaving, Whom
from services.people.hashed_secrets import hash_of
from services.people.memberships import Membership, Memberships
from services.people.player_names import PlayerNames, readable
from services.people.stored_text import text_of

Scope = Literal["bot", "inbox"]
SCOPES: Final[tuple[Scope, ...]] = ("bot", "inbox")
"""What a key is good for: holding seats as a bot of its person; or reading which tables wait for the person."""

PREFIX: Final = "tablee_"
"""How every key begins, so that one that went astray is recognised."""

MOST_KEYS: Final = 10
"""Keys of one person."""

_A_DAY: Final = 24 * 3600 * 1000


class TooManyKeys(NotAllowed):
    """The person has as many keys as one may have."""

    code = "keys.too_many"


class ProgramKey(msgspec.Struct, frozen=True):
    """A key.

    Attributes:
        id: Names it, and opens nothing. It stands for the bot where a person's id stands for a person.
        person: Whose it is.
        name: What the person calls it; a bot's name at its tables.
        scope: What it is good for.
        since: When it was made.
        seen: When it was used last, to a day; empty if it never was.
        secret_hash: The hash of the key itself.
    """

    id: str
    person: str
    name: str
    scope: Scope
    since: Instant
    secret_hash: str
    seen: Instant | None = None


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(ProgramKey)


class ProgramKeys:
    """Makes, recognises and revokes keys. Methods may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis", memberships: Memberships) -> None:
        self._client = client
        self._memberships = memberships

    async def make(self, person: str, secret: str, name: str, scope: Scope, now: Instant) -> ProgramKey:
        """Keep a key; the same secret again is the same key.

        Raises:
            TooManyKeys: The person has :data:`MOST_KEYS` already.
        """
        known = await self.of_secret(secret, now)
        if known is not None:
            return known
        if len(await self.of(person)) >= MOST_KEYS:
            raise TooManyKeys
        key = ProgramKey(_new_id(), person, readable(name), scope, now, hash_of(secret))
        with available():
            # Two requests with one secret make one key: the first of them.
            if not await self._client.set(_of_secret(key.secret_hash), key.id, nx=True):
                return await self.of_secret(secret, now) or key
            async with self._client.pipeline(transaction=True) as pipeline:
                pipeline.set(_key(key.id), _ENCODER.encode(key))
                pipeline.sadd(_of_person(person), key.id)
                await pipeline.execute()
        return key

    async def of_secret(self, secret: str, now: Instant) -> ProgramKey | None:
        """Return the key with a secret, and take note that it was used; None if there is none, or no longer."""
        if not secret.startswith(PREFIX):
            return None
        with available():
            key_id = text_of(await self._client.get(_of_secret(hash_of(secret))))
        key = await self._stored(key_id) if key_id else None
        if key is not None and (
            key.seen is None or milliseconds_of(now) - milliseconds_of(key.seen) >= _A_DAY
        ):
            key = msgspec.structs.replace(key, seen=now)
            with available():
                await self._client.set(_key(key.id), _ENCODER.encode(key), xx=True)
        return key

    async def of(self, person: str) -> list[ProgramKey]:
        """Return a person's keys, the newest first."""
        with available():
            ids = sorted(text_of(one) for one in await self._client.smembers(_of_person(person)))
            stored = await self._client.mget([_key(one) for one in ids]) if ids else []
        keys = [_DECODER.decode(one) for one in stored if one]
        return sorted(keys, key=lambda key: key.since, reverse=True)

    async def revoke(self, person: str, key_id: str) -> list[Membership] | None:
        """Revoke a key at once; return the seats that it held, None if it is not this person's."""
        key = await self._stored(key_id)
        if key is None or key.person != person:
            return None
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                pipeline.delete(_of_secret(key.secret_hash), _key(key.id))
                pipeline.srem(_of_person(person), key.id)
                await pipeline.execute()
        return await self._memberships.of(key.id)

    async def move(self, person: str, to: str) -> None:
        """Make all keys of a person another's."""
        for key in await self.of(person):
            with available():
                async with self._client.pipeline(transaction=True) as pipeline:
                    pipeline.set(_key(key.id), _ENCODER.encode(msgspec.structs.replace(key, person=to)))
                    pipeline.sadd(_of_person(to), key.id)
                    pipeline.srem(_of_person(person), key.id)
                    await pipeline.execute()

    async def _stored(self, key_id: str) -> ProgramKey | None:
        with available():
            stored = await self._client.get(_key(key_id))
        return _DECODER.decode(stored) if stored else None


class KeysOfPrograms:
    """The kind of a dossier: keys, and the seats that their bots hold."""

    name: Final = "keys"

    def __init__(
        self, keys: ProgramKeys, memberships: Memberships, names: PlayerNames, leaving: Leaving
    ) -> None:
        self._keys = keys
        self._memberships = memberships
        self._names = names
        self._leaving = leaving

    async def shown(self, whom: Whom) -> Any:
        """Return names, scopes and seats of the keys."""
        return [
            {
                "name": key.name,
                "scope": key.scope,
                "since": key.since,
                "seen": key.seen,
                "seats": [msgspec.to_builtins(one.holder) for one in await self._memberships.of(key.id)],
            }
            for key in await self._keys.of(whom.person)
        ]

    async def move(self, whom: Whom, to: str) -> None:
        """Let the keys be the other person's."""
        await self._keys.move(whom.person, to)

    async def erase(self, whom: Whom) -> None:
        """Let the bots leave their tables, and forget their names and keys."""
        for key in await self._keys.of(whom.person):
            seats = await self._memberships.of(key.id)
            for seat in seats:
                await self._leaving.leave(seat)
            await self._names.erase([seat.holder.player for seat in seats])
            await self._keys.revoke(whom.person, key.id)
            await self._memberships.erase(key.id)


def _new_id() -> str:
    return "k" + base64.b32encode(secrets.token_bytes(20))[:20].decode().lower()


def _key(key_id: str) -> str:
    return f"tb:people:key:{key_id}"


def _of_secret(secret_hash: str) -> str:
    return f"tb:people:key-secret:{secret_hash}"


def _of_person(person: str) -> str:
    return f"tb:people:person:{person}:keys"
