"""From what is planned to the outbox: one entry for each person and channel, if it still holds when its time comes."""

from collections.abc import Callable
from typing import Final

import structlog

from domain.instants import Instant
from services.errors import StoreUnavailable
from services.matches.reader import MatchReader
from services.notices.choices import not_before, wants
from services.notices.club_channels import Receivers
from services.notices.club_occasions import CLUB_KINDS
from services.notices.days import Days
from services.notices.holding import holds
from services.notices.occasions import Name
from services.notices.outbox import Outbox
from services.notices.receivers import channels_of
from services.people.contacts import Contacts
from services.people.memberships import Memberships

BATCH: Final = 200

_log = structlog.get_logger(__name__)


class Enterer:
    """Looks at planned occasions. Methods may raise ``StoreUnavailable``."""

    def __init__(
        self,
        reader: MatchReader,
        receivers: Receivers,
        memberships: Memberships,
        contacts: Contacts,
        outbox: Outbox,
        days: Days,
        now: Callable[[], Instant],
    ) -> None:
        self._reader = reader
        self._receivers = receivers
        self._memberships = memberships
        self._contacts = contacts
        self._outbox = outbox
        self._days = days
        self._now = now

    async def step(self) -> int:
        """Look at what is planned for now; return how many occasions there were."""
        planned = await self._outbox.planned(self._now(), BATCH)
        for name in planned:
            try:
                await self._look(name)
            except StoreUnavailable:
                raise
            except Exception:  # noqa: BLE001
                # One match that cannot be read must not keep the others' people from being told.
                _log.exception("notice_unreadable", match=name.match)
                await self._outbox.drop(name)
        return len(planned)

    async def _look(self, name: Name) -> None:
        held = await holds(self._reader, self._days, name)
        if held is None:
            await self._outbox.drop(name)
        elif held.due > self._now():
            await self._outbox.plan_anew(name, held.due)
        else:
            await self._enter(name)

    async def _enter(self, name: Name) -> None:
        # What is about no match, and what is for a club, names who is told.
        by_player = bool(name.match) and name.kind not in CLUB_KINDS
        (person,) = await self._memberships.persons_of([name.player]) if by_player else [name.player]
        known = await self._receivers.of(person) if person else None
        if known is None:
            await self._outbox.drop(name)
            return
        now = self._now()
        channels = [
            (channel, not_before(known, name.kind, channel, now))
            for channel in await channels_of(self._contacts, known.id)
            if wants(known, name.kind, channel)
        ]
        await self._outbox.enter(name, person, channels)
