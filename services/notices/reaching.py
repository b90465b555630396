"""Giving contacts, proving that they are one's own, and taking them away: what pages and programs do alike."""

import hashlib
import re
from collections.abc import Callable
from typing import Final

import msgspec

from domain.errors import Refused
from domain.instants import Instant
from services.errors import NoSuchContact
from services.notices.channels.contract import Courier, DeliveryFailed
from services.notices.channels.letters import proof_letter
from services.notices.channels.mail_server import MailServer
from services.notices.channels.push import Push
from services.notices.channels.shapes import SHAPES
from services.notices.channels.webhook import SECRET, SHAPE, Webhooks
from services.notices.choices import Channel
from services.notices.messages import Item, Message
from services.people.contacts import MOST, PROOF, Contact, Contacts
from services.people.hashed_secrets import new_secret
from services.people.links import Links
from services.people.persons import Persons
from services.people.proofs import Made, Proof
from services.words.notices import title_words
from services.words.reasons import reason_words

PROOF_HOURS: Final = 24
"""For how long a mail proves that a mailbox is somebody's."""

_PURPOSE: Final = "mail"
_MOST_BY_PERSON: Final = 10
_MOST_TO_MAILBOX: Final = 5
_MOST_FROM_ADDRESS: Final = 50
"""How many such mails a day one person may ask for, one mailbox may get, one network address may ask for."""

_MOST_TESTS_BY_PERSON: Final = 30
_MOST_TESTS_FROM_ADDRESS: Final = 100
"""How many tests of webhooks and devices a day one person, and one network address, may ask for."""

_MAILBOX: Final = re.compile(r"([A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64})@([^@\s]{1,253})").fullmatch
_DOMAIN: Final = re.compile(
    r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]"
).fullmatch


class Asker(msgspec.Struct, frozen=True):
    """Who gives a contact.

    Attributes:
        person: The person.
        language: In which they read.
        address: The network address from which they ask; empty for none.
    """

    person: str
    language: str
    address: str = ""


