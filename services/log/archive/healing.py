"""Healing a damaged match with a sound copy of it: what is good stays as it is, what is damaged is replaced.

An event is good if the chain leads to it from the beginning. A copy that says otherwise of a good event, or that the
store's record contradicts, is another history and refused. What the operator did is kept beside the log, not in it:
the healed log is to the byte what it was.
"""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

import msgspec

from domain.chain import genesis, link
from domain.entries import StoredEntry, decode_envelope
from domain.errors import BrokenLog
from domain.instants import Instant
from domain.match.due import due_of
from domain.match.fold import Position, beginning, fold
from domain.match.state import OVER
from domain.match.verification import verify
from services.log.archive.documents import Document
from services.log.archive.errors import ArchiveDiffers, ImportRefused
from services.log.archive.importing import (
    BEHIND,
    BROKEN_HERE,
    DAMAGED_HERE,
    OTHER_HISTORY,
    Importer,
    Taken,
    proven,
)
from services.log.archive.shelf import Archive
from services.log.event_store.contract import EventStore, Healing, Meta, Status

_HEALED_BY_THIS: Final = frozenset({DAMAGED_HERE, BROKEN_HERE, BEHIND, OTHER_HISTORY})
"""Of the last, only where the record alone says otherwise."""


class Act(msgspec.Struct, frozen=True):
    """What an operator did to a log.

    Attributes:
        reason: Why, in the operator's words.
        first: The first event that is not what was stored before; 1 if only the record was wrong.
    """

    at: Instant
    reason: str
    first: int
    version: int
    found: str


class _Cure(NamedTuple):
    """A log as it is to be.

    Attributes:
        first: The first event that is not what is stored.
        archived: Whether its events belong into the archive.
    """

    entries: tuple[StoredEntry, ...]
    position: Position
    first: int
    archived: bool


