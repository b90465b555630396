"""What the doctor says of the findings about one match."""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from domain.instants import milliseconds_of
from domain.match.upcasting import NEWER
from services.log.archive.closed_matches import NAME as ARCHIVE
from services.watch.doctor.diagnosis import Diagnosis, Repair
from services.watch.findings import Code, Finding, Severity


class _Text(NamedTuple):
    found: str
    means: str
    do: str
    repair: Repair = ""


_OF_ARCHIVE: Final = _Text(
    "Event {version} of {match}: {reason}.",
    "Nobody can look at this match any more; all others are untouched.",
    "Heal it with a sound copy, from a backup of the archive or an export: `tablee import --heal --reason R FILE`.",
)
_PUT_ASIDE_BY_ARCHIVE: Final = _Text(
    "{match}{at_version} has been set aside by the archive since {since}: {reason}.",
    "It stays in the store. It can be looked at only if its log is whole.",
    "`tablee verify {match}` tells whether its log is whole; if it is, `tablee archive --retry`.",
)
_OF_NEWER: Final = _Text(
    "Event {version} of {match}: {reason}.",
    "Nothing is damaged: this release is older than the one that wrote the event. It can neither show nor play this "
    "match; all others are untouched.",
    "Run the newer release again. `tablee replay-all` of a release tells beforehand whether it reads every match.",
)
_FROM_NEWER: Final = frozenset({NEWER, "log.unknown_rules"})
_DUE: Final = "{match} (version {version}) and the due index: {reason}."
_SET_FROM_LOG: Final = "`tablee doctor --repair` sets it from the log."
_VISITED_EARLY: Final = "It is visited once in vain, and set right then."
_BOT_OWES: Final = _Text(
    "{match} (version {version}): the bot on seat {seat} has owed its move since {since}, for {lasting}.",
    "The table waits.",
    "The causes are named elsewhere here: `process.…`, `worker.…`, `jobs.…`, `clock.…`, `due.…`. "
    "`tablee doctor --repair` has the clock visit the match at once.",
    "due",
)

_TEXTS: Final[Mapping[Code, _Text]] = {
    "broken": _Text(
        "Event {version} of {match}: {reason}.",
        "What stands there is not what was acknowledged: somebody has written to the store, or the disk has. The "
        "match cannot be trusted from that event on; all others are untouched.",
        "`--repair` never touches it, because the log is what everything else is derived from. `tablee verify {match}` "
        "says more. Keep a copy of the data folder. A sound copy of the match, such as an export of it, heals it: "
        "`tablee import --heal --reason R FILE`. To get one out of a backup: `tablee restore BACKUP --data OTHER`, "
        "`tablee export {match} --data OTHER`.",
    ),
    "meta.contradicts_log": _Text(
        "The record of {match} (version {version}) says {reason}.",
        "The record decides whether moves are taken, whether the clock looks after the match, and whether it goes "
        "to the archive.",
        "`tablee doctor --repair` writes the record anew from the log, which verifies.",
        "status",
    ),
    "meta.unknown_field": _Text(
        "The record of {match} (version {version}) is not as the service writes it: {reason}.",
        "Somebody has written to the store. These fields are never read, but who wrote them can write others.",
        "Keep a copy of the data folder, and find out who can reach the store. `HDEL` removes a field.",
    ),
    "meta.commands_differ": _Text(
        "The record of {match} contradicts its log about who sent which command: {reason}.",
        "Somebody has written to the store. A command that is sent again may be taken twice, or answered wrongly.",
        "Keep a copy of the data folder, and find out who can reach the store. `HDEL` removes the actor's field; a "
        "command that is sent again is then judged by its version.",
    ),
    "tombstone.not_empty": _Text(
        "The tombstone of {match} is not as the service leaves it: {reason}.",
        "Somebody has written to the store. The match is read from there, and not from the archive.",
        "`tablee verify {match}` tells which of the two is whole. Keep a copy of the data folder.",
    ),
    "event.parked": _Text(
        "{match}{at_version} has been set aside by the projection `{where}` since {since}: {reason}.",
        "It is missing in lists and searches, or stands there as it was before. It can be played only if its log is "
        "whole.",
        "`tablee verify {match}` tells whether its log is whole; if it is, `tablee rebuild {where}`.",
    ),
    "due.missing": _Text(
        _DUE,
        "Nobody makes its bots move and no deadline ends: the match waits for ever.",
        _SET_FROM_LOG,
        "due",
    ),
    "due.differs": _Text(_DUE, "It is visited too late.", _SET_FROM_LOG, "due"),
    "due.parked": _Text(
        _DUE,
        "Its deadlines do not end and its bots are not asked; the clock tries again every minute.",
        "The service log tells why (`match_parked`, {match}). `tablee verify {match}` tells whether its log is whole.",
    ),
    "due.orphaned": _Text(
        "{match} stands in the due index at {since}, but {reason}.",
        "The clock visits it in vain, again and again, which costs processor time.",
        "`tablee doctor --repair` removes the entry.",
        "due_entry",
    ),
    "match.nobody_to_act": _Text(
        "{match} is being played (version {version}), and nobody owes a move.",
        "It cannot go on. No rule leads here: this is a mistake in the program.",
        "Keep it for whoever looks into it: `tablee export {match} --as everything --unseal REASON`. Then end it: "
        "`tablee end {match} --reason REASON`.",
    ),
    "match.bot_late": _BOT_OWES,
    "match.bot_overdue": _BOT_OWES,
    "match.bot_was_late": _Text(
        "Event {version} of {match}: the bot on seat {seat} {reason}.",
        "The table waited; nothing is lost. The bot's job was lost, or its worker was dead, frozen or busy, or the "
        "service did not run.",
        "If it goes on: are there workers (`worker.…`)? The service log around that instant says `bot_is_late` or "
        "`jobs_sent_again`; its lines about {match} have the event's trace.",
    ),
    "match.deadline_passed": _Text(
        "{match} (version {version}): the time of {whose} ended at {since}, {lasting} ago, and nothing came of it.",
        "The table waits.",
        "The causes are named elsewhere here: `process.…`, `clock.…`, `due.…`. "
        "`tablee doctor --repair` has the clock visit the match at once.",
        "due",
    ),
    "match.waits_long": _Text(
        "{match} (version {version}) has waited for seat {seat} for {lasting}; its table has no clock.",
        "Nothing ends this turn but the one who owes it, the others' resignation, or you.",
        "If nobody comes back: `tablee hand-over {match} {seat} --reason R` lets a bot play on, "
        "`tablee end {match} --reason R` ends the match.",
    ),
}

