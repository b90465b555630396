"""Proofs: that a mailbox is somebody's. A mail has a link and a code; whoever comes with either has read the mail.

The log's server keeps ``tb:people:proof:<name>``, what is proved, and ``tb:people:proof:<name>:tries``, how often a
wrong code was typed; both expire. The name is the hash of the link's secret, which stands in the mail alone; the code
is kept as an HMAC under the installation's secret, since six digits are soon guessed. ``tb:people:asked:<name>`` counts
who asked for how many mails, so that nobody fills another's mailbox.
"""

import hmac
import secrets
from typing import Final, NamedTuple

import msgspec
import redis.asyncio

from domain.errors import Refused
from services.errors import TooManyRequests
from services.log.redis_errors import available
from services.people.hashed_secrets import hash_of, is_secret, new_secret

TRIES: Final = 5
"""How many codes may be typed before a new one is needed."""

_DIGITS: Final = 6
_A_DAY: Final = 24 * 3600


class Proof(msgspec.Struct, frozen=True):
    """What is proved.

    Attributes:
        purpose: What it is good for.
        person: Whose it is.
        number: Which of their contacts it is about.
        code: The HMAC of the code.
    """

    purpose: str
    person: str
    number: str
    code: str


class Made(NamedTuple):
    """A proof that was just made.

    Attributes:
        name: Names it without opening anything; whoever types the code needs it.
        secret: Stands in the link.
        code: Six digits.
    """

    name: str
    secret: str
    code: str


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Proof)


class Proofs:
    """Makes proofs and uses them up. Methods may raise ``StoreUnavailable``."""

    def __init__(self, secret: bytes, client: "redis.asyncio.Redis") -> None:
        self._secret = secret
        self._client = client

    async def make(self, purpose: str, person: str, number: str, seconds: int, secret: str = "") -> Made:
        """Make a proof that is good for so many seconds, with a new secret unless one is given."""
        secret, code = secret or new_secret(), f"{secrets.randbelow(10**_DIGITS):0{_DIGITS}}"
        name = hash_of(secret)
        proof = Proof(purpose, person, number, self._code(name, code))
        with available():
            await self._client.set(_key(name), _ENCODER.encode(proof), ex=seconds)
        return Made(name, secret, code)

    async def find(self, purpose: str, secret: str) -> Proof | None:
        """Return what a link's secret proves; it stays good."""
        return await self._stored(purpose, hash_of(secret)) if is_secret(secret) else None

    async def use(self, purpose: str, secret: str) -> Proof:
        """Use a proof up by its link's secret.

        Raises:
            Refused: It was used, or its time is over, or there never was one (``proof.unknown``).
        """
        if not is_secret(secret):
            raise _no_such_proof()
        return await self._take(purpose, hash_of(secret))

    async def use_code(self, purpose: str, name: str, code: str) -> Proof:
        """Use a proof up by its code.

        Raises:
            Refused: It has another code (``proof.wrong_code``), and after :data:`TRIES` of them it is gone; or it was
                used, or its time is over, or there never was one (``proof.unknown``).
        """
        digits = "".join(code.split())
        proof = await self._stored(purpose, name)
        if proof is None:
            raise _no_such_proof()
        # Counted before it is compared: many tries at once are many tries.
        tries = await self._count(_tries(name), _A_DAY)
        if tries > TRIES:
            await self.drop(name)
            raise _no_such_proof()
        if not hmac.compare_digest(self._code(name, digits), proof.code):
            raise Refused("proof.wrong_code", "proofs", left=TRIES - tries)
        return await self._take(purpose, name)

    async def drop(self, name: str) -> None:
        """Forget a proof."""
        if name:
            with available():
                await self._client.delete(_key(name), _tries(name))

    async def require_few(self, asker: str, most: int) -> None:
        """Count a mail that somebody asks for.

        Raises:
            TooManyRequests: That is more than so many in a day.
        """
        key = f"tb:people:asked:{self._hmac('asked', asker)[:32]}"
        if await self._count(key, _A_DAY) > most:
            with available():
                wait = await self._client.ttl(key)
            raise TooManyRequests(max(1, wait))

    async def _stored(self, purpose: str, name: str) -> Proof | None:
        with available():
            stored = await self._client.get(_key(name))
        proof = _DECODER.decode(stored) if stored else None
        return proof if proof is not None and proof.purpose == purpose else None

    async def _take(self, purpose: str, name: str) -> Proof:
        proof = await self._stored(purpose, name)
        with available():
            # Of several who use it at once, one gets it.
            taken = proof is not None and await self._client.delete(_key(name))
        if proof is None or not taken:
            raise _no_such_proof()
        await self.drop(name)
        return proof

    async def _count(self, key: str, seconds: int) -> int:
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                pipeline.set(key, 0, ex=seconds, nx=True)
                pipeline.incr(key)
                _, count = await pipeline.execute()
        return int(count)

    def _code(self, name: str, code: str) -> str:
        return self._hmac("code", f"{name} {code}")

    def _hmac(self, purpose: str, text: str) -> str:
        return hmac.digest(self._secret, f"tablee {purpose}\n{text}".encode(), "sha256").hex()


def _no_such_proof() -> Refused:
    return Refused("proof.unknown", "proofs")


def _key(name: str) -> str:
    return f"tb:people:proof:{name}"


def _tries(name: str) -> str:
    return f"tb:people:proof:{name}:tries"
