"""What operators do to a match: through the one door through which a match changes, with their reason in its log."""

import secrets

from domain.canonical import digest
from domain.match.command_handler import CommandMetadata
from domain.match.commands import Command, UnsealLog
from services.errors import MatchClosed
from services.matches.service import OPERATOR, MatchService, Outcome, Submission
from services.process.service_log import current_correlation


async def act_as_operator(
    service: MatchService, match: str, command: Command, command_id: str = ""
) -> Outcome:
    """Carry out an operator's command; the same id is the same command, an empty one is new.

    Raises:
        Refused: The match or the rules do not allow it.
        NoSuchMatch: There is no such match.
        MatchClosed: It is over.
        BrokenLog: An event of it was altered, or is missing; nothing has changed.
        StoreUnavailable: The store did not answer; nothing has changed.
        OutcomeUnknown: It may or may not have been carried out: the match's log tells.
    """
    # A command line has no request whose id could be taken.
    trace = current_correlation() or secrets.token_hex(8)
    submission = Submission(
        match=match,
        command=command,
        metadata=CommandMetadata(
            OPERATOR, OPERATOR, command_id or f"{OPERATOR}-{secrets.token_hex(8)}", trace=trace
        ),
        fingerprint=digest({"operator": type(command).__name__, "command": command}),
    )
    return await service.execute(submission)


async def unseal(service: MatchService, match: str, reason: str, command_id: str = "") -> bool:
    """Write into a running match's log that its sealed parts are looked at; tell whether that was needed.

    Once a match is over, everything is open, and looking leaves no trace. See :func:`act_as_operator`.
    """
    try:
        await act_as_operator(service, match, UnsealLog(reason), command_id)
    except MatchClosed:
        return False
    return True
