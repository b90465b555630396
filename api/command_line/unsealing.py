"""Looking at what is sealed in a match: once it is over, freely; before that, its log says so first."""

from api.command_line.desk import Desk
from api.command_line.group import CommandFailed
from domain.entries import StoredEntry
from domain.errors import BrokenLog, Refused
from domain.match.verification import verify_chain
from services.audit.operators import unseal
from services.errors import NoSuchMatch
from services.event_store.contract import Status


async def open_log(desk: Desk, match: str, reason: str | None, purpose: str) -> list[StoredEntry]:
    """Return a match's complete log, for its operator to look at.

    Args:
        desk: The log.
        match: The match's id.
        reason: Why it is looked at; needed while the match runs, and written into its log then.
        purpose: What it takes that for, to begin a sentence: ``To see hands``.

    Raises:
        NoSuchMatch: There is none with this id.
        BrokenLog: An event of it was altered, or is missing; names it.
        CommandFailed: The match runs, and there is no reason.
    """
    meta = await desk.log.meta(match)
    if meta is None:
        raise NoSuchMatch(f"There is no match {match}.")
    if meta.status is Status.OPEN:
        if reason is None:
            raise CommandFailed(
                f"The match still runs. {purpose} takes --unseal REASON, which writes into the match's log that it "
                "was done; everybody at the table reads that."
            )
        try:
            await unseal(desk.service, match, reason)
        except Refused as error:
            raise CommandFailed("--unseal takes a reason: one line of at most 200 characters.") from error
    return await whole_log(desk, match)


async def whole_log(desk: Desk, match: str) -> list[StoredEntry]:
    """Return all entries of a match, once their chain was followed.

    Raises:
        NoSuchMatch: There is none with this id.
        BrokenLog: An event of it was altered, or is missing; names it.
    """
    entries = await desk.log.read(match)
    if not entries:
        raise NoSuchMatch(f"There is no match {match}.")
    verdict = verify_chain(match, entries)
    if not verdict.good:
        raise BrokenLog(verdict.code, verdict.bad_version, verdict.detail)
    return entries
