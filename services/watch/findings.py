"""The one judge of a match: what is wrong with it, and by which threshold.

The doctor, the operator's list of matches and the page of one match say in their own words what is found here. None of
them judges a second time.
"""

import re
from collections.abc import Iterator
from enum import IntEnum
from typing import Final, Literal

import msgspec

from domain.entries import StoredEntry, decode_envelope
from domain.instants import Instant, instant_from_milliseconds, milliseconds_of
from domain.match.clock import NOT_ASKED
from domain.match.due import ATTEMPT_SECONDS, FALLBACK_SECONDS, bots_to_act, due_of, fixed_instants
from domain.match.evolve import seats_to_act
from domain.match.fold import UNFOLDABLE, Position
from domain.match.state import OVER
from services.log.event_store.contract import Meta, Status
from services.watch.kept_records import contradictions as kept_contradictions
from services.watch.match_facts import MatchFacts

CLOCK_LATE_SECONDS: Final = 5
"""How late the clock may come to a deadline, or to a bot whose move it makes."""

BOT_LATE_SECONDS: Final = FALLBACK_SECONDS + CLOCK_LATE_SECONDS
"""How long a bot may owe its move: the clock must have made it by then."""

BOT_OVERDUE_SECONDS: Final = 60
"""No bot's turn stays open for longer, whatever has died and is started again."""

PERSON_LATE_SECONDS: Final = 14 * 86_400
"""How long a person without a clock may think before it is worth asking whether they come back."""

JOB_LOST_SECONDS: Final = ATTEMPT_SECONDS
"""A bot that moved later than this was sent a second job: the first one was lost."""

_LOOKED_BACK_MS: Final = 3_600_000
_RECENT_MS: Final = 600_000
"""A late move that is longer ago has mended itself and has not come again: it is told, but calls nobody."""

_PUT_OFF_MS: Final = 90_000
"""The clock puts a match that it cannot handle off for a minute."""

Code = Literal[
    "broken",
    "meta.contradicts_log",
    "meta.unknown_field",
    "meta.commands_differ",
    "tombstone.not_empty",
    "event.parked",
    "due.missing",
    "due.differs",
    "due.parked",
    "due.orphaned",
    "match.nobody_to_act",
    "match.bot_late",
    "match.bot_overdue",
    "match.bot_was_late",
    "match.deadline_passed",
    "match.waits_long",
]


class Severity(IntEnum):
    """How urgent a finding is; also what ``tablee doctor`` ends with."""

    OK = 0
    LOOK = 1
    """Nothing is lost and nobody waits, but somebody should look."""
    ACT = 2
    """People wait, or something is or may be lost."""


class Finding(msgspec.Struct, frozen=True):
    """Something that is wrong with a match.

    Attributes:
        code: What it is.
        severity: How urgent it is while the service runs.
        version: The event that it is about, or the version at which it was found; 0 for none.
        seat: The seat that it is about, if it is about one.
        since: Since when; empty if that is not known.
        reason: What was seen, in English as in the service log.
        verdict: The verdict's code, of a broken log.
        where: Who has put the match aside, if it was.
    """

    code: Code
    severity: Severity
    match: str
    version: int = 0
    seat: int | None = None
    since: Instant = NOT_ASKED
    reason: str = ""
    verdict: str = ""
    where: str = ""


def findings_of(facts: MatchFacts) -> tuple[Finding, ...]:
    """Return what is wrong with a match: what causes the rest first."""
    try:
        of_log = tuple(_of_log(facts))
    except UNFOLDABLE as error:
        # A log that was rewritten as a whole may hold anything, such as an instant that is none.
        version = facts.position.version if facts.position is not None else 0
        of_log = (_broken(facts.match, "log.cannot_be_folded", version, type(error).__name__),)
    return (*_of_dead_letters(facts), *of_log, *_of_stray(facts))


def is_clock_late(due: int | None, now: int) -> bool:
    """Tell whether the clock should have come to what is due; both in milliseconds since the epoch."""
    return due is not None and now - due > CLOCK_LATE_SECONDS * 1000


