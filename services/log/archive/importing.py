"""Imports: complete logs from elsewhere, taken in under their own ids or refused with the reason."""

import asyncio
from enum import StrEnum
from typing import Final

from msgspec import structs

from domain.chance import GENERATOR
from domain.entries import FORMAT, decode_envelope
from domain.errors import BrokenLog, Malformed
from domain.match.due import due_of
from domain.match.fold import Position, beginning, fold
from domain.match.state import OVER
from domain.match.upcasting import NEWER
from domain.match.verification import verify
from services.log.archive.documents import Document
from services.log.archive.errors import ImportRefused
from services.log.archive.shelf import Archive, name_of
from services.log.event_store.checks import check_match
from services.log.event_store.contract import Adoption, EventStore, Meta, Status
from services.log.proof import prove_chain

DAMAGED_HERE: Final = "import.damaged_here"
BROKEN_HERE: Final = "import.broken_here"
OTHER_HISTORY: Final = "import.other_history"
BEHIND: Final = "import.behind"

_CODES: Final = {"log.unknown_rules": "import.rules_unknown", NEWER: "import.newer_release"}
"""Codes of refusals, by those of verdicts, for logs that are sound and that this release cannot judge."""


class Taken(StrEnum):
    """What became of a log."""

    IN = "imported"
    KNOWN = "known"
    """It was here already, or this installation has even more of it."""
    RESTORED = "restored"
    """It was here already, and its file in the archive, which was lost, is written anew."""
    HEALED = "healed"
    """It was here, damaged, and stands here now as it was."""


