"""Looking at what is sealed in a match: once it is over, freely; before that, its log says so first."""

from collections.abc import Sequence

from api.command_line.group import CommandFailed
from api.command_line.opening import meta_of
from api.command_line.output import tell
from domain.entries import StoredEntry
from domain.errors import BrokenLog
from domain.match.fold import Position, beginning, follow
from domain.match.verification import Verdict
from services.audit.operators import unseal
from services.bootstrap.log_parts import LogParts
from services.errors import NoSuchMatch
from services.log.event_store.contract import Status


async def open_log(
    parts: LogParts, match: str, reason: str | None, purpose: str, last: int | None = None
) -> list[StoredEntry]:
    """Return a match's complete log, for its operator to look at.

    Args:
        parts: What works on the log.
        match: The match's id.
        reason: Why it is looked at; needed while the match runs, and written into its log then.
        purpose: What it takes that for, to begin a sentence: ``To see hands``.
        last: Up to which version, once the match is over; None for its head.

    Raises:
        NoSuchMatch: There is none with this id.
        BrokenLog: An event of it was altered, or is missing; names it.
        CommandFailed: The match runs, and there is no reason.
    """
    if (await meta_of(parts.store, match)).status is Status.OPEN:
        if reason is None:
            raise CommandFailed(
                f"The match still runs. {purpose} takes --unseal REASON, which writes into the match's log that it "
                "was done; everybody at the table reads that."
            )
        # Before a word about it: a log that cannot be read shows nothing.
        await whole_log(parts, match)
        await unseal(parts.service, match, reason)
        return await whole_log(parts, match)
    return await whole_log(parts, match, last)


async def log_up_to(parts: LogParts, match: str, last: int | None) -> tuple[list[StoredEntry], Position]:
    """Return the entries of a match up to a version, and the match at its head.

    What stands in front of a bad event can still be looked at: the last version asked for is the head then.

    Raises:
        NoSuchMatch: There is none with this id.
        BrokenLog: An event up to that version was altered, is missing or cannot be read; names it.
    """
    try:
        entries, head = await _followed(parts, match, None)
    except BrokenLog as broken:
        if last is None:
            raise
        entries, head = await _followed(parts, match, last)
        tell(f"tablee: {broken}. Shown is what stands in front of it; see tablee verify {match}.")
    return entries[:last], head


async def whole_log(parts: LogParts, match: str, last: int | None = None) -> list[StoredEntry]:
    """Return all entries of a match, or those up to a version, once they were followed and could be folded.

    Raises:
        NoSuchMatch: There is none with this id.
        BrokenLog: An event of it was altered, is missing or cannot be read; names it.
    """
    entries, _ = await _followed(parts, match, last)
    return entries


async def _followed(parts: LogParts, match: str, last: int | None) -> tuple[list[StoredEntry], Position]:
    entries = await parts.store.read(match, last=last)
    if not entries:
        raise NoSuchMatch(match)
    return entries, follow(beginning(match), entries)


def looked_through(match: str, entries: Sequence[StoredEntry]) -> Verdict:
    """Return what following a log's chain and folding it comes to."""
    try:
        follow(beginning(match), entries)
    except BrokenLog as broken:
        return Verdict(match, code=broken.code, bad_version=broken.version, detail=broken.detail)
    return Verdict(match, len(entries), entries[-1].h.hex() if entries else "")
