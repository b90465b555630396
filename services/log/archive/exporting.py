"""Exports: a match's log as a file, whole or as far as somebody may see it."""

from collections.abc import Sequence

from domain.entries import StoredEntry, decode_openings, encode_openings
from domain.errors import BrokenLog
from domain.match.fold import Position
from domain.match.verification import verify_chain
from domain.sealing import redact
from domain.viewers import SPECTATOR, Viewer
from services.errors import NoSuchMatch
from services.log.archive.documents import document_of, file_end, vouched_for
from services.log.archive.shelf import Archive
from services.log.event_store.contract import EventStore, Status
from services.log.proof import compared


class Exporter:
    """Writes matches as documents."""

    def __init__(self, log: EventStore, archive: Archive) -> None:
        self._log = log
        self._archive = archive

    async def document(self, match: str, viewer: Viewer = SPECTATOR) -> bytes:
        """Return a match's document with the openings for a viewer; once a match is over, with all of them.

        Raises:
            NoSuchMatch: There is none with this id.
            BrokenLog: Its log cannot be read, its chain is broken, or it ends elsewhere than the record says.
            StoreUnavailable: The store or the archive did not answer.
        """
        meta = await self._log.meta(match)
        if meta is None:
            raise NoSuchMatch(match)
        if meta.status is Status.ARCHIVED:
            text = await self._archive.text(match)
            if text is not None and vouched_for(text, meta.version, meta.head):
                return text
            # It is missing or is not what it should be: reading it names the first event that is wrong.
        entries = await self._log.read(match)
        verdict = compared(verify_chain(match, entries), meta)
        if not verdict.good:
            raise BrokenLog(verdict.code, verdict.bad_version, verdict.detail)
        if meta.status is not Status.OPEN or viewer.everything:
            return document_of(match, meta.game, meta.rules, entries)
        redacted = (redacted_entry(entry, viewer) for entry in entries)
        return document_of(match, meta.game, meta.rules, redacted, complete=False, seat=viewer.seat)


def file_at(position: Position, entries: Sequence[StoredEntry], viewer: Viewer) -> bytes:
    """Return the file of one match as it stood at a position, with the openings that a viewer may have there."""
    terms = position.state.terms
    if terms is None:
        raise NoSuchMatch(position.match)
    shown = entries if viewer.everything else [redacted_entry(entry, viewer) for entry in entries]
    document = document_of(
        position.match, terms.game, terms.rules, shown, complete=viewer.everything, seat=viewer.seat
    )
    return document + file_end(1)


def redacted_entry(entry: StoredEntry, viewer: Viewer) -> StoredEntry:
    """Return an entry with the openings that a viewer may have."""
    openings = encode_openings(redact(decode_openings(entry.s), viewer))
    return StoredEntry(entry.version, entry.e, openings, entry.h)
