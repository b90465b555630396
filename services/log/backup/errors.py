"""Errors of backups.

::

    TableeError
    ├── BackupNotMade           nothing was left behind under the backup's name
    ├── Malformed
    │   └── BackupUnreadable    a file is no backup, or not one that was left as it was written
    └── RestoreRefused          nothing was restored; what stood at the target was not touched
"""

from domain.errors import Malformed, TableeError


class BackupNotMade(TableeError):
    """A backup could not be written, or what was read back is not what was written."""

    code = "backup.not_made"


class BackupUnreadable(Malformed):
    """A file is no whole, unaltered backup."""

    def __init__(self, detail: str, code: str = "backup.unreadable") -> None:
        """Say what is wrong with it."""
        super().__init__(code, detail)


class RestoreRefused(TableeError):
    """A backup is not restored here."""

    code = "restore.refused"
