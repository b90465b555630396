"""What is gathered about one match, at one moment, before anybody judges it."""

from typing import Final

import msgspec

from domain.entries import StoredEntry
from domain.errors import BrokenLog
from services.log.event_store.contract import EventStore, Meta, Status

_ATTEMPTS: Final = 5


class MatchFacts(msgspec.Struct, frozen=True):
    """A match as the store has it.

    Attributes:
        match: Its id.
        meta: The store's record; None if it cannot be read.
        scheduled: Its instant in the due index, in milliseconds; None if it is not there.
        entries: Its log, as far as it can be read; nothing for one in the archive.
        problem: Why record or log could not be read.
        settled: Whether nothing moved while this was gathered: what has moved is not judged.
    """

    match: str
    meta: Meta | None
    scheduled: int | None
    entries: tuple[StoredEntry, ...] = ()
    problem: BrokenLog | None = None
    settled: bool = True


class MatchLooker:
    """Gathers facts about matches while others write to them."""

    def __init__(self, store: EventStore) -> None:
        """Take the store itself, not one that reads the archive too."""
        self._store: Final = store

    async def look(self, match: str) -> MatchFacts:
        """Gather the facts about a match.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        facts = await self._once(match)
        for _ in range(_ATTEMPTS):
            if facts.settled:
                break
            facts = await self._once(match)
        return facts

    async def _once(self, match: str) -> MatchFacts:
        before, problem = await self._meta(match)
        scheduled = await self._store.scheduled(match)
        entries: list[StoredEntry] = []
        if before is None or before.status is not Status.ARCHIVED:
            try:
                entries = await self._store.read(match)
            except BrokenLog as broken:
                problem = problem or broken
                if broken.version > 1:
                    entries = await self._store.read(match, last=broken.version - 1)
        after, _ = await self._meta(match)
        return MatchFacts(match, before, scheduled, tuple(entries), problem, settled=before == after)

    async def _meta(self, match: str) -> tuple[Meta | None, BrokenLog | None]:
        try:
            return await self._store.meta(match), None
        except BrokenLog as error:
            return None, error