_UNTIL_IT_RUNS: Final[Mapping[Code, str]] = {
    "match.bot_late": "The service does not run; when it does, the bot moves.",
    "match.bot_overdue": "The service does not run; when it does, the bot moves.",
    "match.deadline_passed": "The service does not run; when it does, the turn ends.",
}


def diagnoses(findings: Iterable[Finding], now: int, *, running: bool) -> list[Diagnosis]:
    """Say what was found at an instant in milliseconds; while no service runs, nobody is asked and nothing ends."""
    return [_diagnosis(one, now, running=running) for one in findings]


def _diagnosis(finding: Finding, now: int, *, running: bool) -> Diagnosis:
    code, severity = finding.verdict or finding.code, finding.severity
    found, means, do, repair = _text_of(finding)
    if not running and finding.code in _UNTIL_IT_RUNS:
        severity, means, do = Severity.LOOK, _UNTIL_IT_RUNS[finding.code], "Start it: `tablee up`."
    said = {
        "match": finding.match,
        "version": finding.version,
        "at_version": f" (version {finding.version})" if finding.version else "",
        "seat": finding.seat,
        "whose": "a request" if finding.seat is None else f"seat {finding.seat}",
        "since": finding.since,
        "lasting": _lasting(now - milliseconds_of(finding.since)) if finding.since else "",
        "reason": finding.reason,
        "where": finding.where,
    }
    return Diagnosis(
        code, severity, found.format(**said), means, do.format(**said), finding.match, finding.version, repair
    )


def _text_of(finding: Finding) -> _Text:
    if finding.code == "event.parked" and finding.where == ARCHIVE:
        return _PUT_ASIDE_BY_ARCHIVE
    if finding.verdict.startswith("archive."):
        return _OF_ARCHIVE
    if finding.verdict in _FROM_NEWER:
        return _OF_NEWER
    text = _TEXTS[finding.code]
    if finding.code == "due.differs" and finding.severity is Severity.LOOK:
        return text._replace(means=_VISITED_EARLY)
    return text


def _lasting(milliseconds: int) -> str:
    seconds = milliseconds // 1000
    for unit, name in ((86_400, "days"), (3_600, "hours"), (60, "minutes")):
        if seconds >= 2 * unit:
            return f"{seconds // unit} {name}"
    return f"{seconds} s"