def _of_dead_letters(facts: MatchFacts) -> Iterator[Finding]:
    for one in facts.dead_letters:
        yield Finding(
            "event.parked",
            Severity.LOOK,
            one.match,
            one.version,
            since=one.since,
            reason=one.reason,
            where=one.projection,
        )


def _of_log(facts: MatchFacts) -> Iterator[Finding]:
    verdict, position, meta = facts.verdict, facts.position, facts.meta
    if verdict is not None and not verdict.good:
        yield _broken(facts.match, verdict.code, verdict.bad_version, verdict.detail)
        return
    if position is None or meta is None:
        return
    if contradictions := _contradictions(meta, position):
        yield from contradictions
    elif meta.status is Status.OPEN:
        yield from _of_due(facts, position, meta)
        yield from _of_way_on(position, facts.now)
    if facts.kept is not None:
        for code, version, reason in kept_contradictions(facts.kept, meta, facts.entries):
            yield Finding(code, Severity.ACT, facts.match, version, reason=reason)
    yield from _of_late_moves(facts)


def _broken(match: str, verdict: str, version: int, reason: str) -> Finding:
    return Finding("broken", Severity.ACT, match, version, reason=reason, verdict=verdict)


def _contradictions(meta: Meta, position: Position) -> list[Finding]:
    """Compare what the record says of a match with what its events say; verifying compared version and head."""
    terms, phase = position.state.terms, position.state.lifecycle.phase
    is_open = meta.status is Status.OPEN
    found = []
    if terms is not None and (meta.game, meta.rules) != (terms.game, terms.rules):
        found.append(f"game {meta.game}, rules {meta.rules}; its log says {terms.game}, {terms.rules}")
    if is_open is (phase in OVER):
        by_log = Status.CLOSED if is_open else Status.OPEN
        found.append(f"that the match is {meta.status}; by its log it is {phase}, which is {by_log}")
    if not is_open and meta.due is not None:
        found.append(f"that it is due at {_said(meta.due)}; a match that is {meta.status} is never due")
    return [
        Finding(
            "meta.contradicts_log",
            Severity.ACT,
            position.match,
            position.version,
            since=position.at,
            reason=reason,
        )
        for reason in found
    ]


def _of_due(facts: MatchFacts, position: Position, meta: Meta) -> Iterator[Finding]:
    """Compare an open match's place in the due index with what its state says."""
    record, scheduled, wanted = meta.due, facts.scheduled, due_of(position)
    if not facts.settled or (record == scheduled and _fits(position, scheduled)):
        return
    code: Code
    severity = Severity.ACT
    if scheduled is None:
        code = "due.missing"
        reason = (
            "its record says otherwise" if wanted is None else f"it should stand there at {_said(wanted)}"
        )
    elif (
        record == scheduled
        and wanted is not None
        and wanted < facts.now < scheduled < facts.now + _PUT_OFF_MS
    ):
        code = "due.parked"
        reason = (
            f"it was to be visited at {_said(wanted)} and was put off until {_said(scheduled)}: the clock cannot "
            "handle it"
        )
    else:
        code = "due.differs"
        severity = Severity.ACT if wanted is not None and scheduled > wanted else Severity.LOOK
        reason = f"it stands there at {_said(scheduled)}, its record says {_said(record)}, its state {_said(wanted)}"
    since = NOT_ASKED if wanted is None else instant_from_milliseconds(wanted)
    yield Finding(code, severity, position.match, position.version, since=since, reason=reason)


def _fits(position: Position, scheduled: int | None) -> bool:
    """Tell whether an instant in the due index is one that the service itself would have set."""
    fixed = fixed_instants(position)
    since = [milliseconds_of(position.state.clock.since[seat]) for seat in bots_to_act(position.state)]
    if scheduled is None:
        return not fixed and not since
    earliest = min(fixed, default=None)
    if earliest is not None and scheduled >= earliest:
        return scheduled == earliest
    # For a bot the clock comes again and again, every ten seconds since it was asked.
    return any(scheduled > asked and (scheduled - asked) % (ATTEMPT_SECONDS * 1000) == 0 for asked in since)


