"""The archive: each closed match as one compressed export that changes only when it is healed."""

import asyncio
import contextlib
import gzip
import hashlib
import io
import zlib
from typing import Final

from domain.entries import StoredEntry
from domain.errors import BrokenLog
from domain.match.verification import verify
from services.log.archive.documents import Document, document_of, documents, file_end
from services.log.archive.errors import ArchiveDiffers, UnreadableExport
from services.log.archive.storage import Storage

MATCHES: Final = "matches"
DIGESTS: Final = "digests"
PIECES: Final = "pieces"
"""Where the pieces of digests are that name very many heads."""
DAMAGED: Final = "damaged"
"""Where files are kept that were damaged and have been healed."""

FOLDERS: Final = 256
"""Folders of matches' files."""

_LEVEL: Final = 6
_ENDING: Final = ".ndjson.gz"
_PIECE: Final = 512


class Archive:
    """Closed matches in a storage."""

    def __init__(self, storage: Storage) -> None:
        self.storage: Final = storage

    async def write(self, match: str, game: str, rules: int, entries: tuple[StoredEntry, ...]) -> int:
        """Write a match's complete log, durably, and read it back; return how many bytes it takes.

        Writing the same again is harmless.

        Raises:
            ArchiveDiffers: Something else stands under its name, or what was read back is not what was written.
            ArchiveUnavailable: The storage did not answer.
        """
        name, content = name_of(match), await asyncio.to_thread(_packed, match, game, rules, entries)
        await self.storage.put_new(name, content)
        stored = await self.storage.get(name)
        # Another release wrote it, perhaps: what counts is the log that it holds.
        if stored != content and (
            stored is None or not await asyncio.to_thread(_holds, match, stored, entries)
        ):
            raise ArchiveDiffers(f"{name} in the archive {self.storage} is not what was to be written")
        return len(content)

    async def replace(self, match: str, game: str, rules: int, entries: tuple[StoredEntry, ...]) -> None:
        """Write a match's complete log in the place of a file that is damaged, which is kept under another name.

        Raises:
            ArchiveDiffers: What was read back is not what was written.
            ArchiveUnavailable: The storage did not answer.
        """
        damaged = await self.storage.get(name_of(match))
        if damaged is not None:
            number = hashlib.sha256(damaged).hexdigest()[:16]
            await self.storage.put_new(f"{DAMAGED}/{match}.{number}{_ENDING}", damaged)
            content = await asyncio.to_thread(_packed, match, game, rules, entries)
            await self.storage.replace(name_of(match), content)
        await self.write(match, game, rules, entries)

    async def read(self, match: str) -> tuple[StoredEntry, ...] | None:
        """Return a match's complete log; None when the archive has none under its name.

        Raises:
            BrokenLog: What stands there is not a whole log that was left as it was; names the first bad event.
            ArchiveUnavailable: The storage did not answer.
        """
        found = await self.document(match)
        if found is None:
            return None
        if found.altered:
            verdict = await asyncio.to_thread(verify, match, found.entries, complete=True)
            detail = "the file's bytes are not those that its end vouches for"
            raise BrokenLog(
                verdict.code or "archive.altered", verdict.bad_version or 1, verdict.detail or detail
            )
        return found.entries

    async def document(self, match: str) -> Document | None:
        """Return what the archive has of a match, altered or not, if it can be read at all.

        Raises:
            BrokenLog: It cannot; names the first event that is missing or unreadable.
            ArchiveUnavailable: The storage did not answer.
        """
        content = await self.storage.get(name_of(match))
        return None if content is None else read_file(match, content)

    async def text(self, match: str) -> bytes | None:
        """Return a match's document as it stands in the archive, without the file's last line; unread.

        Raises:
            BrokenLog: It cannot be unpacked.
            ArchiveUnavailable: The storage did not answer.
        """
        content = await self.storage.get(name_of(match))
        if content is None:
            return None
        plain = _unpacked(content)
        if plain is None or not plain.endswith(file_end(1)):
            raise BrokenLog("archive.unreadable", 1, "the file is no whole export")
        return plain[: -len(file_end(1))]

    async def matches(self, folder: int) -> list[str]:
        """Return the ids of the matches whose files are in one of the :data:`FOLDERS` folders, in order.

        Raises:
            ArchiveUnavailable: The storage did not answer.
        """
        names = await self.storage.names(f"{MATCHES}/{folder:02x}")
        return sorted(match_of(name) for name in names if name.endswith(_ENDING))


def name_of(match: str) -> str:
    """Return the name under which a match stands: in one of many folders, so that none holds too many."""
    return f"{MATCHES}/{folder_of(match):02x}/{match}{_ENDING}"


def folder_of(match: str) -> int:
    """Return the folder in which a match's file stands; related to its shard, as both follow from one checksum."""
    return zlib.crc32(match.encode()) % FOLDERS


def _packed(match: str, game: str, rules: int, entries: tuple[StoredEntry, ...]) -> bytes:
    plain = document_of(match, game, rules, entries) + file_end(1)
    # No time in the file's head, so that the same log gives the same file.
    return gzip.compress(plain, _LEVEL, mtime=0)


def _unpacked(content: bytes) -> bytes | None:
    try:
        return gzip.decompress(content)
    except (OSError, EOFError, zlib.error):
        return None


def match_of(name: str) -> str:
    """Return the match whose file has a name."""
    return name.rpartition("/")[2].removesuffix(_ENDING)


def read_file(match: str, content: bytes) -> Document:
    """Return the document in a match's file, altered or not, if it can be read at all.

    Raises:
        BrokenLog: It cannot; names the first event that is missing or unreadable.
    """
    plain = _unpacked(content)
    whole = plain is not None
    try:
        found = list(documents(io.BytesIO(plain if plain is not None else _salvaged(content))))
    except UnreadableExport as error:
        # The first line of the file is the match's; event n stands in line n + 1.
        code = "log.cut" if error.code == "export.truncated" else "log.unreadable"
        detail = error.detail if whole else f"the compressed file was cut or altered; {error.detail}"
        raise BrokenLog(code, max(1, error.line - 1), detail) from None
    if not whole:
        raise BrokenLog("archive.altered", 1, "the compressed file is not as it was written")
    if len(found) != 1 or found[0].line.match != match or not found[0].line.complete:
        raise BrokenLog("archive.other_match", 1, f"the file is not the complete log of {match}")
    return found[0]


def _holds(match: str, content: bytes, entries: tuple[StoredEntry, ...]) -> bool:
    """Tell whether a file holds a log, and is as it was written."""
    try:
        found = read_file(match, content)
    except BrokenLog:
        return False
    return found.entries == entries and not found.altered


def _salvaged(content: bytes) -> bytes:
    """Return what can be unpacked of a file that was cut or altered, to name the first event that cannot."""
    with_head = 16 + zlib.MAX_WBITS
    unpacking, plain = zlib.decompressobj(with_head), b""
    with contextlib.suppress(zlib.error):
        for start in range(0, len(content), _PIECE):
            plain += unpacking.decompress(content[start : start + _PIECE])
    return plain
