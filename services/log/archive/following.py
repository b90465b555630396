"""Following the feed for matches that were closed or have moved."""

from typing import Final

import structlog

from domain.match.events import MatchAbandoned, MatchFinished
from services.log.archive.archivist import Archivist
from services.log.archive.closed_matches import NAME, ClosedMatches
from services.log.event_store.contract import EventStore, Pointer
from services.log.event_store.errors import FeedGap

_BATCH: Final = 500

_CLOSING: Final = frozenset({MatchFinished.__name__, MatchAbandoned.__name__})

_log = structlog.get_logger(__name__)


class ClosedMatchesFollower:
    """Keeps the record of closed and moved matches up to date with the feed.

    Everything that it notes may be noted twice: several processes may follow at once, and each may be killed.
    """

    def __init__(self, store: EventStore, closed: ClosedMatches, archivist: Archivist) -> None:
        """Take the log, what waits, and who archives it."""
        self._store = store
        self._closed = closed
        self._archivist = archivist
        self._positions: dict[int, int] = {}

    async def follow(self) -> None:
        """Note everything that has happened since the last time.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        try:
            await self._follow()
        except FeedGap as gap:
            _log.warning("archive_looks_through_all", reason=str(gap))
            self._positions = {}
            await self._register(anew=True)

    async def _follow(self) -> None:
        if not self._positions:
            await self._register(anew=False)
        while pointers := await self._store.feed(self._positions, _BATCH, 0):
            await self._note(pointers)
            await self._advance(pointers)

    async def _note(self, pointers: list[Pointer]) -> None:
        await self._closed.note_moved({pointer.match: pointer.last for pointer in pointers})
        for pointer in pointers:
            if _CLOSING.intersection(pointer.types):
                await self._archivist.note(pointer.match)

    async def _advance(self, pointers: list[Pointer]) -> None:
        for shard, position in {pointer.shard: pointer.position for pointer in pointers}.items():
            # Should another process do the same work, its checkpoint stands; the work itself may be done twice.
            await self._store.advance(NAME, shard, self._positions[shard], position)
            self._positions[shard] = position

    async def _register(self, *, anew: bool) -> None:
        """Find out where to go on. Who comes for the first time, or has missed something, looks at all matches."""
        heads = await self._store.positions()
        positions, look = {}, anew or not await self._closed.filled()
        for shard, head in heads.items():
            known = await self._store.checkpoint(NAME, shard)
            if known is not None and known > head:
                _log.critical("store_went_back", shard=shard, checkpoint=known, head=head)
            if known is None or known > head or anew:
                await self._store.advance(NAME, shard, known, head)
                known, look = head, True
            positions[shard] = known
        if look:
            # Behind the registration: what is closed meanwhile is in the feed.
            await self._archivist.note_all()
        self._positions = positions
