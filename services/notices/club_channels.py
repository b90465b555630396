"""The channel of a club: one address to which what happens at its tables is posted, as its hosts want.

It is kept as a person's webhooks are (``services/people/contacts.py``), under the club's id, and goes through the same
outbox, guard and retries.
"""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec

from domain.errors import Refused
from services.errors import NoSuchContact
from services.notices.channels.webhook import SHAPE
from services.notices.choices import wish_of
from services.notices.club_occasions import CLUB_KINDS, CLUB_KINDS_BY_DEFAULT
from services.notices.occasions import Kind
from services.notices.reaching import Asker, Reaching
from services.people.clubs.clubs import Clubs
from services.people.contacts import Contact, Contacts
from services.people.persons import Person, Persons

_KINDS: Final = "kinds"
_LANGUAGE: Final = "language"
_ZONE: Final = "time_zone"


class ClubChannels:
    """Channels of clubs. Methods may raise ``StoreUnavailable``."""

    def __init__(self, contacts: Contacts) -> None:
        self._contacts = contacts

    async def of(self, club: str) -> Contact | None:
        """Return the channel of a club; None if it has none."""
        found = [one for one in await self._contacts.of(club) if one.channel == "webhook"]
        return found[-1] if found else None

    async def give(
        self,
        reaching: Reaching,
        club: str,
        address: str,
        shape: str,
        kinds: Iterable[str],
        *,
        host: Person,
        asked_from: str,
    ) -> Contact:
        """Let an address be a club's only one, once a test has arrived there. Texts are in its host's language.

        Raises:
            Refused: Nobody there takes the test, or nothing is to be told.
            TooManyRequests: Too many tests were asked for.
        """
        chosen = known_kinds(kinds)
        asker = Asker(club, host.language or "en", asked_from)
        given = await reaching.give_webhook(asker, address, shape)
        details = {
            **given.details,
            _KINDS: ",".join(chosen),
            _LANGUAGE: host.language,
            _ZONE: host.time_zone,
        }
        contact = msgspec.structs.replace(given, details=details)
        await self._contacts.keep(club, contact)
        for other in await self._contacts.of(club):
            if other.number != contact.number:
                await self._contacts.drop(club, other.channel, other.number)
        return contact

    async def choose(self, club: str, kinds: Iterable[str]) -> Contact:
        """Choose what a club's channel tells.

        Raises:
            NoSuchContact: The club has none.
            Refused: Nothing is to be told.
        """
        chosen, contact = known_kinds(kinds), await self.of(club)
        if contact is None:
            raise NoSuchContact
        changed = msgspec.structs.replace(contact, details={**contact.details, _KINDS: ",".join(chosen)})
        await self._contacts.keep(club, changed)
        return changed

    async def take_away(self, club: str) -> None:
        """Forget a club's channel, if it has one."""
        for contact in await self._contacts.of(club):
            await self._contacts.drop(club, contact.channel, contact.number)


class Receivers:
    """Who is told: persons, and clubs, which are told as a person would be. Methods may raise ``StoreUnavailable``."""

    def __init__(self, persons: Persons, clubs: Clubs, contacts: Contacts) -> None:
        self._persons = persons
        self._clubs = clubs
        self._channels = ClubChannels(contacts)

    async def of(self, receiver: str) -> Person | None:
        """Return a person, or a club with a channel as one; None if there is none, or no longer."""
        person = await self._persons.of(receiver)
        if person is not None:
            return person
        contact = await self._channels.of(receiver)
        club = await self._clubs.of(receiver) if contact is not None else None
        if contact is None or club is None:
            return None
        preferences = {"notice.quiet": "never"}
        for kind in kinds_of(contact):
            preferences |= wish_of(kind, "webhook", on=True)
        language, zone = contact.details.get(_LANGUAGE, ""), contact.details.get(_ZONE, "")
        return Person(club.id, club.since, club.name, language, zone, preferences)


def kinds_of(contact: Contact) -> tuple[Kind, ...]:
    """Return what a club's channel tells."""
    chosen = contact.details.get(_KINDS, "").split(",")
    return tuple(kind for kind in CLUB_KINDS if kind in chosen)


def shape_of(contact: Contact) -> str:
    """Return the shape in which a club's channel takes messages."""
    return contact.details.get(SHAPE, "json")


def known_kinds(given: Iterable[str]) -> Sequence[Kind]:
    """Return the kinds among some texts; those by default if there is no text.

    Raises:
        Refused: A text is none.
    """
    texts = set(given) or set(CLUB_KINDS_BY_DEFAULT)
    if not texts <= set(CLUB_KINDS):
        raise Refused("club.channel_kind_unknown", "contacts", allowed=CLUB_KINDS)
    return [kind for kind in CLUB_KINDS if kind in texts]
