"""A person's day: the tables that wait for them, and those in which something happened that they have not seen."""

from collections.abc import Callable
from typing import Final, NamedTuple

from domain.instants import Instant, milliseconds_of
from services.people.looks import Looks
from services.people.memberships import Memberships
from services.projections.inbox import InboxReader, InboxTable, parts_of

_DAY_MILLISECONDS: Final = 24 * 3600 * 1000


class Day(NamedTuple):
    """What a digest tells.

    Attributes:
        waiting: Tables that wait for the person, the first due first.
        moved: Others, in which something happened within a day that they have not seen, the newest change first.
    """

    waiting: tuple[InboxTable, ...]
    moved: tuple[InboxTable, ...]

    @property
    def is_worth_telling(self) -> bool:
        """Whether there is anything to tell."""
        return bool(self.waiting or self.moved)


class Days:
    """Reads persons' days. Methods may raise ``StoreUnavailable``."""

    def __init__(
        self, inbox: InboxReader, memberships: Memberships, looks: Looks, now: Callable[[], Instant]
    ) -> None:
        self._inbox = inbox
        self._memberships = memberships
        self._looks = looks
        self._now = now

    async def of(self, person: str) -> Day:
        """Return a person's day until now."""
        parts = parts_of(await self._memberships.of(person))
        inbox = await self._inbox.inbox(parts, await self._looks.of(person))
        since = milliseconds_of(self._now()) - _DAY_MILLISECONDS
        return Day(inbox.turns, tuple(table for table in inbox.moved if table.row.changed_at >= since))
