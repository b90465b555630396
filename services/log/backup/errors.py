"""Errors of backups."""

from domain.errors import Malformed, TableeError


class BackupNotMade(TableeError):
    """A backup could not be written, or reading it back gave something else."""

    code = "backup.not_made"


class BackupUnreadable(Malformed):
    """A file is not a whole, unaltered backup."""

    def __init__(self, detail: str, code: str = "backup.unreadable") -> None:
        super().__init__(code, detail)


class RestoreRefused(TableeError):
    """The target cannot take a restored backup."""

    code = "restore.refused"
