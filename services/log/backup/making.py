"""Making a backup while the service runs."""

import gzip
import os
from collections.abc import AsyncIterator, Callable
from importlib.metadata import version
from pathlib import Path
from typing import Final

import msgspec

from domain.instants import Instant
from services.log.archive.shelf import DIGESTS, FOLDERS, MATCHES, PIECES
from services.log.archive.storage import Storage
from services.log.backup.errors import BackupNotMade, BackupUnreadable
from services.log.backup.file import ARCHIVE, FORMAT, SECRET, STORE, BackupWriter, Manifest, checked
from services.log.backup.records import MatchRecord, framed
from services.log.backup.store_reading import StoreReader
from services.log.belonging import ARCHIVE_MARK
from services.log.synced_folders import sync_folder

_PIECE_BYTES: Final = 16 << 20
"""How much is packed into one piece, before compression."""

_LEVEL: Final = 1
"""Measured on whole matches: level 6 would save an eighth and take twice as long."""

_EVERY: Final = 100


class Source(msgspec.Struct, frozen=True):
    """What a backup is made of.

    Attributes:
        archive: The archive; None to leave it out.
    """

    url: str
    archive: Storage | None
    secret: bytes


class Counts:
    """How far a backup has come; the attributes are those of :class:`Manifest`."""

    matches = tombstones = events = keys = archived = digests = 0


Progress = Callable[[Counts], None]


async def make_backup(
    source: Source,
    target: Path,
    now: Callable[[], Instant],
    progress: Progress,
) -> Manifest:
    """Write a backup, read it back, compare, and only then give it its name, which must be free.

    Raises:
        BackupNotMade: It could not be written, or reading it back gave something else.
        StoreUnavailable: The store or the archive did not answer.
    """
    draft = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        with BackupWriter(draft) as file:
            manifest = await _written(source, file, now, progress)
        _forget_copy(draft)
        if checked(draft) != manifest:
            raise BackupNotMade("What was read back is not the backup that was written.")
        # A link fails where a rename would overwrite an older backup.
        os.link(draft, target)
        sync_folder(target.parent)
    except FileExistsError as error:
        raise BackupNotMade(f"{target} already exists; it was left as it is.") from error
    except BackupUnreadable as error:
        raise BackupNotMade(f"What was read back is not what was written: {error.detail}.") from error
    except OSError as error:
        raise BackupNotMade(f"{target} cannot be written: {error.strerror or error}.") from error
    finally:
        draft.unlink(missing_ok=True)
    return manifest


async def _written(
    source: Source, file: BackupWriter, now: Callable[[], Instant], progress: Progress
) -> Manifest:
    began, counts = now(), Counts()
    reader = StoreReader(source.url)
    try:
        shards = await reader.shards()
        number = 0
        async for piece in _pieces(reader, counts, progress):
            number += 1
            file.add(f"{STORE}{number:05}.msgpack.gz", piece)
    finally:
        await reader.close()
    # After the store: the archive already had the file of every tombstone found there.
    if source.archive is not None:
        await _add_archive(source.archive, file, counts, progress)
    file.add(SECRET, source.secret + b"\n")
    progress(counts)
    return file.end(
        Manifest(
            format=FORMAT,
            release=version("tablee"),
            began=began,
            ended=now(),
            shards=shards,
            matches=counts.matches,
            tombstones=counts.tombstones,
            events=counts.events,
            keys=counts.keys,
            archived=counts.archived,
            digests=counts.digests,
            archive=source.archive is not None,
        )
    )


async def _pieces(reader: StoreReader, counts: Counts, progress: Progress) -> AsyncIterator[bytes]:
    waiting, size = list[bytes](), 0
    async for record in reader.records():
        if isinstance(record, MatchRecord):
            counts.matches += bool(record.entries)
            counts.tombstones += not record.entries
            counts.events += len(record.entries)
        else:
            counts.keys += 1
        frame = framed(record)
        waiting.append(frame)
        size += len(frame)
        if size >= _PIECE_BYTES:
            yield gzip.compress(b"".join(waiting), _LEVEL, mtime=0)
            waiting, size = [], 0
            progress(counts)
    if waiting:
        yield gzip.compress(b"".join(waiting), _LEVEL, mtime=0)


async def _add_archive(archive: Storage, file: BackupWriter, counts: Counts, progress: Progress) -> None:
    # Folder by folder: all file names together may be too many for memory.
    for number in range(FOLDERS):
        for name in await archive.names(f"{MATCHES}/{number:02x}"):
            counts.archived += await _add_file(archive, file, name)
            if counts.archived % _EVERY == 0:
                progress(counts)
    await _add_file(archive, file, ARCHIVE_MARK)
    for folder in (PIECES, DIGESTS):
        for name in await archive.names(folder):
            counts.digests += await _add_file(archive, file, name) and folder == DIGESTS


async def _add_file(archive: Storage, file: BackupWriter, name: str) -> bool:
    content = await archive.get(name)
    if content is None:
        return False
    file.add(f"{ARCHIVE}{name}", content)
    return True


def _forget_copy(path: Path) -> None:
    """Make the kernel drop its cached copy, so that the comparison reads the disk."""
    if hasattr(os, "posix_fadvise"):
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
        try:
            os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
        finally:
            os.close(descriptor)
