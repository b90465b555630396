"""Finding tables that wait since before a release told the clock to come to them.

Whatever is appended schedules its match. Tables that have not begun were never visited before, so those that were
there have no instant in the due index, and would stay for ever.
"""

from collections.abc import AsyncIterator
from typing import Final

import structlog

from domain.errors import BrokenLog
from domain.match.due import due_of
from services.errors import MatchClosed, NoSuchMatch
from services.log.event_store.contract import EventStore, Status
from services.matches.reader import MatchReader

AT_ONCE: Final = 100
"""How many matches are looked at between two looks at what is due."""

_log = structlog.get_logger(__name__)


class UnscheduledTables:
    """Looks through all matches of the store once, a few at a time."""

    def __init__(self, store: EventStore, reader: MatchReader) -> None:
        self._store: Final = store
        self._reader: Final = reader
        self._matches: AsyncIterator[str] | None = store.matches()

    async def look(self) -> bool:
        """Look at the next matches; tell whether there are more.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        for _ in range(AT_ONCE):
            if self._matches is None:
                break
            match = await anext(self._matches, None)
            if match is None:
                self._matches = None
                break
            await self._schedule(match)
        return self._matches is not None

    async def _schedule(self, match: str) -> None:
        try:
            meta = await self._store.meta(match)
            if meta is None or meta.status is not Status.OPEN or meta.due is not None:
                return
            position = await self._reader.head(match)
        except (BrokenLog, MatchClosed, NoSuchMatch):
            return  # the doctor names it
        due = due_of(position)
        if due is not None and await self._store.set_due(match, position.version, due):
            _log.info("match_scheduled", match=match, due=due)
