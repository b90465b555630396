"""Restoring a backup into an empty store and an empty archive."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from services.log.archive.shelf import DIGESTS, MATCHES
from services.log.archive.storage import Storage
from services.log.backup.errors import BackupUnreadable, RestoreRefused
from services.log.backup.file import ARCHIVE, SECRET, STORE, Manifest, files_in, reading
from services.log.backup.records import KeyRecord, MatchRecord, records_in, unpacked
from services.log.backup.store_writing import StoreWriter
from services.log.watched import KEY

_LONGEST_SECRET: Final = 4096

Progress = Callable[[int, int], None]
"""Called with how many matches and how many files of the archive have been restored."""


async def require_empty(archive: Storage) -> None:
    """Make sure that an archive holds nothing that a restored one could contradict.

    Raises:
        RestoreRefused: It is not empty.
        ArchiveUnavailable: The storage did not answer.
    """
    for folder in (DIGESTS, MATCHES):
        if await archive.names(folder):
            raise RestoreRefused(
                f"The archive {archive} is not empty. Restore into another one; or, if this is the archive that the "
                "backup belongs to, make the backup with --without-archive."
            )


async def restore_store(
    path: Path, manifest: Manifest, url: str, progress: Progress, *, own: bool = False
) -> list[str]:
    """Write a checked backup's store into an empty server, an embedded one of its own or not; return all match ids.

    Raises:
        RestoreRefused: The server is not empty.
        BackupUnreadable: A piece holds something that is not a record.
        StoreUnavailable: The server did not answer; it is now unusable and must be emptied.
    """
    matches: list[str] = []
    writer = StoreWriter(url, manifest.shards, own=own)
    try:
        await writer.begin()
        # Nobody has watched the clocks since. A backup says so itself, unless an earlier release made it.
        await writer.write(KeyRecord(KEY.encode(), "string", (manifest.began.encode(),)))
        for piece in _files(path, STORE):
            for record in records_in(unpacked(*piece)):
                if isinstance(record, MatchRecord):
                    matches.append(record.match)
                await writer.write(record)
            progress(len(matches), 0)
        await writer.end()
    finally:
        await writer.close()
    return matches


async def restore_archive(path: Path, archive: Storage, progress: Progress) -> int:
    """Write the archive's part of a checked backup, durably; return the number of files.

    Raises:
        ArchiveUnavailable: The storage did not answer.
        RestoreRefused: A file's name is taken by another file.
    """
    count = 0
    for name, written in _files(path, ARCHIVE):
        inner = name.removeprefix(ARCHIVE)
        if not await archive.put_new(inner, written) and await archive.get(inner) != written:
            raise RestoreRefused(f"{inner} in the archive {archive} is not what the backup has.")
        count += 1
        progress(0, count)
    return count


def secret_in(path: Path) -> bytes:
    """Return the installation secret from a checked backup.

    Raises:
        BackupUnreadable: It holds none.
    """
    for _, content in _files(path, SECRET):
        return content[:_LONGEST_SECRET].strip()
    raise BackupUnreadable("it has no secret")


def _files(path: Path, beginning: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files whose names start with ``beginning``."""
    with reading():
        for name, content in files_in(path):
            if name.startswith(beginning):
                yield name, content.read()
