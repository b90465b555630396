"""Positions of matches: at the head, kept in memory, and at any version."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from domain.entries import StoredEntry
from domain.errors import BrokenLog
from domain.match.fold import Position, beginning, follow
from domain.match.state import Terms
from domain.match.upcasting import NEWER
from services.errors import MatchClosed, NoSuchMatch, NoSuchVersion
from services.log.event_store.contract import EventStore, Status
from services.log.release_floor import ReleaseFloor
from services.matches.snapshot_cache import DISTANCE, SnapshotCache

MATCHES_KEPT = 128
"""How many folded matches one process keeps in memory."""


class MatchReader:
    """Folds matches; of those that it has folded before, only what is new.

    It follows the chain of what it reads, so that nobody sees or plays an altered past. Of a match in memory it reads
    the last entry again and what came after. Whatever reads a log may raise ``BrokenLog``, and ``ReleaseTooOld`` where
    newer processes are at work.
    """

    def __init__(
        self, store: EventStore, kept: int = MATCHES_KEPT, floor: ReleaseFloor | None = None
    ) -> None:
        self._store = store
        self._floor = floor
        self._kept = kept
        self._positions: OrderedDict[str, Position] = OrderedDict()
        self._snapshots = SnapshotCache()
        self._turns: dict[str, asyncio.Lock] = {}

    def remembered(self, match: str) -> Position | None:
        """Return the position in memory; the log may have moved on since."""
        return self._positions.get(match)

    def remember(self, position: Position) -> None:
        """Keep a position that the store has confirmed, unless there is a newer one."""
        known = self._positions.get(position.match)
        if known is None or known.version < position.version:
            self._positions[position.match] = position
        self._positions.move_to_end(position.match)
        while len(self._positions) > self._kept:
            self._positions.popitem(last=False)

    def forget(self, match: str) -> None:
        """Drop a match from memory because the log contradicts it."""
        self._positions.pop(match, None)
        self._snapshots.forget(match)

    async def head(self, match: str) -> Position:
        """Return the match at its head.

        Raises:
            NoSuchMatch: There is none with this id.
            MatchClosed: Its events have left the store, and no archive is at hand.
            StoreUnavailable: The store did not answer.
        """
        known = self.remembered(match)
        if known is not None:
            # Its last entry is read again: a store that went back has lost it, or has another one.
            fresh = await self._store.read(match, after=known.version - 1)
            if fresh and fresh[0].version == known.version and fresh[0].h == known.head:
                position = await self._followed(known, fresh[1:])
                self.remember(position)
                return position
            self.forget(match)
        async with self._turn_of(match):
            # Somebody else may have folded it while we waited for our turn.
            known = self.remembered(match)
            position = known if known is not None else await self._folded(match, None)
            self.remember(position)
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
        known = self.remembered(match)
        if known is not None and known.version == version:
            return known
        # Before its first event a match has no position; the head tells whether it exists.
        position = await self.head(match) if version < 1 else await self._folded(match, version)
        if position.version != version:
            raise NoSuchVersion(f"{match} has no version {version}")
        return position

    async def _folded(self, match: str, version: int | None) -> Position:
        snapshot = self._snapshots.before(match, version)
        if snapshot is not None:
            # As with the head: the snapshot's last entry shows whether the log is still the same.
            entries = await self._store.read(match, after=snapshot.version - 1, last=version)
            if entries and (entries[0].version, entries[0].h) == (snapshot.version, snapshot.head):
                return await self._fold_on(snapshot, entries[1:])
            self._snapshots.forget(match)
        return await self._cold(match, version)

    async def _cold(self, match: str, version: int | None) -> Position:
        entries = await self._store.read(match, last=version)
        if not entries:
            meta = await self._store.meta(match)
            if meta is not None and meta.status is Status.ARCHIVED:
                raise MatchClosed(meta.status)
            raise NoSuchMatch(match)
        return await self._fold_on(beginning(match), entries)

    async def _fold_on(self, position: Position, entries: list[StoredEntry]) -> Position:
        start = 0
        while start < len(entries):
            end = start + DISTANCE - position.version % DISTANCE
            position = await self._followed(position, entries[start:end])
            self._snapshots.keep(position)
            start = end
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
