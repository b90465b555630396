"""The kinds of a dossier that notices keep: where somebody can be reached, and what they were told."""

from typing import Any, Final

import msgspec

from services.notices.channels.feed import Feed
from services.notices.outbox import Outbox
from services.people.contacts import Contacts
from services.people.dossiers import Whom


class WaysToReach:
    """Where they can be reached."""

    name: Final = "contacts"

    def __init__(self, contacts: Contacts) -> None:
        self._contacts = contacts

    async def shown(self, whom: Whom) -> Any:
        """Return the contacts, without keys."""
        found = await self._contacts.of(whom.person)
        return [
            {"channel": one.channel, "address": one.address, "since": one.since, "confirmed": one.confirmed}
            for one in found
        ]

    async def move(self, whom: Whom, to: str) -> None:
        """Let the contacts be the other person's, as far as they have none in that channel."""
        having = {contact.channel for contact in await self._contacts.of(to)}
        for contact in await self._contacts.of(whom.person):
            if contact.channel not in having:
                await self._contacts.keep(to, contact)

    async def erase(self, whom: Whom) -> None:
        """Forget the contacts; secret addresses of feeds lead nowhere from now on."""
        await self._contacts.erase(whom.person)


class NoticesTold:
    """What they were told last."""

    name: Final = "notices"

    def __init__(self, outbox: Outbox, feed: Feed) -> None:
        self._outbox = outbox
        self._feed = feed

    async def shown(self, whom: Whom) -> Any:
        """Return what was delivered, and what their feed says."""
        deliveries = await self._outbox.deliveries(whom.person)
        return {
            "deliveries": msgspec.to_builtins(deliveries),
            "feed": msgspec.to_builtins(await self._feed.of(whom.person)),
        }

    async def move(self, whom: Whom, to: str) -> None:
        """Leave it: what was told stays with who was told, and goes with them."""

    async def erase(self, whom: Whom) -> None:
        """Forget it."""
        await self._feed.erase(whom.person)
        await self._outbox.erase(whom.person)
