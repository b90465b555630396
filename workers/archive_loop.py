"""The loop that takes closed matches to the archive once their grace period is over, and publishes the day's heads."""

import asyncio
from typing import Final

import structlog

from domain.match.events import MatchAbandoned, MatchFinished
from services.archive.archivist import Archivist
from services.archive.closed_matches import NAME, ClosedMatches
from services.audit.digests import DigestMaker
from services.errors import StoreUnavailable
from services.event_store.contract import EventStore, Pointer
from services.event_store.errors import FeedGap

PAUSE_SECONDS: Final = 20.0
"""How often this loop looks. Nothing here is urgent: it reads the feed in large pieces, and wakes nobody."""

BATCH: Final = 500

_CLOSING: Final = frozenset({MatchFinished.__name__, MatchAbandoned.__name__})

_log = structlog.get_logger(__name__)


class ArchiveLoop:
    """Follows the feed for matches that were closed or have moved."""

    def __init__(
        self,
        store: EventStore,
        closed: ClosedMatches,
        archivist: Archivist,
        digests: DigestMaker,
        grace_seconds: float,
    ) -> None:
        """Take the log, what waits, who archives it, who makes digests, and the grace period."""
        self._store = store
        self._closed = closed
        self._archivist = archivist
        self._digests = digests
        self._grace = grace_seconds
        self._positions: dict[int, int] = {}

    async def run(self) -> None:
        """Work for ever; while the store or the archive is away, keep trying."""
        away = False
        while True:
            try:
                await self.step()
            except StoreUnavailable as error:
                if not away:
                    _log.warning("archive_waits", reason=str(error))
                away = True
            except Exception:  # noqa: BLE001
                # Without this loop matches are played as well as with it: it must not take the others down.
                _log.exception("archive_loop_failed")
            else:
                if away:
                    _log.info("archive_goes_on")
                away = False
            await asyncio.sleep(PAUSE_SECONDS)

    async def step(self) -> int:
        """Read what is new, archive what is due, make a digest if one is due; return how many were archived."""
        try:
            await self._follow()
        except FeedGap as gap:
            _log.warning("archive_looks_through_all", reason=str(gap))
            self._positions = {}
            await self._register(anew=True)
        digest = await self._digests.make_if_due()
        if digest is not None:
            _log.info("digest_made", digest=digest.line.digest, heads=digest.line.heads, sha256=digest.sha256)
        return await self._archivist.archive_waiting(self._grace)

    async def _follow(self) -> None:
        if not self._positions:
            await self._register(anew=False)
        while pointers := await self._store.feed(self._positions, BATCH, 0):
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
