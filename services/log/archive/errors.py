"""Errors of the archive, of exports and of imports."""

from domain.errors import Malformed, TableeError
from services.errors import StoreUnavailable


class ArchiveUnavailable(StoreUnavailable):
    """The archive's folder or bucket could not be read or written."""

    code = "archive.unavailable"


class ArchiveDiffers(TableeError):
    """The archive holds something else under the name of a log that was to be written; nothing was changed."""

    code = "archive.differs"


class UnreadableExport(Malformed):
    """A file is no export, or not a whole one.

    Attributes:
        line: The first bad line, from 1.
    """

    def __init__(self, code: str, line: int, detail: str) -> None:
        super().__init__(code, f"line {line}: {detail}")
        self.line = line


class ImportRefused(TableeError):
    """A log is not taken in; nothing was changed.

    Attributes:
        detail: Why not, for the operator.
    """

    def __init__(self, code: str, match: str, detail: str) -> None:
        super().__init__(f"{match}: {code}: {detail}")
        self.code = code
        self.match = match
        self.detail = detail
