"""Pieces of archived logs, kept as a cache: a look into a long match need not unpack all of it.

A piece counts for the very head that the record of the match names.
"""

import asyncio
from collections import OrderedDict
from typing import Final

import msgspec

from domain.entries import StoredEntry
from services.log.event_store.contract import Meta
from services.log.kept_files import KeptFiles

LENGTH: Final = 512
"""Events in a piece."""

FIRST: Final = 2048
"""How long a log must be to be kept in pieces."""

_MOST_AT_ONCE: Final = 3
"""How many pieces are put together; who wants more reads the whole log."""

_IN_MEMORY: Final = 64

_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(tuple[bytes, list[StoredEntry]])


class Pieces:
    """The pieces that this installation keeps."""

    def __init__(self, files: KeptFiles) -> None:
        self._files: Final = files
        self._memory: Final[OrderedDict[tuple[str, bytes, int], list[StoredEntry]]] = OrderedDict()
        self._writing: Final = set[asyncio.Task[None]]()

    async def read(self, match: str, meta: Meta, after: int, last: int | None) -> list[StoredEntry] | None:
        """Return the entries with versions above ``after``, up to ``last``; None if not all of them are kept."""
        end = meta.version if last is None else min(last, meta.version)
        wanted = range(after // LENGTH, -(-end // LENGTH))
        if meta.version < FIRST or len(wanted) > _MOST_AT_ONCE:
            return None
        found: list[StoredEntry] = []
        for number in wanted:
            piece = await self._piece(match, meta, number)
            if piece is None:
                return None
            found += piece
        return [entry for entry in found if after < entry.version <= end]

    def keep(self, match: str, entries: tuple[StoredEntry, ...]) -> None:
        """Keep a whole log in pieces, after a while."""
        if len(entries) < FIRST:
            return
        task = asyncio.create_task(asyncio.to_thread(self._write, match, entries))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def settled(self) -> None:
        """Wait until all that was to be kept is kept."""
        while self._writing:
            await asyncio.gather(*self._writing)

    async def _piece(self, match: str, meta: Meta, number: int) -> list[StoredEntry] | None:
        key = match, meta.head, number
        if key not in self._memory:
            piece = await asyncio.to_thread(self._read, match, meta.head, number)
            if piece is None:
                return None
            self._memory[key] = piece
            while len(self._memory) > _IN_MEMORY:
                self._memory.popitem(last=False)
        self._memory.move_to_end(key)
        return self._memory[key]

    def _read(self, match: str, head: bytes, number: int) -> list[StoredEntry] | None:
        content = self._files.read(match, f"log-{number}")
        try:
            made_of, entries = _DECODER.decode(content or b"")
        except msgspec.DecodeError:
            return None
        return entries if made_of == head else None

    def _write(self, match: str, entries: tuple[StoredEntry, ...]) -> None:
        head = entries[-1].h
        for start in range(0, len(entries), LENGTH):
            piece = list(entries[start : start + LENGTH])
            self._files.write(match, f"log-{start // LENGTH}", _ENCODER.encode((head, piece)))
