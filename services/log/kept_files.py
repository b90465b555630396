"""A cache in files that anybody may throw away: what takes long to make from a log, kept over restarts.

It lies in the data folder, one folder for each match. A file counts only for this installation, this code and the name
that it stands under: each begins with a code that nobody can make without the installation's secret. One that does not
count is as good as none, and goes.
"""

import hashlib
import hmac
import shutil
import zlib
from collections.abc import Callable
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Final

import structlog

from services.log.whole_files import replace_file

FOLDER: Final = "cache"
"""Its name in the data folder."""

MOST_BYTES: Final = 128 * 1024 * 1024
"""How much one installation keeps; beyond it, those matches go for which nothing was written for longest."""

_FORMAT: Final = b"tablee kept 1\n"
_MAC: Final = 32
_SWEEP_EVERY: Final = 64
_AFTER_SWEEP: Final = 0.8
_QUICK: Final = 1

_log = structlog.get_logger(__name__)


class KeptFiles:
    """The files. All methods read or write the disk, so they are called in threads."""

    def __init__(
        self, folder: Path, secret: bytes, code: Callable[[], str], most_bytes: int = MOST_BYTES
    ) -> None:
        """Take where they lie.

        Args:
            folder: Their folder; made when something is kept.
            secret: The installation's secret.
            code: Says which code makes and reads them, asked once: another one's files do not count.
            most_bytes: How much may be kept.
        """
        self._folder: Final = folder
        self._key: Final = hmac.digest(secret, b"kept files", "sha256")
        self._ask_code: Final = code
        self._most: Final = most_bytes
        self._written = 0

    def prepare(self) -> None:
        """Find out which code this is, before somebody waits for it."""
        _ = self._code

    def names(self, match: str) -> list[str]:
        """Return under which names something is kept for a match."""
        try:
            return [file.name for file in self._of(match).iterdir() if not file.name.startswith(".")]
        except OSError:
            return []

    def read(self, match: str, name: str) -> bytes | None:
        """Return what is kept under a name; None if that is nothing, or nothing that counts."""
        file = self._of(match) / name
        try:
            content = file.read_bytes()
        except OSError:
            return None
        begin = _FORMAT + self._code
        if not content.startswith(begin):
            # Another release's, or none of ours.
            self._drop(file)
            return None
        mac, body = content[len(begin) : len(begin) + _MAC], content[len(begin) + _MAC :]
        if hmac.compare_digest(mac, self._mac(match, name, body)):
            with suppress(zlib.error):
                return zlib.decompress(body)
        _log.warning("kept_file_ignored", match=match, name=name)
        self._drop(file)
        return None

    def write(self, match: str, name: str, content: bytes) -> None:
        """Keep something under a name. If the disk does not take it, nothing is kept."""
        folder, body = self._of(match), zlib.compress(content, _QUICK)
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            replace_file(folder / name, _FORMAT + self._code + self._mac(match, name, body) + body)
        except OSError as error:
            _log.debug("nothing_kept", match=match, reason=error.strerror)
            return
        if not self._written % _SWEEP_EVERY:
            self._sweep()
        self._written += 1

    def drop(self, match: str, name: str) -> None:
        """Throw away what is kept under a name: it turned out to be of no use."""
        self._drop(self._of(match) / name)

    def forget(self, match: str) -> None:
        """Throw away all that is kept for a match."""
        shutil.rmtree(self._of(match), ignore_errors=True)

    @cached_property
    def _code(self) -> bytes:
        return hashlib.sha256(self._ask_code().encode()).digest()

    def _of(self, match: str) -> Path:
        # An id is a text from outside, so no file is named by it.
        name = hashlib.sha256(match.encode()).hexdigest()[:32]
        return self._folder / name[:2] / name

    def _mac(self, match: str, name: str, body: bytes) -> bytes:
        about = b"\0".join((_FORMAT, self._code, match.encode(), name.encode(), body))
        return hmac.digest(self._key, about, "sha256")

    def _drop(self, file: Path) -> None:
        with suppress(OSError):
            file.unlink(missing_ok=True)

    def _sweep(self) -> None:
        """Keep within the bound: the matches go for which nothing was written for longest."""
        sizes, whole = [], 0
        for folder in self._folder.glob("??/*"):
            with suppress(OSError):
                size = sum(file.stat().st_size for file in folder.iterdir())
                sizes.append((folder.stat().st_mtime, size, folder))
                whole += size
        if whole <= self._most:
            return
        for _, size, folder in sorted(sizes):
            shutil.rmtree(folder, ignore_errors=True)
            whole -= size
            if whole <= self._most * _AFTER_SWEEP:
                break
