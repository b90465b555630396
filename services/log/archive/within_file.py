"""The matches of one file held against each other, before any of them is taken in."""

from typing import Final

from services.log.archive.documents import Document
from services.log.archive.errors import ImportRefused
from services.log.archive.importing import Taken

_HASH: Final = 32


class WithinFile:
    """What a file would bring, as far as it was read; keeps the 32 bytes of each event's hash."""

    def __init__(self) -> None:
        self._heads: Final[dict[str, bytes]] = {}

    def compare(self, document: Document) -> Taken:
        """Tell what would become of a proven match that this installation does not have, behind those before it.

        Raises:
            ImportRefused: Another history, or less of the same, stands further up under its id.
        """
        match, heads = document.line.match, b"".join(entry.h for entry in document.entries)
        before = self._heads.setdefault(match, heads)
        if before is heads:
            return Taken.IN
        both = min(len(before), len(heads))
        if before[both - _HASH : both] != heads[both - _HASH : both]:
            detail = "this file has another history under this id, further up"
            raise ImportRefused("import.other_history", match, detail)
        if len(before) < len(heads):
            detail = f"this file has the same match with {len(before) // _HASH} events only, further up"
            raise ImportRefused("import.behind", match, detail)
        return Taken.KNOWN
