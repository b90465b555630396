"""A folder as the archive's place: written whole, synced with its folder, overwritten only to be healed."""

import asyncio
import contextlib
import os
import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from services.log.archive.errors import ArchiveUnavailable
from services.log.synced_folders import sync_folder

T = TypeVar("T")

_DRAFTS: Final = "drafts"
_DRAFT_LIFE_SECONDS: Final = 3600.0


class FolderStorage:
    """Pieces as files in a folder, which is made with the first of them."""

    def __init__(self, folder: Path) -> None:
        self._folder: Final = folder

    def __repr__(self) -> str:
        return str(self._folder)

    async def put_new(self, name: str, content: bytes) -> bool:
        """Write a file, durably when this returns; tell whether it was written: False if the name is taken."""
        return await self._done(partial(self._put_new, name, content))

    async def replace(self, name: str, content: bytes) -> None:
        """Write a file in the place of another, durably when this returns."""
        await self._done(partial(self._replace, name, content))

    async def get(self, name: str) -> bytes | None:
        """Return a file's content as it is on the disk."""
        return await self._done(partial(self._get, name))

    async def names(self, folder: str) -> Sequence[str]:
        """Return the names of all files below a folder, in order."""
        return await self._done(partial(self._names, folder))

    async def _done(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.to_thread(work)
        except OSError as error:
            raise ArchiveUnavailable(f"The archive {self._folder} cannot be used: {error}.") from error

    def _put_new(self, name: str, content: bytes) -> bool:
        target = self._folder / name
        if target.exists():
            return False
        with self._drafted(target, content) as draft:
            # A link fails where a rename would overwrite: what stands in the archive stays.
            try:
                os.link(draft, target)
            except FileExistsError:
                return False
        sync_folder(target.parent)
        return True

    def _replace(self, name: str, content: bytes) -> None:
        target = self._folder / name
        with self._drafted(target, content) as draft:
            draft.replace(target)
        sync_folder(target.parent)

    @contextlib.contextmanager
    def _drafted(self, target: Path, content: bytes) -> Iterator[Path]:
        drafts = self._folder / _DRAFTS
        for folder in (target.parent, drafts):
            _make_folder(folder)
        _sweep(drafts)
        draft = drafts / f"{os.getpid()}.{secrets.token_hex(8)}"
        try:
            _write(draft, content)
            yield draft
        finally:
            draft.unlink(missing_ok=True)

    def _get(self, name: str) -> bytes | None:
        try:
            descriptor = os.open(self._folder / name, os.O_RDONLY | os.O_CLOEXEC)
        except FileNotFoundError:
            return None
        with os.fdopen(descriptor, "rb") as file:
            if hasattr(os, "posix_fadvise"):
                # What is compared with what was written must come from the disk, not from the memory of the writing.
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
            return file.read()

    def _names(self, folder: str) -> Sequence[str]:
        base = self._folder / folder
        found = (Path(root) / file for root, _, files in os.walk(base) for file in files)
        return sorted(path.relative_to(self._folder).as_posix() for path in found)


def _make_folder(folder: Path) -> None:
    """Make a folder that survives a power cut: each new name is synced in the folder above it."""
    if folder.is_dir():
        return
    _make_folder(folder.parent)
    with contextlib.suppress(FileExistsError):
        folder.mkdir(mode=0o700)
    sync_folder(folder.parent)


def _write(file: Path, content: bytes) -> None:
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600), "wb") as out:
        out.write(content)
        out.flush()
        os.fsync(out.fileno())


def _sweep(drafts: Path) -> None:
    """Remove what processes left behind that were killed while they wrote."""
    old = time.time() - _DRAFT_LIFE_SECONDS
    for draft in drafts.iterdir():
        with contextlib.suppress(FileNotFoundError):
            if draft.stat().st_mtime < old:
                draft.unlink()
