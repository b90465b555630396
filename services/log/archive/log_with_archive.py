"""The log and the archive as one: readers of a match need not know where its events are."""

from collections import OrderedDict
from collections.abc import Awaitable, Callable
from typing import Final

from domain.entries import StoredEntry
from domain.errors import BrokenLog
from services.errors import StoreWentBack
from services.log.archive.pieces import Pieces
from services.log.archive.shelf import Archive
from services.log.event_store.contract import Adoption, Answer, Append, EventStore, Meta, Status
from services.log.release_floor import ReleaseFloor

LOGS_KEPT: Final = 8
"""How many archived logs one process keeps in memory, so that stepping through a match reads it once."""


class LogWithArchive:
    """An event store whose archived matches are read from the archive. All else is the store's own."""

    def __init__(
        self,
        store: EventStore,
        archive: Archive,
        require_room: Callable[[], None] = lambda: None,
        floor: ReleaseFloor | None = None,
        went_back: Callable[[], Awaitable[None]] | None = None,
        pieces: Pieces | None = None,
    ) -> None:
        """Put them together.

        Args:
            store: The log.
            archive: The archive.
            require_room: Raises ``StoreUnavailable`` where an append must not be sent.
            went_back: Called when the store turns out to be older than what it has acknowledged.
            floor: Rises before something is written that older releases cannot read; None leaves it alone.
            pieces: Pieces of long archived logs, quicker to read than all of them; None for none.
        """
        self._store: Final = store
        self._archive: Final = archive
        self._kept: Final[OrderedDict[str, tuple[StoredEntry, ...]]] = OrderedDict()
        self._require_room: Final = require_room
        self._floor: Final = floor
        self._went_back: Final = went_back
        self._pieces: Final = pieces
        self.stamp: Final = store.stamp
        self.heal: Final = store.heal
        self.acts: Final = store.acts
        self.write_tombstone: Final = store.write_tombstone
        self.meta: Final = store.meta
        self.versions: Final = store.versions
        self.command: Final = store.command
        self.matches: Final = store.matches
        self.feed: Final = store.feed
        self.positions: Final = store.positions
        self.secured_positions: Final = store.secured_positions
        self.checkpoint: Final = store.checkpoint
        self.advance: Final = store.advance
        self.trim_feed: Final = store.trim_feed
        self.join: Final = store.join
        self.leave: Final = store.leave
        self.lease: Final = store.lease
        self.due: Final = store.due
        self.set_due: Final = store.set_due
        self.scheduled: Final = store.scheduled
        self.next_due: Final = store.next_due
        self.record_refusal: Final = store.record_refusal
        self.refusals: Final = store.refusals
        self.reach: Final = store.reach
        self.close: Final = store.close

    @property
    def shards(self) -> int:
        """The store's number of shards."""
        return self._store.shards

    async def append(self, append: Append) -> Answer:
        """Append a command's events; see the contract."""
        self._require_room()
        if self._floor is not None:
            await self._floor.raise_for(append.game, append.rules, append.types)
        try:
            return await self._store.append(append)
        except StoreWentBack:
            if self._went_back is not None:
                await self._went_back()
            raise

    async def adopt(self, adoption: Adoption) -> bool:
        """Take in a whole log; see the contract."""
        if self._floor is not None:
            await self._floor.raise_for(adoption.game, adoption.rules, adoption.types)
        return await self._store.adopt(adoption)

    async def read(self, match: str, after: int = 0, last: int | None = None) -> list[StoredEntry]:
        """Return the entries with versions above ``after``, up to ``last``; an unknown match has none.

        Raises:
            BrokenLog: Entries are missing or altered, in the store or in the archive.
            ArchiveUnavailable: They are in the archive, and it did not answer.
        """
        entries = await self._store.read(match, after, last)
        if entries:
            return entries
        return await self._archived(match, after, last)

    async def _archived(self, match: str, after: int, last: int | None) -> list[StoredEntry]:
        kept = self._kept.get(match)
        if kept is not None:
            self._kept.move_to_end(match)
            return list(kept[after:last])
        meta = await self._store.meta(match)
        if meta is None or meta.status is not Status.ARCHIVED:
            return []
        pieces = None if self._pieces is None else await self._pieces.read(match, meta, after, last)
        return list((await self._whole(match, meta))[after:last]) if pieces is None else pieces

    async def _whole(self, match: str, meta: Meta) -> tuple[StoredEntry, ...]:
        entries = await self._archive.read(match)
        if entries is None:
            raise BrokenLog("archive.missing", 1, f"the archive {self._archive.storage} has no {match}")
        if (entries[-1].version, entries[-1].h) != (meta.version, meta.head):
            detail = (
                f"the record says version {meta.version} with head {meta.head.hex()}, the archive has another"
            )
            raise BrokenLog("archive.other_head", min(len(entries), meta.version), detail)
        if self._pieces is not None:
            self._pieces.keep(match, entries)
        self._kept[match] = entries
        while len(self._kept) > LOGS_KEPT:
            self._kept.popitem(last=False)
        return entries