def _of_stray(facts: MatchFacts) -> Iterator[Finding]:
    """Find an entry of the due index whose match is not open."""
    if facts.scheduled is None or (facts.meta is None and facts.verdict is not None):
        return
    if facts.meta is None or facts.meta.status is not Status.OPEN:
        why = "there is no such match" if facts.meta is None else f"the match is {facts.meta.status}"
        since = instant_from_milliseconds(facts.scheduled)
        yield Finding("due.orphaned", Severity.LOOK, facts.match, since=since, reason=why)


def _of_way_on(position: Position, now: int) -> Iterator[Finding]:
    """Judge whether an open match waits for somebody who will move."""
    state, match, version = position.state, position.match, position.version
    for request in state.requests:
        if is_clock_late(milliseconds_of(request.expires), now):
            yield Finding("match.deadline_passed", Severity.ACT, match, version, since=request.expires)
    if state.lifecycle.phase != "playing":
        return
    if not (seats := seats_to_act(state)):
        yield Finding("match.nobody_to_act", Severity.ACT, match, version)
    for seat in seats:
        yield from _of_seat(position, seat, now)


def _of_seat(position: Position, seat: int, now: int) -> Iterator[Finding]:
    """Judge for how long a seat has owed its move, and whether anything will end its turn."""
    state, match, version = position.state, position.match, position.version
    asked, deadline = state.clock.since[seat] or position.at, state.clock.deadline_of(seat)
    waited = (now - milliseconds_of(asked)) / 1000
    if state.seats[seat].played_by_bot:
        if waited > BOT_OVERDUE_SECONDS:
            yield Finding("match.bot_overdue", Severity.ACT, match, version, seat, asked)
        elif waited > BOT_LATE_SECONDS:
            yield Finding("match.bot_late", Severity.LOOK, match, version, seat, asked)
    elif deadline != NOT_ASKED:
        if is_clock_late(milliseconds_of(deadline), now):
            yield Finding("match.deadline_passed", Severity.ACT, match, version, seat, deadline)
    elif waited > PERSON_LATE_SECONDS:
        yield Finding("match.waits_long", Severity.LOOK, match, version, seat, asked)


def _of_late_moves(facts: MatchFacts) -> Iterator[Finding]:
    """Name the latest late move of a bot within an hour: what mended itself leaves no other trace than its instants."""
    late = _late_moves(facts.entries, instant_from_milliseconds(facts.now - _LOOKED_BACK_MS))
    first = next(late, None)
    if first is None:
        return
    count = 1 + sum(1 for _ in late)
    others = f" ({count} such moves within the last hour)" if count > 1 else ""
    recent = facts.now - milliseconds_of(first.since) <= _RECENT_MS
    severity = Severity.LOOK if recent else Severity.OK
    yield msgspec.structs.replace(first, match=facts.match, severity=severity, reason=first.reason + others)


_ASKED_AT: Final = re.compile(r"bot-.+-(\d+)-\d+").fullmatch
"""A bot's command bears the version at which its seat was asked."""


def _late_moves(entries: tuple[StoredEntry, ...], since: Instant) -> Iterator[Finding]:
    for entry in reversed(entries):
        envelope = decode_envelope(entry.e)
        if envelope.at < since:
            return
        read = _ASKED_AT(envelope.command.id)
        if envelope.door != "bot" or envelope.v != envelope.command.first or read is None:
            continue
        asked_at = int(read[1])
        if not 1 <= asked_at < envelope.v:
            continue
        asked = milliseconds_of(decode_envelope(entries[asked_at - 1].e).at)
        seconds = (milliseconds_of(envelope.at) - asked) / 1000
        if seconds >= JOB_LOST_SECONDS:
            noted = f", and was made by the clock ({envelope.note})" if envelope.note else ""
            reason = f"moved {seconds:.1f} s after it was asked by event {asked_at}{noted}"
            yield Finding(
                "match.bot_was_late", Severity.LOOK, "", envelope.v, envelope.seat, envelope.at, reason
            )


def _said(instant: int | None) -> str:
    return "no instant" if instant is None else str(instant_from_milliseconds(instant))
