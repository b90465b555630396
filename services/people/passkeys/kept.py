"""Where passkeys are kept: their public halves, from which nobody comes in.

The log's server keeps ``tb:people:passkey:<id>``, and ``tb:people:person:<person>:passkeys``, the set of a person's.
The id is the hash of what the device calls the passkey. This is stored data with backups, not a projection.
"""

from collections.abc import Callable
from typing import Final

import msgspec
import redis.asyncio

from domain.instants import Instant
from services.errors import Contended
from services.log.redis_errors import available
from services.people.stored_text import text_of

_ATTEMPTS: Final = 20


class Passkey(msgspec.Struct, frozen=True, omit_defaults=True):
    """A passkey, as much of it as its device gives away.

    Attributes:
        id: Names it, and opens nothing.
        person: Whose it is.
        name: What they call it.
        party: The host name for which the device keeps it.
        credential: What the device calls it, in base64url.
        public_key: With which its signatures are checked: COSE in base64url.
        handle: What the device remembers its owner by, in base64url.
        since: When it was made.
        count: How often its device says that it has signed; 0 for one that does not count.
        used: When somebody came back with it last; empty if nobody did.
        doubted: When an answer was refused because its count had gone back: somebody may have a copy.
    """

    id: str
    person: str
    name: str
    party: str
    credential: str
    public_key: str
    handle: str
    since: Instant
    count: int = 0
    used: Instant = Instant("")
    doubted: Instant = Instant("")


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Passkey)


class KeptPasskeys:
    """Keeps passkeys. Methods may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        self._client = client

    async def add(self, passkey: Passkey) -> bool:
        """Keep a new one; tell whether it is new: it never changes hands by being given again."""
        key = _key(passkey.id)
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                await pipeline.watch(key)
                if await pipeline.exists(key):
                    return False
                pipeline.multi()  # type: ignore[no-untyped-call]
                pipeline.set(key, _ENCODER.encode(passkey))
                pipeline.sadd(_of_person(passkey.person), passkey.id)
                try:
                    await pipeline.execute()
                except redis.WatchError:
                    return False
        return True

    async def find(self, passkey_id: str) -> Passkey | None:
        """Return one; None if there is none, or no longer."""
        with available():
            stored = await self._client.get(_key(passkey_id))
        return _DECODER.decode(stored) if stored else None

    async def of(self, person: str) -> list[Passkey]:
        """Return a person's, the oldest first."""
        with available():
            ids = sorted(text_of(one) for one in await self._client.smembers(_of_person(person)))
            stored = await self._client.mget([_key(one) for one in ids]) if ids else []
        return sorted((_DECODER.decode(one) for one in stored if one), key=lambda one: (one.since, one.id))

    async def change(self, passkey_id: str, becomes: Callable[[Passkey], Passkey]) -> Passkey | None:
        """Change what is known of one; return what it is then, None if there is none.

        Raises:
            Contended: Others changed it every time.
        """
        key = _key(passkey_id)
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                for _ in range(_ATTEMPTS):
                    # Of two answers with one count, one counts.
                    await pipeline.watch(key)
                    stored = await pipeline.get(key)
                    if not stored:
                        return None
                    passkey = becomes(_DECODER.decode(stored))
                    pipeline.multi()  # type: ignore[no-untyped-call]
                    pipeline.set(key, _ENCODER.encode(passkey))
                    try:
                        await pipeline.execute()
                    except redis.WatchError:
                        continue
                    return passkey
        raise Contended

    async def move(self, person: str, to: str) -> None:
        """Make a person's passkeys another's."""
        for passkey in await self.of(person):
            moved = msgspec.structs.replace(passkey, person=to)
            with available():
                async with self._client.pipeline(transaction=True) as pipeline:
                    pipeline.set(_key(passkey.id), _ENCODER.encode(moved), xx=True)
                    pipeline.sadd(_of_person(to), passkey.id)
                    pipeline.srem(_of_person(person), passkey.id)
                    await pipeline.execute()

    async def remove(self, person: str, passkey_id: str) -> bool:
        """Forget one of a person's; tell whether it was theirs."""
        with available():
            if not await self._client.sismember(_of_person(person), passkey_id):
                return False
            async with self._client.pipeline(transaction=True) as pipeline:
                # Both or neither: one that no list shows must not let anybody in.
                pipeline.srem(_of_person(person), passkey_id)
                pipeline.delete(_key(passkey_id))
                await pipeline.execute()
        return True

    async def erase(self, person: str) -> None:
        """Forget all of a person's."""
        for passkey in await self.of(person):
            await self.remove(person, passkey.id)
        with available():
            await self._client.delete(_of_person(person))


def _key(passkey_id: str) -> str:
    return f"tb:people:passkey:{passkey_id}"


def _of_person(person: str) -> str:
    return f"tb:people:person:{person}:passkeys"
