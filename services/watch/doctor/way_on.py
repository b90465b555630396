"""Can the match go on: does somebody owe a move who can make it, or who will be made to?"""

from typing import Final

from domain.instants import Instant, instant_from_milliseconds, milliseconds_of
from domain.match.due import bots_to_act
from domain.match.evolve import seats_to_act
from domain.match.fold import Position
from domain.match.state import NOT_ASKED
from services.watch.doctor.findings import Finding, Severity

BOT_PATIENCE_MS: Final = 60_000
"""No bot's turn stays open for longer, whatever has died."""

BOT_USUAL_MS: Final = 8_000
"""A bot whose job was not lost has moved long before."""

DEADLINE_PATIENCE_MS: Final = 60_000
_LONG_MS: Final = 30 * 86_400_000


def judge_way_on(position: Position, now: int, *, running: bool) -> list[Finding]:
    """Judge whether an open match waits for somebody who will move.

    Args:
        position: The match.
        now: Milliseconds since the epoch.
        running: Whether the service runs: without it, nobody is asked and nothing ends.
    """
    if position.state.lifecycle.phase != "playing":
        return []
    seats = seats_to_act(position.state)
    if not seats:
        return [_nobody(position)]
    bots = bots_to_act(position.state)
    found = [_bot(position, seat, now, running=running) for seat in bots]
    found += [_person(position, seat, now, running=running) for seat in seats if seat not in bots]
    return [finding for finding in found if finding is not None]


def _nobody(position: Position) -> Finding:
    return Finding(
        "match.nobody_to_act",
        Severity.ACT,
        f"{position.match} is being played (version {position.version}), and nobody owes a move.",
        "It cannot go on. No rule leads here: this is a mistake in the program.",
        f"Keep it for whoever looks into it: `tablee export {position.match} --as everything --unseal REASON`. Then "
        f"end it: `tablee end {position.match} --reason REASON`.",
        position.match,
        position.version,
    )


def _bot(position: Position, seat: int, now: int, *, running: bool) -> Finding | None:
    since = milliseconds_of(position.state.clock.since[seat])
    if now - since <= BOT_USUAL_MS:
        return None
    overdue = now - since > BOT_PATIENCE_MS
    causes = "The causes are named elsewhere here: `process.…`, `worker.…`, `jobs.…`, `clock.…`, `due.…`."
    if not running:
        do = "Start it: `tablee up`."
    elif overdue:
        do = f"{causes} `tablee doctor --repair` has the clock visit the match at once."
    else:
        do = f"Its job or its worker was lost. The clock sends another ten seconds after the bot was asked. {causes}"
    return Finding(
        "match.bot_overdue" if overdue else "match.bot_late",
        Severity.ACT if running and overdue else Severity.LOOK,
        f"{position.match} (version {position.version}): the bot on seat {seat} has owed its move since "
        f"{instant_from_milliseconds(since)}, for {_lasting(now - since)}.",
        "The table waits." if running else "The service does not run; when it does, the bot moves.",
        do,
        position.match,
        position.version,
        repair="due" if overdue else "",
    )


def _person(position: Position, seat: int, now: int, *, running: bool) -> Finding | None:
    deadline = position.state.clock.deadline_of(seat)
    if deadline == NOT_ASKED:
        return _waits_long(position, seat, now)
    late = now - milliseconds_of(deadline)
    if late <= DEADLINE_PATIENCE_MS:
        return None
    return Finding(
        "match.deadline_passed",
        Severity.ACT if running else Severity.LOOK,
        f"{position.match} (version {position.version}): the time of seat {seat} ended at {deadline}, "
        f"{_lasting(late)} ago, and nothing came of it.",
        "The table waits." if running else "The service does not run; when it does, the turn ends.",
        "The causes are named elsewhere here: `process.…`, `clock.…`, `due.…`. "
        "`tablee doctor --repair` has the clock visit the match at once."
        if running
        else "Start it: `tablee up`.",
        position.match,
        position.version,
        repair="due",
    )


def _waits_long(position: Position, seat: int, now: int) -> Finding | None:
    since = position.state.clock.since[seat] or position.at
    lasting = now - milliseconds_of(Instant(since))
    if lasting < _LONG_MS:
        return None
    return Finding(
        "match.waits_long",
        Severity.LOOK,
        f"{position.match} (version {position.version}) has waited for seat {seat} for {_lasting(lasting)}; its table "
        "has no clock.",
        "Nothing ends this turn but the one who owes it, the others' resignation, or you.",
        f"If nobody comes back: `tablee hand-over {position.match} {seat} --reason R` lets a bot play on, "
        f"`tablee end {position.match} --reason R` ends the match.",
        position.match,
        position.version,
    )


def _lasting(milliseconds: int) -> str:
    seconds = milliseconds // 1000
    for unit, name in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * unit:
            return f"{seconds // unit} {name}"
    return f"{seconds} s"
