"""From a match to what is planned: when to look whether somebody is still waited for."""

from typing import Final

import redis.asyncio

from domain.instants import EARLIEST, Instant, after, milliseconds_of
from domain.match.fold import Position
from services.errors import MatchClosed, NoSuchMatch
from services.log.event_store.contract import EventStore
from services.log.redis_errors import available
from services.matches.reader import MatchReader
from services.notices.choices import reminders
from services.notices.club_channels import ClubChannels
from services.notices.club_occasions import club_occasions
from services.notices.occasions import Name, Occasion, does_something, happened, standing
from services.notices.outbox import ENTRIES_KEPT, Outbox
from services.people.clubs.club_tables import ClubTables
from services.people.contacts import Contacts
from services.people.memberships import Memberships
from services.people.persons import Persons
from services.people.stored_text import text_of

GRACE_SECONDS: Final = 60
"""Who acts within so many seconds needs no notice."""

REMINDER_MARK: Final = "|"
"""Between the turn and the hours in the turn of a reminder."""

_MOST_EVENTS: Final = 500


class Planner:
    """Plans what is to be told about matches. Methods may raise ``StoreUnavailable``."""

    def __init__(
        self,
        client: "redis.asyncio.Redis",
        store: EventStore,
        reader: MatchReader,
        persons: Persons,
        memberships: Memberships,
        contacts: Contacts,
        outbox: Outbox,
    ) -> None:
        self._client = client
        self._store = store
        self._reader = reader
        self._persons = persons
        self._memberships = memberships
        self._clubs = ClubTables(client)
        self._channels = ClubChannels(contacts)
        self._outbox = outbox

    async def look(self, match: str) -> None:
        """Plan what a match gives to tell now, and what has happened in it since it was last looked at."""
        try:
            position = await self._reader.head(match)
        except (NoSuchMatch, MatchClosed):
            return
        occasions = list(standing(position))
        occasions += await self._happened(position)
        occasions += await self._of_club(position)
        plans = [(one.name, after(one.since, GRACE_SECONDS)) for one in occasions]
        for occasion in occasions:
            plans += await self._reminders(occasion)
        await self._outbox.plan(plans)
        # Last: if this process dies before, the events are looked at again, and enter nothing twice.
        await self._remember(match, position.version)

    async def _of_club(self, position: Position) -> list[Occasion]:
        club = await self._clubs.club_of(position.match)
        if not club or await self._channels.of(club) is None:
            return []
        return list(club_occasions(position, club))

    async def _happened(self, position: Position) -> list[Occasion]:
        with available():
            seen = text_of(await self._client.get(_seen(position.match)))
        if not seen:
            return []
        after_version = max(int(seen), position.version - _MOST_EVENTS)
        entries = await self._store.read(position.match, after=after_version, last=position.version)
        if not any(map(does_something, entries)):
            return []
        # Rarely: most events do nothing to others, and an older state costs a fold.
        before = await self._reader.at(position.match, after_version)
        return list(happened(position.match, before.state, entries))

    async def _reminders(self, occasion: Occasion) -> list[tuple[Name, Instant]]:
        if occasion.name.kind != "turn" or occasion.deadline == EARLIEST:
            return []
        (person,) = await self._memberships.persons_of([occasion.name.player])
        known = await self._persons.of(person) if person else None
        if known is None:
            return []
        planned = []
        for hours in reminders(known.preferences):
            at = after(occasion.deadline, -hours * 3600)
            # A reminder that would come with the first notice is none.
            if milliseconds_of(at) > milliseconds_of(occasion.since) + 2 * GRACE_SECONDS * 1000:
                turn = f"{occasion.name.turn}{REMINDER_MARK}{hours}"
                planned.append((occasion.name._replace(kind="reminder", turn=turn), at))
        return planned

    async def _remember(self, match: str, version: int) -> None:
        with available():
            await self._client.set(_seen(match), version, ex=ENTRIES_KEPT)


def _seen(match: str) -> str:
    return f"tb:{{notices}}:seen:{match}"