class Healer:
    """Takes logs in as an :class:`Importer` does, and heals what is damaged here."""

    def __init__(
        self, log: EventStore, store: EventStore, archive: Archive, now: Callable[[], Instant], reason: str
    ) -> None:
        """Prepare; nothing is read yet."""
        self._importer: Final = Importer(log, archive)
        self._store: Final = store
        self._archive: Final = archive
        self._now: Final = now
        self._reason: Final = reason

    async def check(self, document: Document) -> Taken:
        """Tell what would become of a log, without changing anything; see :meth:`Importer.check`."""
        try:
            return await self._importer.check(document)
        except ImportRefused as refusal:
            if refusal.code not in _HEALED_BY_THIS:
                raise
        await self._cure(document)
        return Taken.HEALED

    async def take(self, document: Document) -> Taken:
        """Take a log in, or put it in the place of a damaged one; see :meth:`Importer.take`."""
        try:
            return await self._importer.take(document)
        except ImportRefused as refusal:
            if refusal.code not in _HEALED_BY_THIS:
                raise
            found = refusal.detail
        except ArchiveDiffers as differs:
            found = str(differs)
        stamp = await self._store.stamp(document.line.match)
        cure = await self._cure(document)
        # First the act, then the file: whoever is interrupted heals again, and every attempt is on record.
        if not await self._store.heal(self._healing(document, cure, stamp, found)):
            detail = "somebody played here meanwhile; nothing was changed: import it again"
            raise ImportRefused("import.moved_meanwhile", document.line.match, detail)
        if cure.archived:
            line = document.line
            await self._archive.replace(line.match, line.game, line.rules, cure.entries)
        return Taken.HEALED

    def _healing(self, document: Document, cure: _Cure, stamp: bytes, found: str) -> Healing:
        line, state = document.line, cure.position.state
        over = state.lifecycle.phase in OVER
        act = Act(self._now(), self._reason, cure.first, len(cure.entries), found.partition(";")[0])
        return Healing(
            match=line.match,
            entries=() if cure.archived else cure.entries,
            version=len(cure.entries),
            head=cure.entries[-1].h,
            status=Status.ARCHIVED if cure.archived else Status.CLOSED if over else Status.OPEN,
            game=line.game,
            rules=line.rules,
            due=None if over else due_of(cure.position),
            types=tuple(dict.fromkeys(decode_envelope(entry.e).type for entry in cure.entries)),
            stamp=stamp,
            first=cure.first,
            act=msgspec.json.encode(act),
        )

    async def _cure(self, document: Document) -> _Cure:
        """Return the log as it is to be.

        Raises:
            ImportRefused: The copy contradicts what is good here, or is too short to replace what is damaged.
        """
        match, copy = document.line.match, document.entries
        position = await asyncio.to_thread(proven, document)
        meta, here, archived = await self._readable(match)
        good = _good(match, here)
        for number, (one, other) in enumerate(zip(here[:good], copy, strict=False), 1):
            if (one.e, one.h) != (other.e, other.h):
                raise _other_history(match, f"event {number} is good here, and another one in this copy")
        if archived and position.state.lifecycle.phase not in OVER:
            raise _other_history(match, "the match is archived here, and not over in this copy")
        entries = copy if archived else (*copy, *await self._behind(match, copy, here[:good]))
        _require_recorded(match, meta, entries, good)
        if len(entries) > len(copy):
            position = await asyncio.to_thread(_proven_together, match, entries)
        differing = (one.version for one, other in zip(entries, here, strict=False) if one != other)
        first = next(differing, min(len(here) + 1, len(entries)))
        return _Cure(entries, position, first, archived)

    async def _readable(self, match: str) -> tuple[Meta | None, Sequence[StoredEntry], bool]:
        """Return the record and the events, as far as they can be read, and whether these are in the archive."""
        try:
            meta = await self._store.meta(match)
        except BrokenLog:
            meta = None
        if meta is None or meta.status is not Status.ARCHIVED:
            entries = await self._readable_after(match, 0)
            if meta is not None or entries:
                return meta, entries, False
        try:
            document = await self._archive.document(match)
        except BrokenLog:
            return meta, (), True
        return meta, () if document is None else document.entries, document is not None or meta is not None

    async def _readable_after(self, match: str, version: int) -> Sequence[StoredEntry]:
        try:
            return await self._store.read(match, after=version)
        except BrokenLog as broken:
            if broken.version <= version + 1:
                return ()
            return await self._store.read(match, after=version, last=broken.version - 1)

    async def _behind(
        self, match: str, copy: Sequence[StoredEntry], good: Sequence[StoredEntry]
    ) -> Sequence[StoredEntry]:
        """Return the events that are good here and that the copy does not have yet."""
        if len(good) > len(copy):
            return good[len(copy) :]
        further = await self._readable_after(match, len(copy))
        return further[: _linked(copy[-1].h, further)]


def _good(match: str, entries: Iterable[StoredEntry]) -> int:
    """Return how many events the chain leads to from the beginning."""
    return _linked(genesis(match), entries)


def _linked(head: bytes, entries: Iterable[StoredEntry]) -> int:
    count = 0
    for entry in entries:
        head = link(head, entry.e)
        if entry.h != head:
            break
        count += 1
    return count


def _require_recorded(match: str, meta: Meta | None, entries: Sequence[StoredEntry], good: int) -> None:
    """Make sure that a log is the one that the store's record vouches for, unless good events say otherwise."""
    archived = meta is not None and meta.status is Status.ARCHIVED
    if meta is None or good >= (len(entries) if archived else meta.version):
        return
    if len(entries) < meta.version:
        detail = f"the match has {meta.version} events here; event {len(entries) + 1} is damaged, and not in this copy"
        raise ImportRefused("import.too_short", match, detail)
    if entries[meta.version - 1].h != meta.head or (archived and len(entries) != meta.version):
        raise _other_history(match, f"the store's record of it has another head at version {meta.version}")


def _proven_together(match: str, entries: tuple[StoredEntry, ...]) -> Position:
    verdict = verify(match, entries, complete=True, rules=True)
    if not verdict.good:
        detail = f"with what is good here behind this copy, event {verdict.bad_version}: {verdict.code}"
        raise ImportRefused("import.too_short", match, detail)
    return fold(beginning(match), entries)


def _other_history(match: str, detail: str) -> ImportRefused:
    return ImportRefused(OTHER_HISTORY, match, detail)


async def acts_on(store: EventStore, match: str) -> tuple[Act, ...]:
    """Return what operators did to a match's log, the oldest first.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    return tuple(msgspec.json.decode(act, type=Act) for act in await store.acts(match))
