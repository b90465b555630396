"""Taking closed matches out of the store: verify, write, read back, compare, and only then remove."""

import asyncio
from collections.abc import Callable, Collection
from typing import Final

import msgspec
import structlog

from domain.entries import Envelope, decode_envelope
from domain.errors import BrokenLog, TableeError
from domain.instants import Instant, milliseconds_of
from domain.match.events import MatchAbandoned
from domain.match.expiry import EXPIRED
from domain.match.verification import verify
from services.errors import NoSuchMatch, StoreUnavailable
from services.log.archive.closed_matches import ArchiveFailure, ClosedMatches
from services.log.archive.shelf import Archive
from services.log.dead_letters import reason_of, version_of
from services.log.event_store.contract import EventStore, Meta, Status
from services.log.proof import compared

_BATCH: Final = 20

LONG_AGO: Final = 0
"""When a table counts as closed that need not wait for the archive."""

_log = structlog.get_logger(__name__)


class NotClosed(TableeError):
    """The match goes on: only what is over leaves the store."""

    code = "archive.not_closed"


class Archivist:
    """Archives closed matches.

    A process may die after any step. The next one finds what was done, and does not do it twice.
    """

    def __init__(
        self, store: EventStore, archive: Archive, closed: ClosedMatches, now: Callable[[], Instant]
    ) -> None:
        # The store itself: one that reads the archive too would let it vouch for itself.
        self._store: Final = store
        self._archive: Final = archive
        self._closed: Final = closed
        self._now: Final = now

    async def archive_waiting(self, grace_seconds: float, shards: Collection[int] | None = None) -> int:
        """Archive every match that has been closed for longer than the grace period; return how many.

        Args:
            grace_seconds: The grace period.
            shards: Only in these; None for all.

        Raises:
            StoreUnavailable: The store or the archive did not answer; the rest is done the next time.
        """
        until, count = milliseconds_of(self._now()) - round(grace_seconds * 1000), 0
        while matches := await self._closed.closed_before(until, _BATCH, shards):
            for match in matches:
                count += await self._archived_or_parked(match)
        return count

    async def archive(self, match: str) -> int:
        """Archive a closed match; return how many bytes it takes. One that is archived already is left so.

        Raises:
            NoSuchMatch: There is none with this id.
            NotClosed: It goes on.
            BrokenLog: It does not verify.
            ArchiveDiffers: Something else stands under its name.
            StoreUnavailable: The store or the archive did not answer.
        """
        meta = await self._store.meta(match)
        if meta is None:
            raise NoSuchMatch(match)
        size = 0
        if meta.status is Status.OPEN:
            raise NotClosed(match)
        if meta.status is Status.CLOSED:
            size = await self._moved(match, meta)
        await self._closed.done(match)
        return size

    async def _moved(self, match: str, meta: Meta) -> int:
        try:
            return await self._moved_by_us(match, meta)
        except BrokenLog:
            # Between two of our steps another process may have done all of it; then nothing is left that could be read.
            present = await self._store.meta(match)
            if present is not None and present.status is Status.ARCHIVED and present.head == meta.head:
                return 0
            raise

    async def _moved_by_us(self, match: str, meta: Meta) -> int:
        entries = tuple(await self._store.read(match))
        verdict = compared(await asyncio.to_thread(verify, match, entries, complete=True), meta)
        if not verdict.good:
            raise BrokenLog(verdict.code, verdict.bad_version, verdict.detail)
        size = await self._archive.write(match, meta.game, meta.rules, entries)
        if not await self._store.write_tombstone(match, entries[-1].h):
            raise BrokenLog("log.head_moved", meta.version, "the store has another head than was archived")
        return size

    async def _archived_or_parked(self, match: str) -> bool:
        try:
            size = await self.archive(match)
        except StoreUnavailable:
            raise
        except Exception as error:  # noqa: BLE001
            # One match that cannot be archived must not keep the others in memory.
            code = error.code if isinstance(error, TableeError) else type(error).__name__
            # An error of ours explains itself in a line; any other needs its traceback.
            foreseen = isinstance(error, TableeError)
            _log.error("match_not_archived", match=match, code=code, reason=str(error), exc_info=not foreseen)
            await self._closed.set_aside(
                ArchiveFailure(match, code, reason_of(error), self._now(), version_of(error))
            )
            return False
        _log.info("match_archived", match=match, bytes=size)
        return True

    async def retry_parked(self) -> int:
        """Let the matches that were set aside wait again; return how many."""
        parked = await self._closed.dead_letters()
        for one in parked:
            await self._closed.done(one.match)
            await self.note(one.match)
        return len(parked)

    async def note(self, match: str) -> None:
        """Let a match wait for the archive, if it is closed and not there yet."""
        meta = await self._store.meta(match)
        if meta is not None and meta.status is Status.CLOSED:
            await self._note(match, meta)

    async def _note(self, match: str, meta: Meta) -> None:
        try:
            last = await self._store.read(match, after=meta.version - 1)
            envelope = decode_envelope(last[-1].e)
            # Nobody comes back to a table that never began, and junk must not stay in memory.
            closed_at = LONG_AGO if is_expiry(envelope) else milliseconds_of(envelope.at)
        except (BrokenLog, LookupError, ValueError, msgspec.MsgspecError):
            # Archiving it will find what is wrong, and say so.
            closed_at = milliseconds_of(self._now())
        await self._closed.note_closed(match, closed_at)

    async def note_all(self) -> None:
        """Look through all matches of the store, because the feed does not tell of all that happened."""
        await self._closed.set_filled(filled=False)
        versions: dict[str, int] = {}
        async for match in self._store.matches():
            try:
                meta = await self._store.meta(match)
            except BrokenLog:
                _log.exception("match_record_unreadable", match=match)
                continue
            if meta is not None:
                versions[match] = meta.version
            if meta is not None and meta.status is Status.CLOSED:
                await self._note(match, meta)
        await self._closed.note_moved(versions)
        await self._closed.set_filled(filled=True)


def is_expiry(envelope: Envelope) -> bool:
    """Tell whether an event ends a table that never began."""
    if envelope.type != MatchAbandoned.__name__:
        return False
    return msgspec.json.decode(envelope.data, type=MatchAbandoned).reason == EXPIRED
