"""Does the due index say when each match needs somebody, and nothing else?"""

from typing import Final

from domain.instants import instant_from_milliseconds, milliseconds_of
from domain.match.due import ATTEMPT_SECONDS, bots_to_act, due_of, fixed_instants
from domain.match.fold import Position
from services.log.event_store.contract import Status
from services.watch.doctor.findings import Finding, Severity

_ATTEMPT_MS: Final = ATTEMPT_SECONDS * 1000

PARKED_MS: Final = 90_000
"""The clock sets a match that it cannot handle aside for a minute; it is no minute ahead of the clock for long."""


def judge_due(position: Position, record: int | None, scheduled: int | None, now: int) -> list[Finding]:
    """Compare an open match's place in the due index with what its state says.

    Args:
        position: The match.
        record: The due instant in its record.
        scheduled: Its instant in the index.
        now: Milliseconds since the epoch.
    """
    wanted = due_of(position)
    if record == scheduled and _fits(position, scheduled):
        return []
    if scheduled is None:
        return [
            _finding(
                "due.missing",
                Severity.ACT,
                position,
                f"it should stand there at {_said(wanted)}"
                if wanted is not None
                else "its record says otherwise",
                "Nobody makes its bots move and no deadline ends: the match waits for ever.",
            )
        ]
    if record == scheduled and _is_parked(position, scheduled, now):
        return [
            _finding(
                "due.parked",
                Severity.ACT,
                position,
                f"it was to be visited at {_said(wanted)} and was put off until {_said(scheduled)}: the clock cannot "
                "handle it",
                "Its deadlines do not end and its bots are not asked; the clock tries again every minute.",
            )
        ]
    severity = Severity.ACT if wanted is not None and scheduled > wanted else Severity.LOOK
    detail = (
        f"it stands there at {_said(scheduled)}, its record says {_said(record)}, its state {_said(wanted)}"
    )
    means = (
        "It is visited too late."
        if severity is Severity.ACT
        else "It is visited once in vain, and set right then."
    )
    return [_finding("due.differs", severity, position, detail, means)]


def judge_stray(match: str, scheduled: int, status: Status | None) -> Finding:
    """Judge an entry of the index whose match is not open.

    Args:
        match: The id in the index.
        scheduled: The instant.
        status: The match's status; None if there is no such match.
    """
    why = "there is no such match" if status is None else f"the match is {status}"
    return Finding(
        "due.orphaned",
        Severity.LOOK,
        f"{match} stands in the due index at {_said(scheduled)}, but {why}.",
        "The clock visits it in vain, again and again, which costs processor time.",
        "`tablee doctor --repair` removes the entry.",
        match=match,
        repair="due_entry",
    )


def _finding(code: str, severity: Severity, position: Position, detail: str, means: str) -> Finding:
    do = "`tablee doctor --repair` sets it from the log."
    if code == "due.parked":
        do = (
            f"The service log tells why (`match_parked`, {position.match}). `tablee verify {position.match}` tells "
            "whether its log is whole."
        )
    return Finding(
        code,
        severity,
        f"{position.match} (version {position.version}) and the due index: {detail}.",
        means,
        do,
        position.match,
        position.version,
        repair="" if code == "due.parked" else "due",
    )


def _fits(position: Position, scheduled: int | None) -> bool:
    """Whether an instant is one that the service itself would have set."""
    fixed = fixed_instants(position.state)
    if scheduled is None:
        return not fixed and not bots_to_act(position.state)
    earliest = min(fixed, default=None)
    if earliest is not None and scheduled >= earliest:
        return scheduled == earliest
    # For a bot the clock comes again and again, every ten seconds since it was asked.
    return any(
        scheduled > since and (scheduled - since) % _ATTEMPT_MS == 0 for since in _bots_since(position)
    )


def _bots_since(position: Position) -> list[int]:
    state = position.state
    return [milliseconds_of(state.clock.since[seat]) for seat in bots_to_act(state)]


def _is_parked(position: Position, scheduled: int, now: int) -> bool:
    wanted = due_of(position)
    return wanted is not None and wanted < now < scheduled < now + PARKED_MS


def _said(instant: int | None) -> str:
    return "no instant" if instant is None else str(instant_from_milliseconds(instant))
