"""Positions of matches: at the head, kept in memory, and at any version."""

import asyncio
import time
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final, NamedTuple

import structlog

from domain.entries import StoredEntry
from domain.errors import BrokenLog
from domain.match.fold import Position, beginning, follow
from domain.match.hashing import state_hash
from domain.match.state import Terms
from domain.match.upcasting import NEWER
from services.errors import MatchClosed, NoSuchMatch, NoSuchVersion
from services.log.event_store.contract import EventStore, Status
from services.log.release_floor import ReleaseFloor
from services.matches.kept_positions import KeptPositions
from services.matches.snapshot_cache import DISTANCE, SnapshotCache

MATCHES_KEPT = 2_048
"""How many folded matches one process keeps in memory."""

EVENTS_KEPT = 60_000
"""How many events those matches may have together: one takes nearly a kilobyte, since undo needs the past."""

RECENT_SECONDS = 0.5
"""For how long followers of the feed take each other's word for what the log says.

An event that no replica had may be gone with its primary, and another stand in its place. Nobody was told that it is
kept; but whoever went on from it would write what the log never said. A replica takes longer than this to be promoted.
"""

_log = structlog.get_logger(__name__)


class _Memory:
    """Folded matches: their heads, and snapshots on the way there."""

    def __init__(self, kept: int, events_kept: int) -> None:
        self._kept: Final = kept
        self._events_kept: Final = events_kept
        self._events = 0
        self._heads: Final[OrderedDict[str, Position]] = OrderedDict()
        self._read_at: Final[dict[str, float]] = {}
        self.snapshots: Final = SnapshotCache()

    def head(self, match: str) -> Position | None:
        return self._heads.get(match)

    def is_recent(self, match: str) -> bool:
        """Tell whether the head was read only just now."""
        return time.monotonic() - self._read_at.get(match, 0.0) < RECENT_SECONDS

    def remember(self, position: Position) -> None:
        known = self._heads.get(position.match)
        if known is None or known.version <= position.version:
            self._read_at[position.match] = time.monotonic()
        if known is None or known.version < position.version:
            self._heads[position.match] = position
            self._events += position.version - (known.version if known is not None else 0)
        self._heads.move_to_end(position.match)
        while len(self._heads) > self._kept or (self._events > self._events_kept and len(self._heads) > 1):
            dropped, left = self._heads.popitem(last=False)
            self._read_at.pop(dropped, None)
            self._events -= left.version

    def forget(self, match: str) -> None:
        self._read_at.pop(match, None)
        dropped = self._heads.pop(match, None)
        if dropped is not None:
            self._events -= dropped.version
        self.snapshots.forget(match)


class _Start(NamedTuple):
    """Where folding may begin.

    Attributes:
        proven: Whether it was itself folded from the first event, by this process.
    """

    position: Position
    proven: bool


