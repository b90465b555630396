"""A backup's file: a tar archive that any tool can list and check.

=============================  =======================================================================
``store/00001.msgpack.gz`` …   the log's server, in pieces (:mod:`services.log.backup.records`)
``archive/…``                  the archive's files unchanged: closed matches, and digests
``installation.secret``        the secret that tokens are derived from
``SHA256SUMS``                 the hashes of all files before it, in the form of ``sha256sum -c``
``manifest.json``              what the backup is, and the hash of ``SHA256SUMS``; always last
=============================  =======================================================================

Hashes are kept on disk, not in memory: an archive may have a million files.
"""

import contextlib
import hashlib
import io
import os
import re
import tarfile
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final, Self

import msgspec

from domain.instants import Instant
from services.log.backup.errors import BackupUnreadable

FORMAT: Final = 1

SECRET: Final = "installation.secret"  # noqa: S105 - a file's name
SUMS: Final = "SHA256SUMS"
MANIFEST: Final = "manifest.json"
STORE: Final = "store/"
ARCHIVE: Final = "archive/"

_NAMES: Final = re.compile(
    r"store/\d{5,9}\.msgpack\.gz|archive(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*){1,4}|installation\.secret|SHA256SUMS|manifest\.json"
).fullmatch
_BLOCK: Final = 1 << 20
_LONGEST_MANIFEST: Final = 1 << 16


class Manifest(msgspec.Struct, frozen=True, kw_only=True):
    """What a backup is.

    Attributes:
        began: When it began: everything acknowledged before that is in it.
        ended: When everything had been read.
        matches: Number of matches with events in the store.
        tombstones: Number of matches whose events are in the archive.
        keys: Number of tokens, sessions, names and the like.
        archived: Number of archived files of closed matches.
        digests: Number of archived files of digests.
        archive: Whether the archive is in the backup. False if it is a bucket, or was left out.
        sums: SHA-256 of ``SHA256SUMS``.
    """

    format: int
    release: str
    began: Instant
    ended: Instant
    shards: int
    matches: int
    tombstones: int
    events: int
    keys: int
    archived: int
    digests: int
    archive: bool
    sums: str = ""


class BackupWriter:
    """Writes a backup's file, readable by its owner only: it holds the secret, and cards of running matches."""

    def __init__(self, path: Path) -> None:
        """Create the file, which must not exist yet.

        Raises:
            OSError: It cannot be created.
        """
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        self._file = os.fdopen(descriptor, "wb")
        self._tar = tarfile.TarFile(fileobj=self._file, mode="w", format=tarfile.PAX_FORMAT)
        self._sums = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the rest
        self._sum_of_sums = hashlib.sha256()

    def add(self, name: str, content: bytes) -> None:
        """Add a file and note its hash."""
        line = f"{hashlib.sha256(content).hexdigest()}  {name}\n".encode()
        self._sums.write(line)
        self._sum_of_sums.update(line)
        self._put(name, io.BytesIO(content), len(content))

    def end(self, manifest: Manifest) -> Manifest:
        """Add hashes and manifest, and sync it all to disk; return the manifest as written.

        Raises:
            OSError: The disk is full, or failing.
        """
        size = self._sums.tell()
        self._sums.seek(0)
        self._put(SUMS, self._sums, size)
        complete = msgspec.structs.replace(manifest, sums=self._sum_of_sums.hexdigest())
        content = msgspec.json.format(msgspec.json.encode(complete)) + b"\n"
        self._put(MANIFEST, io.BytesIO(content), len(content))
        self._tar.close()
        self._file.flush()
        os.fsync(self._file.fileno())
        return complete

    def _put(self, name: str, content: IO[bytes], size: int) -> None:
        info = tarfile.TarInfo(name)
        info.size, info.mode, info.mtime = size, 0o600, int(time.time())
        self._tar.addfile(info, content)
        # Otherwise tarfile would keep all members in memory.
        self._tar.getmembers().clear()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._sums.close()
        self._file.close()


@contextlib.contextmanager
def reading() -> Iterator[None]:
    """Turn errors of reading a file into ours.

    Raises:
        BackupUnreadable: The file is cut off, or not a backup.
    """
    try:
        yield
    except (tarfile.TarError, EOFError) as error:
        raise BackupUnreadable(f"it is cut off, altered, or not a backup: {error}") from error


def files_in(path: Path) -> Iterator[tuple[str, IO[bytes]]]:
    """Yield the files of a backup in order. Use within :func:`reading`, and read each file before the next.

    Raises:
        BackupUnreadable: It holds a file that no backup has.
        OSError: It cannot be read.
    """
    with path.open("rb") as file, tarfile.open(fileobj=file, mode="r:") as tar:
        while (info := tar.next()) is not None:
            tar.members.clear()  # type: ignore[attr-defined]
            if not info.isreg() or not _NAMES(info.name):
                raise BackupUnreadable("it holds a file that no backup has")
            content = tar.extractfile(info)
            if content is None:
                raise BackupUnreadable(f"{info.name} cannot be read")
            yield info.name, content


def checked(path: Path) -> Manifest:
    """Read a whole backup and return its manifest, provided every byte is as it was written.

    Raises:
        BackupUnreadable: A byte is not; names the first difference.
        OSError: The file cannot be read.
    """
    manifest: bytes | None = None
    sum_of_sums, written = hashlib.sha256(), ""
    with tempfile.TemporaryFile() as found, reading():
        for name, content in files_in(path):
            if manifest is not None:
                raise BackupUnreadable("something follows its manifest")
            if name == MANIFEST:
                manifest = content.read(_LONGEST_MANIFEST)
            elif name == SUMS:
                found.seek(0)
                written = _compared(content, found)
            elif written:
                raise BackupUnreadable(f"{name} comes after the hashes")
            else:
                line = f"{_hash(content)}  {name}\n".encode()
                found.write(line)
                sum_of_sums.update(line)
    return _manifest(manifest, written, sum_of_sums.hexdigest())


def _compared(sums: IO[bytes], found: IO[bytes]) -> str:
    """Compare a backup's hashes with those found; return the hash of the former."""
    whole = hashlib.sha256()
    for line in sums:
        whole.update(line)
        if line != found.readline():
            name = line.decode(errors="replace").partition("  ")[2].strip()
            raise BackupUnreadable(f"{name} is not what was written", "backup.altered")
    if found.readline():
        raise BackupUnreadable("it has files that its hashes do not list", "backup.altered")
    return whole.hexdigest()


def _manifest(content: bytes | None, written: str, found: str) -> Manifest:
    if content is None:
        raise BackupUnreadable("it is cut off: its manifest is missing")
    try:
        manifest = msgspec.json.decode(content, type=Manifest)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        raise BackupUnreadable("its manifest cannot be read") from None
    if manifest.format != FORMAT:
        raise BackupUnreadable(f"it has format {manifest.format}; this release knows format {FORMAT}")
    if not manifest.sums == written == found:
        raise BackupUnreadable("its hashes are not those that its manifest vouches for", "backup.altered")
    return manifest


def _hash(content: IO[bytes]) -> str:
    whole = hashlib.sha256()
    while block := content.read(_BLOCK):
        whole.update(block)
    return whole.hexdigest()
