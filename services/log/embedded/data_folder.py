"""The data folder: one process at a time uses it, and only its owner may look inside.

::

    tablee-data/                0700
    ├── lock                    held (flock) by whoever runs the stores, and by the stores themselves
    ├── running.json            0600, where the running service listens
    ├── installation.secret     0600
    ├── heights.json            0600, how far the log had come, so that an older copy of it is noticed
    ├── log/                    the log store's files; `tablee backup` saves their content
    ├── jobs/                   the job store's files; may be lost at any time
    └── run/                    sockets
"""

import contextlib
import errno
import fcntl
import hashlib
import os
import stat
import tempfile
import time
from pathlib import Path
from typing import Self

from services.log.embedded.errors import FolderLocked, FolderUnusable
from services.log.embedded.processes import is_alive

# The kernel allows 104 (macOS) or 108 (Linux) bytes for a socket's path; the longest file name is "jobs.sock".
_LONGEST_SOCKET_FOLDER = 90
# After a kill -9 the stores end within milliseconds; one that is rewriting its files may take longer.
_ORPHAN_PATIENCE = 5.0
_POLL = 0.02


class DataFolder:
    """A locked data folder. Use it as a context manager, or call ``close``.

    Attributes:
        lock_descriptor: The stores inherit it: while one of them lives, the folder stays locked, even if this process
            is killed. Two servers writing one append-only file would not notice each other.
    """

    def __init__(self, path: Path, *, purpose: str) -> None:
        """Make the folder if it is missing, and lock it.

        Args:
            path: The folder; may be relative to the working directory.
            purpose: What holds it, for the message that other processes get: ``tablee up``.

        Raises:
            FolderUnusable: It cannot be made or written.
            FolderLocked: Another process holds it.
        """
        self.path = path.expanduser().absolute()
        try:
            self.path.mkdir(mode=0o700, parents=True, exist_ok=True)
            descriptor = os.open(self.path / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        except OSError as error:
            raise FolderUnusable(self.path, error.strerror or str(error)) from error
        self.lock_descriptor = descriptor
        try:
            self._lock()
            _write_holder(descriptor, purpose)
            self.log_folder = self._own_folder("log")
            self.jobs_folder = self._own_folder("jobs")
            self.socket_folder = self._sockets()
        except OSError as error:
            os.close(descriptor)
            raise FolderUnusable(self.path, error.strerror or str(error)) from error
        except BaseException:
            os.close(descriptor)
            raise

    def close(self) -> None:
        """Release the lock. The stores must have ended: while one lives, the folder stays locked."""
        if self.lock_descriptor >= 0:
            if self.socket_folder.parent != self.path:
                with contextlib.suppress(OSError):
                    self.socket_folder.rmdir()
            os.close(self.lock_descriptor)
            self.lock_descriptor = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _lock(self) -> None:
        patience = time.monotonic() + _ORPHAN_PATIENCE
        while True:
            try:
                fcntl.flock(self.lock_descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                pid, purpose = _read_holder(self.lock_descriptor)
                # Our own id means a holder from this container's previous run, since ids start again there.
                orphaned = pid is not None and (pid == os.getpid() or not is_alive(pid))
                if not orphaned or time.monotonic() > patience:
                    raise FolderLocked(self.path, pid=pid, purpose=purpose, orphaned=orphaned) from None
                time.sleep(_POLL)
            else:
                return

    def _own_folder(self, name: str) -> Path:
        folder = self.path / name
        folder.mkdir(mode=0o700, exist_ok=True)
        _close_to_others(folder)
        return folder

    def _sockets(self) -> Path:
        """Return the folder for sockets: ``run``, or a short path elsewhere if that one is too long for a socket."""
        if len(os.fsencode(self.path / "run")) <= _LONGEST_SOCKET_FOLDER:
            return self._own_folder("run")
        # The name is derived from the data folder, so that a store has the same address after a restart.
        name = hashlib.sha256(os.fsencode(self.path)).hexdigest()[:16]
        folder = Path(tempfile.gettempdir()) / f"tablee-{os.getuid()}-{name}"
        with contextlib.suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        found = folder.lstat()
        # Anybody may create names in the temporary folder, so use it only if nobody else can put a socket there.
        if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o077:
            raise OSError(
                errno.EPERM,
                f"the folder for sockets, {folder}, belongs to somebody else or is open to others",
            )
        return folder


def _close_to_others(folder: Path) -> None:
    """Take away what older releases let others do with a folder and the files in it."""
    for path in (folder, *folder.rglob("*")):
        with contextlib.suppress(FileNotFoundError):
            mode = path.lstat().st_mode
            if mode & 0o077 and not stat.S_ISLNK(mode):
                path.chmod(stat.S_IMODE(mode) & 0o700)


def _write_holder(descriptor: int, purpose: str) -> None:
    os.ftruncate(descriptor, 0)
    os.pwrite(descriptor, f"{os.getpid()} {purpose}\n".encode(), 0)


def _read_holder(descriptor: int) -> tuple[int | None, str]:
    pid, _, purpose = os.pread(descriptor, 200, 0).decode(errors="replace").strip().partition(" ")
    # The file is empty between locking and writing.
    return (int(pid), purpose) if pid.isdecimal() else (None, "")