class MatchReader:
    """Folds matches; of those that it has folded before, only what is new.

    It follows the chain of what it reads, so that nobody sees or plays an altered past. Of a match in memory it reads
    the last entry again and what came after. Whatever reads a log may raise ``BrokenLog``, and ``ReleaseTooOld`` where
    newer processes are at work.

    What it shows may begin with a position that was kept over a restart. What commands are decided on never does: it
    is proven, folded by this process from the first event.
    """

    def __init__(
        self,
        store: EventStore,
        kept: int = MATCHES_KEPT,
        floor: ReleaseFloor | None = None,
        positions: KeptPositions | None = None,
        events_kept: int = EVENTS_KEPT,
    ) -> None:
        self._store = store
        self._floor = floor
        self._proven = _Memory(kept, events_kept)
        self._seen = _Memory(kept, events_kept)
        self._kept = positions
        self._turns: dict[str, asyncio.Lock] = {}

    def remembered(self, match: str) -> Position | None:
        """Return the position in memory that is proven; the log may have moved on since."""
        return self._proven.head(match)

    def remember(self, position: Position) -> None:
        """Keep a position that the store has confirmed and that follows a proven one, unless there is a newer one."""
        known = self._proven.head(position.match)
        if self._kept is not None and known is not None:
            self._kept.keep(position, known.version)
        self._proven.remember(position)

    def forget(self, match: str) -> None:
        """Drop a match from memory because the log contradicts it."""
        self._proven.forget(match)
        self._seen.forget(match)

    async def reached(self, match: str, version: int) -> Position:
        """Return the match at a version that the feed told of, or at a later one; raises what :meth:`head` raises.

        Several followers of the feed in one process hear of the same event: the first one reads, the others need not.
        """
        known = self._head_in_memory(match, proven=False)
        if known is not None and known.position.version >= version:
            memory = self._proven if known.proven else self._seen
            if memory.is_recent(match):
                return known.position
        return await self.head(match)

    async def head(self, match: str, *, proven: bool = False) -> Position:
        """Return the match at its head: proven, if that is asked for.

        Raises:
            NoSuchMatch: There is none with this id.
            MatchClosed: Its events have left the store, and no archive is at hand.
            StoreUnavailable: The store did not answer.
        """
        position = await self._known_head(match, proven=proven)
        if position is not None:
            return position
        async with self._turn_of(match):
            # Somebody else may have folded it while we waited for our turn.
            known = self._head_in_memory(match, proven=proven)
            if known is not None:
                return known.position
            position, is_proven = await self._folded(match, None, proven=proven)
            (self._proven if is_proven else self._seen).remember(position)
        if proven:
            await self._compare(position)
        return position

    async def terms(self, match: str) -> Terms:
        """Return the terms of a match; raises what :meth:`head` raises."""
        # Terms never change, so any position in memory will do.
        position = self.remembered(match) or await self.head(match)
        if position.state.terms is None:
            raise NoSuchMatch(match)
        return position.state.terms

    async def at(self, match: str, version: int) -> Position:
        """Return the match at a version.

        Raises:
            NoSuchMatch: There is none with this id.
            NoSuchVersion: It has no such version.
            MatchClosed: Its events have left the store, and no archive is at hand.
            StoreUnavailable: The store did not answer.
        """
        known = self._head_in_memory(match, proven=False)
        if known is not None and known.position.version == version:
            return known.position
        # Before its first event a match has no position; the head tells whether it exists.
        position = await self.head(match) if version < 1 else (await self._folded(match, version)).position
        if position.version != version:
            raise NoSuchVersion(f"{match} has no version {version}")
        return position

    def _head_in_memory(self, match: str, *, proven: bool) -> _Start | None:
        head = self._proven.head(match)
        if head is not None:
            return _Start(head, proven=True)
        head = None if proven else self._seen.head(match)
        return None if head is None else _Start(head, proven=False)

    async def _known_head(self, match: str, *, proven: bool) -> Position | None:
        """Return the head of a match in memory with what is new; None if there is none, or the log contradicts it."""
        known = self._head_in_memory(match, proven=proven)
        if known is None:
            return None
        # Its last entry is read again: a store that went back has lost it, or has another one.
        fresh = await self._store.read(match, after=known.position.version - 1)
        if not fresh or (fresh[0].version, fresh[0].h) != (known.position.version, known.position.head):
            self.forget(match)
            return None
        position = await self._fold_on(known, fresh[1:])
        (self._proven if known.proven else self._seen).remember(position)
        return position

    async def _folded(self, match: str, version: int | None, *, proven: bool = False) -> _Start:
        start = self._nearest(match, version, proven=proven)
        if not proven:
            start = await self._nearer(match, version, start)
        if start is not None:
            # As with the head: the snapshot's last entry shows whether the log is still the same.
            position = start.position
            entries = await self._store.read(match, after=position.version - 1, last=version)
            if entries and (entries[0].version, entries[0].h) == (position.version, position.head):
                return _Start(await self._fold_on(start, entries[1:]), start.proven)
            await self._contradicted(match, start)
        return _Start(await self._cold(match, version), proven=True)

    def _nearest(self, match: str, version: int | None, *, proven: bool) -> _Start | None:
        """Return the nearest position in memory."""
        found = [_Start(one, proven=True) for one in [self._proven.snapshots.before(match, version)] if one]
        if not proven:
            seen = self._seen.snapshots.before(match, version)
            found += [_Start(seen, proven=False)] if seen is not None else []
        return max(found, key=lambda one: (one.position.version, one.proven), default=None)

    async def _nearer(self, match: str, version: int | None, start: _Start | None) -> _Start | None:
        """Return a position that was kept over a restart, if it is much nearer than the one in memory."""
        at = 0 if start is None else start.position.version
        if self._kept is None or (start is not None and (version is None or version - at < self._kept.every)):
            return start
        found = await self._kept.before(match, version, at)
        if found is None:
            return start
        self._seen.snapshots.hold(found)
        return _Start(found, proven=False)

    async def _contradicted(self, match: str, start: _Start) -> None:
        self._proven.snapshots.forget(match)
        self._seen.snapshots.forget(match)
        if not start.proven and self._kept is not None:
            _log.warning("kept_positions_contradicted", match=match, version=start.position.version)
            await self._kept.forget(match)

    async def _compare(self, position: Position) -> None:
        """Compare what was folded from the first event with what a kept position has led to."""
        seen = self._seen.head(position.match)
        self._seen.forget(position.match)
        if seen is None or self._kept is None or seen.version != position.version:
            return
        if state_hash(seen.state) != state_hash(position.state):
            _log.error("kept_positions_differ", match=position.match, version=position.version)
            await self._kept.forget(position.match)

    async def _cold(self, match: str, version: int | None) -> Position:
        entries = await self._store.read(match, last=version)
        if not entries:
            meta = await self._store.meta(match)
            if meta is not None and meta.status is Status.ARCHIVED:
                raise MatchClosed(meta.status)
            raise NoSuchMatch(match)
        return await self._fold_on(_Start(beginning(match), proven=True), entries)

    async def _fold_on(self, start: _Start, entries: list[StoredEntry]) -> Position:
        position, done = start.position, 0
        snapshots = (self._proven if start.proven else self._seen).snapshots
        while done < len(entries):
            before, end = position.version, done + DISTANCE - position.version % DISTANCE
            position = await self._followed(position, entries[done:end])
            snapshots.keep(position)
            if start.proven and self._kept is not None:
                self._kept.keep(position, before)
            done = end
            if done < len(entries):
                # A log of ten thousand events takes a second; others' moves must not wait so long.
                await asyncio.sleep(0)
        return position

    async def _followed(self, position: Position, entries: list[StoredEntry]) -> Position:
        try:
            return follow(position, entries)
        except BrokenLog as broken:
            if broken.code == NEWER and self._floor is not None:
                # No damage where newer processes are at work: this one leaves the match to them.
                await self._floor.require_release()
            raise

    @asynccontextmanager
    async def _turn_of(self, match: str) -> AsyncIterator[None]:
        """Let one task at a time fold a match from its beginning."""
        turn = self._turns.setdefault(match, asyncio.Lock())
        try:
            async with turn:
                yield
        finally:
            if not turn.locked():
                self._turns.pop(match, None)