class Reaching:
    """Contacts, as their persons give and prove them. Methods may raise ``StoreUnavailable``."""

    def __init__(
        self,
        contacts: Contacts,
        links: Links,
        persons: Persons,
        server: MailServer | None,
        webhooks: Webhooks,
        push: Push,
        address: str,
        now: Callable[[], Instant],
    ) -> None:
        """Take what is kept, how mails and posts leave the house, and the address at which people reach it."""
        self._contacts = contacts
        self._links = links
        self._persons = persons
        self._server = server
        self._webhooks = webhooks
        self._push = push
        self._address = address.rstrip("/")
        self._now = now

    @property
    def sends_mail(self) -> bool:
        """Whether this house sends mails."""
        return self._server is not None

    async def give_mailbox(self, asker: Asker, given: str) -> Contact:
        """Keep a mailbox, and send it a mail with which it is confirmed; one that is confirmed stays as it is.

        Raises:
            Refused: It is no mailbox, or there are too many, or no mail can be sent there.
            TooManyRequests: Too many mails were asked for.
        """
        if self._server is None:
            raise Refused("contact.mail_off", "contacts")
        mailbox = mailbox_of(given)
        number = number_of(mailbox)
        known = await self._contacts.find(asker.person, "mail", number)
        if known is not None and known.confirmed and not known.off:
            return known
        if known is None:
            await self._require_room(asker.person, "mail")
        proofs = self._contacts.proofs
        await proofs.require_few(f"person {asker.person}", _MOST_BY_PERSON)
        await proofs.require_few(f"mailbox {mailbox.lower()}", _MOST_TO_MAILBOX)
        if asker.address:
            await proofs.require_few(f"address {asker.address}", _MOST_FROM_ADDRESS)
        made = await proofs.make(_PURPOSE, asker.person, number, PROOF_HOURS * 3600)
        await self._send_proof(self._server, mailbox, asker.language, made)
        if known is not None:
            await proofs.drop(known.details.get(PROOF, ""))
        contact = Contact("mail", number, mailbox, self._now(), details={PROOF: made.name})
        await self._contacts.keep(asker.person, contact)
        return contact

    async def led_to(self, secret: str) -> Contact | None:
        """Return the mailbox that a link confirms; None if it is not good any more. Nothing changes."""
        proof = await self._contacts.proofs.find(_PURPOSE, secret)
        return None if proof is None else await self._contacts.find(proof.person, "mail", proof.number)

    async def confirm(self, secret: str) -> Contact:
        """Confirm a mailbox by the link in the mail.

        Raises:
            Refused: The link is not good any more.
        """
        return await self._confirmed(await self._contacts.proofs.use(_PURPOSE, secret))

    async def confirm_by_code(self, person: str, number: str, code: str) -> Contact:
        """Confirm a mailbox by the code in the mail; one that is confirmed stays as it is.

        Raises:
            NoSuchContact: The person gave no such mailbox.
            Refused: It is another code, or not good any more.
        """
        contact = await self._contacts.find(person, "mail", number)
        if contact is None:
            raise NoSuchContact
        if contact.confirmed:
            return contact
        name = contact.details.get(PROOF, "")
        return await self._confirmed(await self._contacts.proofs.use_code(_PURPOSE, name, code))

    async def give_webhook(self, asker: Asker, given: str, shape: str) -> Contact:
        """Keep an address to post to, once a test has arrived there; given again, it is tested again.

        Raises:
            Refused: Nobody there takes the test, or there are too many.
            TooManyRequests: Too many tests were asked for.
        """
        if shape not in SHAPES:
            raise Refused("contact.shape_unknown", "contacts", allowed=tuple(SHAPES))
        address = given.strip()
        number = number_of(address, as_written=True)
        known = await self._contacts.find(asker.person, "webhook", number)
        if known is None:
            await self._require_room(asker.person, "webhook")
        await self._require_few_tests(asker)
        secret = known.details.get(SECRET, "") if known is not None else ""
        details = {SHAPE: shape, SECRET: secret or new_secret()}
        contact = Contact("webhook", number, address, self._now(), confirmed=True, details=details)
        await self._try(self._webhooks, asker, contact)
        await self._contacts.keep(asker.person, contact)
        await self._persons.keep(asker.person)
        return contact

    @property
    def push_key(self) -> str:
        """What browsers are told when they subscribe to pushes."""
        return self._push.public_key

    async def give_device(self, asker: Asker, endpoint: str, p256dh: str, auth: str, device: str) -> Contact:
        """Keep a browser's subscription, once a test was pushed to it.

        Raises:
            Refused: It is none, or its push service does not take the test, or there are too many.
            TooManyRequests: Too many tests were asked for.
        """
        from services.notices.channels.push_sealing import DeviceKeys

        try:
            DeviceKeys(p256dh, auth).read()
        except ValueError:
            raise Refused("contact.push_malformed", "contacts") from None
        number = number_of(endpoint, as_written=True)
        if await self._contacts.find(asker.person, "push", number) is None:
            await self._drop_dead_devices(asker.person)
            await self._require_room(asker.person, "push")
        await self._require_few_tests(asker)
        details = {"p256dh": p256dh, "auth": auth, "device": device}
        contact = Contact("push", number, endpoint, self._now(), confirmed=True, details=details)
        await self._try(self._push, asker, contact)
        await self._contacts.keep(asker.person, contact)
        await self._persons.keep(asker.person)
        return contact

    async def _try(self, courier: Courier, asker: Asker, contact: Contact) -> None:
        title, now = title_words("test", "", asker.language), self._now()
        item = Item("", "test", now, title, address=self._address)
        channel: Channel = "push" if contact.channel == "push" else "webhook"
        test = Message(new_secret()[:32], asker.person, channel, asker.language, title, (item,), now)
        try:
            await courier.deliver(test, contact)
        except DeliveryFailed as failure:
            reason = reason_words(str(failure), asker.language)
            raise Refused("contact.not_reached", "contacts", reason=reason) from failure

    async def _require_few_tests(self, asker: Asker) -> None:
        proofs = self._contacts.proofs
        await proofs.require_few(f"tests of {asker.person}", _MOST_TESTS_BY_PERSON)
        if asker.address:
            await proofs.require_few(f"tests from {asker.address}", _MOST_TESTS_FROM_ADDRESS)

    async def _drop_dead_devices(self, person: str) -> None:
        for contact in await self._contacts.of(person):
            if contact.channel == "push" and contact.off:
                await self._contacts.drop(person, contact.channel, contact.number)

    async def take_away(self, person: str, channel: str, number: str) -> None:
        """Forget a contact.

        Raises:
            NoSuchContact: There is none.
        """
        contact = await self._contacts.find(person, channel, number)
        if contact is None:
            raise NoSuchContact
        await self._contacts.proofs.drop(contact.details.get(PROOF, ""))
        await self._contacts.drop(person, channel, number)
        if channel == "mail":
            # Whoever reads that mailbox does not come in by a mail that lies there.
            await self._links.revoke_mailed(person)

    async def _confirmed(self, proof: Proof) -> Contact:
        contact = await self._contacts.find(proof.person, "mail", proof.number)
        if contact is None:  # taken away meanwhile
            raise Refused("proof.unknown", "proofs")
        confirmed = msgspec.structs.replace(contact, confirmed=True, details={}, off="")
        await self._contacts.keep(proof.person, confirmed)
        await self._persons.keep(proof.person)
        return confirmed

    async def _send_proof(self, server: MailServer, to: str, language: str, made: Made) -> None:
        letter = proof_letter(
            to,
            server.sender,
            self._address,
            language,
            code=made.code,
            link=f"{self._address}/confirm/{made.secret}",
            hours=PROOF_HOURS,
            now=self._now(),
        )
        try:
            await server.send(letter)
        except DeliveryFailed as failure:
            await self._contacts.proofs.drop(made.name)
            reason = reason_words(str(failure), language)
            raise Refused("contact.mail_not_sent", "contacts", reason=reason) from failure

    async def _require_room(self, person: str, channel: str) -> None:
        having = [one for one in await self._contacts.of(person) if one.channel == channel]
        if len(having) >= MOST:
            raise Refused("contact.too_many", "contacts", most=MOST)


def mailbox_of(given: str) -> str:
    """Return a mailbox as it is kept: what stands before the sign as it was typed, the domain in small ASCII letters.

    Raises:
        Refused: It is none (``contact.mail_malformed``).
    """
    read = _MAILBOX(given.strip())
    if read:
        try:
            domain = read[2].encode("idna").decode().lower()
        except UnicodeError:
            domain = ""
        local = read[1]
        if _DOMAIN(domain) and not (local.startswith(".") or local.endswith(".") or ".." in local):
            return f"{local}@{domain}"
    raise Refused("contact.mail_malformed", "contacts")


def number_of(address: str, *, as_written: bool = False) -> str:
    """Return the number of a contact: the same for the same address, in whichever letters unless that matters."""
    return hashlib.sha256((address if as_written else address.lower()).encode()).hexdigest()[:16]