class Importer:
    """Takes logs in."""

    def __init__(self, log: EventStore, archive: Archive) -> None:
        self._log = log
        self._archive = archive

    async def check(self, document: Document) -> Taken:
        """Tell whether a log can be taken in, without changing anything.

        Raises:
            ImportRefused: It cannot, with the reason.
            StoreUnavailable: The store or the archive did not answer.
        """
        position = await asyncio.to_thread(proven, document)
        return await self.compare(document, over=position.state.lifecycle.phase in OVER)

    async def take(self, document: Document, known: Position | None = None) -> Taken:
        """Take a log in: at once, or not at all.

        A match that is over goes to the archive straight away and leaves its tombstone; one that runs goes on here.

        Args:
            document: The log.
            known: Where it ends, from whoever has proven it already.

        Raises:
            ImportRefused: It is not taken in, with the reason.
            ArchiveDiffers: The archive has something else under its name.
            StoreUnavailable: The store or the archive did not answer; doing it again is harmless.
        """
        position = await asyncio.to_thread(proven, document) if known is None else known
        line = document.line
        over = position.state.lifecycle.phase in OVER
        compared = await self.compare(document, over=over)
        if compared is Taken.KNOWN:
            return compared
        if over:
            # First the file, then the record: a process that ends between the two has done nothing yet.
            await self._archive.write(line.match, line.game, line.rules, document.entries)
        if compared is Taken.RESTORED:
            return compared
        adopted = await self._log.adopt(
            Adoption(
                match=line.match,
                entries=() if over else document.entries,
                version=line.events,
                head=position.head,
                status=Status.ARCHIVED if over else Status.OPEN,
                game=line.game,
                rules=line.rules,
                due=None if over else due_of(position),
                types=tuple(dict.fromkeys(decode_envelope(entry.e).type for entry in document.entries)),
            )
        )
        # Somebody else may have been quicker, or our own first try whose answer was lost.
        return Taken.IN if adopted else await self.compare(document, over=over)

    async def _lost(self, document: Document, meta: Meta) -> bool:
        """Tell whether the archive should have this match, and does not."""
        line = document.line
        archived = meta.status is Status.ARCHIVED and meta.version == line.events
        return archived and await self._archive.storage.get(name_of(line.match)) is None

    async def compare(self, document: Document, *, over: bool) -> Taken:
        """Compare a proven log with what this installation has under its id.

        Returns:
            ``KNOWN`` when that is the same history; ``RESTORED`` when it is, and its file in the archive is lost;
            ``IN`` when there is nothing yet.

        Raises:
            ImportRefused: It is another history, a longer one, or what is here is damaged.
        """
        line = document.line
        try:
            meta = await self._log.meta(line.match)
            if meta is None:
                if await self._log.read(line.match, last=1):
                    raise BrokenLog("meta.missing", 1, "the store has events and no record of it")  # noqa: TRY301
                return Taken.IN
            here = await self._head_at(line.match, meta, min(meta.version, line.events))
        except BrokenLog as error:
            detail = f"this installation's own log of it cannot be read: {error}; --heal puts this copy in its place"
            raise ImportRefused(BROKEN_HERE, line.match, detail) from error
        if here != document.entries[min(meta.version, line.events) - 1].h:
            detail = f"this installation has another history under this id, with {meta.version} events"
            raise ImportRefused(OTHER_HISTORY, line.match, detail)
        if meta.version < line.events:
            detail = (
                f"this installation has the same match with {meta.version} events only, and goes on with that"
            )
            raise ImportRefused(BEHIND, line.match, detail)
        if over and await self._lost(document, meta):
            return Taken.RESTORED
        await self._require_whole(document, meta)
        return Taken.KNOWN

    async def _require_whole(self, document: Document, meta: Meta) -> None:
        """Make sure that what is here is whole, and the same event by event.

        Raises:
            ImportRefused: It is not: whoever has a sound copy can heal it.
        """
        match, entries = document.line.match, document.entries
        verdict = await prove_chain(self._log, match)
        if verdict.good:
            here = await self._log.read(match, last=min(meta.version, len(entries)))
            differing = (one.version for one, other in zip(here, entries, strict=False) if one != other)
            version = next(differing, 0)
            if not version:
                return
            # The chain fits, so that it is the openings, which a proven copy vouches for.
            verdict = structs.replace(verdict, code="seal.differs", bad_version=version)
        detail = f"this installation's own log of it is damaged: event {verdict.bad_version}: {verdict.code}"
        raise ImportRefused(DAMAGED_HERE, match, f"{detail}; --heal puts this copy in its place")

    async def _head_at(self, match: str, meta: Meta, version: int) -> bytes:
        if meta.version == version:
            return meta.head
        entries = await self._log.read(match, after=version - 1, last=version)
        return entries[0].h if entries else b""


def proven(document: Document) -> Position:
    """Return where a log ends that is complete, unaltered and understood here.

    Raises:
        ImportRefused: It is not.
    """
    line, match = document.line, document.line.match
    try:
        check_match(match)
    except Malformed as error:
        raise ImportRefused("import.id_malformed", match, error.detail) from None
    if not line.complete:
        detail = "it is a redacted log, of a match that was running; only complete logs can be taken in"
        raise ImportRefused("import.redacted", match, detail)
    verdict = verify(match, document.entries, complete=True, rules=True)
    if not verdict.good:
        code = _CODES.get(verdict.code, "import.broken_log")
        detail = f"event {verdict.bad_version}: {verdict.code}: {verdict.detail}"
        raise ImportRefused(code, match, detail)
    if document.altered:
        raise ImportRefused("import.altered", match, "its bytes are not those that its end vouches for")
    position = fold(beginning(match), document.entries)
    _check_terms(document, position)
    return position


def _check_terms(document: Document, position: Position) -> None:
    line, terms = document.line, position.state.terms
    if terms is None or (terms.game, terms.rules) != (line.game, line.rules):
        detail = f"its first line says {line.game} under rules number {line.rules}, its log something else"
        raise ImportRefused("import.altered", line.match, detail)
    if terms.format > FORMAT or terms.generator > GENERATOR:
        detail = (
            f"log format {terms.format} with generator {terms.generator}; known are {FORMAT} and {GENERATOR}"
        )
        raise ImportRefused("import.format_unknown", line.match, detail)
