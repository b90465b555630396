"""Coming back by mail: a link and a code to a mailbox that a person has confirmed, good once, for 15 minutes.

Whoever asks learns nothing about who plays here: the answer is the same for every mailbox, and the mail goes out
after it.
"""

import secrets
from collections.abc import Callable, Sequence
from email.message import EmailMessage
from typing import Final, NamedTuple

import structlog

from domain.errors import Refused
from domain.instants import Instant
from services.notices.channels.contract import DeliveryFailed
from services.notices.channels.letters import return_letter
from services.notices.channels.mail_server import MailServer
from services.notices.reaching import mailbox_of
from services.people.contacts import Contacts
from services.people.hashed_secrets import new_secret
from services.people.links import MAIL_SECONDS, Links
from services.people.persons import Persons

_PURPOSE: Final = "return"
_MOST_TO_MAILBOX: Final = 10
_MOST_FROM_ADDRESS: Final = 50
"""How many such mails a day one mailbox may get, and one network address may ask for."""

_MOST_PERSONS: Final = 4
"""How many persons who share a mailbox get a mail."""

_log = structlog.get_logger(__name__)


class Asked(NamedTuple):
    """What was asked for.

    Attributes:
        name: Who types the code sends it along; it tells nothing.
        letters: Mails that are to be sent; none for a mailbox that nobody has confirmed.
    """

    name: str
    letters: Sequence[EmailMessage]


class Returning:
    """Lets people back in by mail. Methods may raise ``StoreUnavailable``."""

    def __init__(
        self,
        contacts: Contacts,
        links: Links,
        persons: Persons,
        server: MailServer | None,
        address: str,
        now: Callable[[], Instant],
    ) -> None:
        """Take how mails leave the house, and the address at which people reach it."""
        self._contacts = contacts
        self._links = links
        self._persons = persons
        self._server = server
        self._address = address.rstrip("/")
        self._now = now

    @property
    def is_possible(self) -> bool:
        """Whether this house sends mails."""
        return self._server is not None

    async def ask(self, given: str, language: str, asker: str) -> Asked:
        """Ask for mails to a mailbox; :meth:`send` sends them.

        Args:
            given: The mailbox.
            language: In which to write to persons who have not chosen one.
            asker: The network address from which it is asked; empty for none.

        Raises:
            Refused: It is no mailbox, or this house sends no mails.
            TooManyRequests: Too many mails were asked for.
        """
        if self._server is None:
            raise Refused("contact.mail_off", "contacts")
        mailbox, proofs = mailbox_of(given), self._contacts.proofs
        # Counted before it is known whether anybody is there.
        await proofs.require_few(f"return to {mailbox.lower()}", _MOST_TO_MAILBOX)
        if asker:
            await proofs.require_few(f"return from {asker}", _MOST_FROM_ADDRESS)
        found = await self._contacts.persons_at(mailbox)
        name = secrets.token_hex(32)
        letters: list[EmailMessage] = []
        for person in found[:_MOST_PERSONS]:
            secret = new_secret()
            await self._links.make_by_mail(secret, person, self._now())
            # A code is good for the first of several persons; the others come in by their links.
            code = ""
            if not letters:
                made = await proofs.make(_PURPOSE, person, "", MAIL_SECONDS, secret)
                name, code = made.name, made.code
            known = await self._persons.of(person)
            letters.append(
                return_letter(
                    mailbox,
                    self._server.sender,
                    self._address,
                    (known.language if known is not None else "") or language,
                    person=known.name if known is not None else "",
                    code=code,
                    link=f"{self._address}/s/{secret}",
                    now=self._now(),
                )
            )
        return Asked(name, letters)

    async def send(self, letters: Sequence[EmailMessage]) -> None:
        """Send mails that were asked for; what cannot be sent is told to the operator alone."""
        for letter in letters:
            try:
                if self._server is not None:
                    await self._server.send(letter)
            except DeliveryFailed as failure:
                _log.warning("way_back_not_mailed", reason=str(failure))

    async def by_code(self, name: str, code: str) -> str:
        """Return the token of a link, for who has typed the code in the mail. The link in the mail ends with it.

        Raises:
            Refused: It is another code, or not good any more.
        """
        proof = await self._contacts.proofs.use_code(_PURPOSE, name, code)
        now = self._now()
        link = await self._links.named(name)
        if link is None or link.state(now) != "valid":
            raise Refused("proof.unknown", "proofs")
        token = new_secret()
        await self._links.make_by_mail(token, proof.person, now)
        return token
