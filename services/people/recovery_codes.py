"""Recovery codes: what a person prints or writes down, and comes back with when no device knows them any more.

A code is 100 bits in twenty letters and digits that cannot be confused. The log's server keeps its hash,
``tb:people:code:<hash>``, and ``tb:people:person:<person>:code``, which names it. A code is good until it is replaced:
on paper nobody crosses out what was used. This is stored data with backups, not a projection.
"""

import re
from typing import Final

import msgspec
import redis.asyncio

from domain.instants import Instant
from services.errors import NoSuchCode
from services.log.redis_errors import available
from services.people.hashed_secrets import hash_of
from services.people.stored_text import text_of

ALPHABET: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Douglas Crockford's: no I, L, O and U."""

LENGTH: Final = 20
_GROUP: Final = 5
_READ_AS: Final = str.maketrans("OIL", "011")
_SEPARATORS: Final = re.compile(r"[\s.–—-]+")  # noqa: RUF001 - dashes as people's keyboards write them
_CODE: Final = re.compile(f"[{ALPHABET}]{{{LENGTH}}}").fullmatch


class Code(msgspec.Struct, frozen=True, omit_defaults=True):
    """What is known of a recovery code.

    Attributes:
        person: Whose it is.
        since: When it was made.
        used: When somebody came back with it last; empty if nobody did.
    """

    person: str
    since: Instant
    used: Instant = Instant("")


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Code)


def written(bits: bytes) -> str:
    """Return at least 100 bits as a code, in groups that can be read aloud."""
    number = int.from_bytes(bits, "big")
    letters = "".join(ALPHABET[(number >> (5 * place)) & 31] for place in range(LENGTH))
    return "-".join(letters[start : start + _GROUP] for start in range(0, LENGTH, _GROUP))


def read(given: str) -> str:
    """Return a code as its hash is made of it, however it was typed; empty if it cannot be one."""
    letters = _SEPARATORS.sub("", given.upper()).translate(_READ_AS)
    return letters if _CODE(letters) else ""


class RecoveryCodes:
    """Keeps one code for each person. Methods may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        self._client = client

    async def give(self, person: str, code: str, now: Instant) -> Code:
        """Let a code be a person's, instead of any other; the same one given again stays as it is."""
        name = hash_of(read(code))
        known = await self._stored(name)
        if known is not None:
            return known
        await self.erase(person)
        made = Code(person, now)
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                pipeline.set(_key(name), _ENCODER.encode(made))
                pipeline.set(_of_person(person), name)
                await pipeline.execute()
        return made

    async def of(self, person: str) -> Code | None:
        """Return what is known of a person's code; None if they have none."""
        with available():
            name = text_of(await self._client.get(_of_person(person)))
        return await self._stored(name) if name else None

    async def person(self, given: str) -> str:
        """Return whose a code is.

        Raises:
            NoSuchCode: Nobody's, or no longer.
        """
        letters = read(given)
        code = await self._stored(hash_of(letters)) if letters else None
        if code is None:
            raise NoSuchCode
        return code.person

    async def note_use(self, given: str, now: Instant) -> None:
        """Note that somebody has come back with a code."""
        name = hash_of(read(given))
        code = await self._stored(name)
        if code is not None:
            with available():
                used = msgspec.structs.replace(code, used=now)
                await self._client.set(_key(name), _ENCODER.encode(used), xx=True)

    async def move(self, person: str, to: str) -> None:
        """Let a person's code lead to another one, who has none."""
        with available():
            name = text_of(await self._client.get(_of_person(person)))
            if not name or not await self._client.set(_of_person(to), name, nx=True):
                return
            code = await self._stored(name)
            if code is not None:
                moved = msgspec.structs.replace(code, person=to)
                await self._client.set(_key(name), _ENCODER.encode(moved), xx=True)
            await self._client.delete(_of_person(person))

    async def erase(self, person: str) -> None:
        """Forget a person's code."""
        with available():
            name = text_of(await self._client.get(_of_person(person)))
            if name:
                await self._client.delete(_of_person(person), _key(name))

    async def _stored(self, name: str) -> Code | None:
        with available():
            stored = await self._client.get(_key(name))
        return _DECODER.decode(stored) if stored else None


def _key(name: str) -> str:
    return f"tb:people:code:{name}"


def _of_person(person: str) -> str:
    return f"tb:people:person:{person}:code"
