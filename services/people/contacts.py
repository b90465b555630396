"""Contacts: where a person can be reached. Secret: they lead to somebody's mailbox or device.

A club's channel is kept in the same way, under the club's id.

The log's server keeps ``tb:people:person:<person>:contacts``, a Redis hash by channel and number, and
``tb:people:person:<person>:addresses`` how many secret addresses were made for each purpose (a feed, a link that stops
mails), ``tb:people:contact:<hash>`` whose an address is, and ``tb:people:mailbox:<hmac>`` who has confirmed a mailbox.
The address itself is an HMAC under the installation's secret, so it can be shown again and is stored nowhere. This is
stored data with backups, not a projection; it is erased with the person.
"""

import base64
import hmac
from collections.abc import Mapping
from typing import Final

import msgspec
import redis.asyncio

from domain.instants import Instant
from services.log.redis_errors import available
from services.people.hashed_secrets import hash_of, is_secret
from services.people.proofs import Proofs
from services.people.stored_text import fields_of, text_of

MOST: Final = 8
"""How many contacts a person may have in one channel."""


class Contact(msgspec.Struct, frozen=True, omit_defaults=True):
    """A way to reach somebody.

    Attributes:
        channel: ``feed``, ``mail``, ``webhook`` or ``push``.
        number: Tells it from the person's other contacts.
        address: A mailbox, an address to post to, or a device's endpoint.
        since: When it was given.
        confirmed: Whether its owner has proved that it is theirs.
        details: What else its channel needs, such as a shape or keys.
        off: Why nothing is sent there any more; empty if it works.
    """

    channel: str
    number: str
    address: str
    since: Instant
    confirmed: bool = False
    details: Mapping[str, str] = {}
    off: str = ""


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(Contact)


PROOF: Final = "proof"
"""The name among a contact's details under which it has the name of the proof that it waits for."""


class Contacts:
    """Contacts of persons. Methods may raise ``StoreUnavailable``.

    Attributes:
        proofs: Proofs that contacts are their persons'.
    """

    def __init__(self, secret: bytes, client: "redis.asyncio.Redis") -> None:
        self.proofs = Proofs(secret, client)
        self._secret = secret
        self._client = client

    async def of(self, person: str) -> list[Contact]:
        """Return a person's contacts, the oldest first."""
        with available():
            stored = await self._client.hvals(_key(person))
        return sorted(map(_DECODER.decode, stored), key=lambda contact: contact.since)

    async def find(self, person: str, channel: str, number: str) -> Contact | None:
        """Return one contact."""
        with available():
            stored = await self._client.hget(_key(person), _field(channel, number))
        return _DECODER.decode(stored) if stored else None

    async def keep(self, person: str, contact: Contact) -> None:
        """Keep a contact, or what has changed about it."""
        with available():
            await self._client.hset(
                _key(person), _field(contact.channel, contact.number), _ENCODER.encode(contact)
            )
            if contact.channel == "mail" and contact.confirmed:
                await self._client.sadd(self._at(contact.address), person)

    async def persons_at(self, mailbox: str) -> list[str]:
        """Return the persons who have confirmed a mailbox that still works."""
        with available():
            found = sorted(text_of(one) for one in await self._client.smembers(self._at(mailbox)))
        return [person for person in found if await self._has(person, mailbox)]

    async def drop(self, person: str, channel: str, number: str) -> None:
        """Forget a contact."""
        contact = await self.find(person, channel, number)
        with available():
            if contact is not None and channel == "mail":
                await self._client.srem(self._at(contact.address), person)
            await self._client.hdel(_key(person), _field(channel, number))

    async def address(self, person: str, purpose: str) -> str:
        """Return the secret address of a person for a purpose, such as ``feed``; it is made when first asked for."""
        generation = await self._generation(person, purpose)
        return (
            self._secret_of(person, purpose, generation) if generation else await self.renew(person, purpose)
        )

    async def renew(self, person: str, purpose: str) -> str:
        """Return a new secret address for a purpose; the earlier ones lead nowhere from now on."""
        with available():
            generation = await self._client.hincrby(_addresses(person), purpose, 1)
            secret, before = (self._secret_of(person, purpose, one) for one in (generation, generation - 1))
            async with self._client.pipeline(transaction=True) as pipeline:
                pipeline.delete(_led_by(hash_of(before)))
                pipeline.set(_led_by(hash_of(secret)), f"{purpose} {person}")
                await pipeline.execute()
        return secret

    async def led_to(self, purpose: str, secret: str) -> str:
        """Return the person to whom a secret address leads; empty if it leads nowhere."""
        if not is_secret(secret):
            return ""
        with available():
            stored = text_of(await self._client.get(_led_by(hash_of(secret))))
        kind, _, person = stored.partition(" ")
        return person if kind == purpose else ""

    def derived(self, purpose: str) -> bytes:
        """Return 64 bytes that only this installation can make; for one purpose always the same ones."""
        return hmac.digest(self._secret, f"tablee {purpose}".encode(), "sha512")

    async def erase(self, person: str) -> None:
        """Forget all contacts and secret addresses of a person, and the proofs that were on their way."""
        for contact in await self.of(person):
            await self.proofs.drop(contact.details.get(PROOF, ""))
            await self.drop(person, contact.channel, contact.number)
        with available():
            made = fields_of(await self._client.hgetall(_addresses(person)))
            secrets = [self._secret_of(person, purpose, int(count)) for purpose, count in made.items()]
            keys = [_led_by(hash_of(secret)) for secret in secrets]
            await self._client.delete(_key(person), _addresses(person), *keys)

    async def _has(self, person: str, mailbox: str) -> bool:
        return any(
            contact.channel == "mail"
            and contact.address.lower() == mailbox.lower()
            and contact.confirmed
            and not contact.off
            for contact in await self.of(person)
        )

    def _at(self, mailbox: str) -> str:
        digest = hmac.digest(self._secret, f"tablee mailbox\n{mailbox.lower()}".encode(), "sha256")
        return f"tb:people:mailbox:{digest.hex()}"

    async def _generation(self, person: str, purpose: str) -> int:
        with available():
            return int(text_of(await self._client.hget(_addresses(person), purpose)) or 0)

    def _secret_of(self, person: str, purpose: str, generation: int) -> str:
        text = f"tablee address\n{purpose} {person} {generation}"
        return (
            base64.urlsafe_b64encode(hmac.digest(self._secret, text.encode(), "sha256")).decode().rstrip("=")
        )


async def forget_contacts(client: "redis.asyncio.Redis", receiver: str) -> None:
    """Forget where somebody, or a club, can be reached; for those who have no secret addresses."""
    with available():
        await client.delete(_key(receiver))


def _field(channel: str, number: str) -> str:
    return f"{channel}:{number}"


def _key(person: str) -> str:
    return f"tb:people:person:{person}:contacts"


def _addresses(person: str) -> str:
    return f"tb:people:person:{person}:addresses"


def _led_by(digest: str) -> str:
    return f"tb:people:contact:{digest}"
