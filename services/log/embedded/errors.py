"""What can go wrong with the data folder and the servers in it."""

from pathlib import Path

from domain.errors import TableeError


class EmbeddedError(TableeError):
    """The embedded stores cannot be used. The message says what to do."""

    code = "embedded.error"


class FolderUnusable(EmbeddedError):
    """The data folder cannot be made, read or written."""

    code = "embedded.folder_unusable"

    def __init__(self, path: Path, reason: str) -> None:
        super().__init__(
            f"The data folder {path} cannot be used: {reason}. "
            "Name another one with --data FOLDER or TABLEE_DATA, or change its owner or permissions."
        )
        self.path = path
        self.reason = reason


class FolderLocked(EmbeddedError):
    """Another process uses the data folder.

    Attributes:
        pid: The process that took the lock, if it said so.
        purpose: What that process is, such as ``tablee up``, if it said so.
        orphaned: That process has ended, but something it started still holds the lock.
    """

    code = "embedded.folder_locked"

    def __init__(self, path: Path, *, pid: int | None, purpose: str, orphaned: bool) -> None:
        if pid is None:
            holder = "another process"
        elif orphaned:
            holder = f"a store left over from process {pid} ({purpose}), which has ended"
        else:
            holder = f"process {pid} ({purpose})"
        super().__init__(
            f"The data folder {path} is in use by {holder}. Stop it first, or name another folder with --data FOLDER."
        )
        self.path = path
        self.pid = pid
        self.purpose = purpose
        self.orphaned = orphaned


class NoServerBinary(EmbeddedError):
    """There is no embedded server for this machine."""

    code = "embedded.no_server"

    def __init__(self, reason: str) -> None:
        super().__init__(
            f"There is no embedded Valkey server for this machine ({reason}). "
            "Set TABLEE_LOG_STORE_URL and TABLEE_JOB_STORE_URL to servers of your own (Redis or Valkey 7.0 or newer)."
        )


class StoreFailed(EmbeddedError):
    """An embedded server does not start or does not answer.

    Attributes:
        store: Its name.
        explanation: What is known of the cause, and how to go on.
    """

    code = "embedded.store_failed"

    def __init__(self, store: str, reason: str, explanation: str) -> None:
        said = f" {explanation}" if explanation else ""
        super().__init__(f"The {store} {reason}.{said}")
        self.store = store
        self.reason = reason
        self.explanation = explanation
