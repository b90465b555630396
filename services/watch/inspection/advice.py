"""What a match's page says of how it stands: what was found, who is to move, and what can be done."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

import msgspec

from domain.instants import Instant, milliseconds_of
from domain.match.clock import NOT_ASKED
from domain.match.evolve import seats_to_act
from domain.match.fold import Position
from domain.match.upcasting import NEWER
from services.log.event_store.contract import Status
from services.watch.findings import Code, Finding, Severity, findings_of
from services.watch.match_facts import MatchFacts
from services.words.phrases import Phrase, phrase, words_in

GATHERING_SECONDS: Final = 14 * 24 * 3600
"""How long a table may wait for its people before the page asks whether anybody still comes."""

_CODES: Final[Mapping[Code, str]] = {
    "due.missing": "due_missing",
    "broken": "broken",
    "meta.contradicts_log": "record_differs",
    "due.differs": "due_differs",
    "due.parked": "due_parked",
    "match.nobody_to_act": "nobody_to_act",
    "match.bot_late": "bot_late",
    "match.bot_overdue": "bot_late",
    "match.deadline_passed": "clock_late",
    "match.waits_long": "person_late",
}
"""The findings that the page tells; what mended itself, and what costs nobody anything, is for the doctor."""

_COMMANDS: Final[Mapping[str, tuple[str, ...]]] = {
    "broken": ("tablee verify {match}", "tablee restore --help"),
    "newer_release": ("tablee verify {match}", "tablee --version"),
    "record_differs": ("tablee doctor --repair",),
    "due_missing": ("tablee doctor --repair",),
    "due_differs": ("tablee doctor --repair",),
    "due_parked": ("tablee verify {match}",),
    "nobody_to_act": ("tablee end {match} --reason '...'",),
    "bot_late": ("tablee doctor",),
    "clock_late": ("tablee doctor",),
    "gathering": ("tablee void {match} --reason '...'",),
    "gathering_long": ("tablee void {match} --reason '...'",),
    "over": ("tablee export {match}",),
    "archived": ("tablee export {match}",),
}
_OF_PERSON: Final = (
    "tablee hand-over {match} {seat} --reason '...'",
    "tablee end {match} --reason '...'",
    "tablee void {match} --reason '...'",
)

_TEXTS: Final[Mapping[str, Phrase]] = {
    "broken": phrase(
        "The log, or the record of it, is not what it was. Do not end the match: find out first what was altered, and "
        "hold it against a digest or a backup."
    ),
    "newer_release": phrase(
        "A newer release than this one wrote this match. Nothing is damaged: run the newer release again."
    ),
    "record_differs": phrase(
        "The record of this match contradicts its log, which verifies: the record can be written anew from it."
    ),
    "bot_late": phrase(
        "{name} is played by a bot, which has owed its move for too long: neither a worker nor the clock makes it."
    ),
    "clock_late": phrase("The time of {name} has ended, and the clock has not come to this match."),
    "request_late": phrase("The time of a request has ended, and the clock has not come to this match."),
    "due_missing": phrase(
        "The clock does not know that it is to come to this match: its entry in the index of instants is missing."
    ),
    "due_differs": phrase(
        "The index of instants does not say when this match needs somebody: the clock looks too late, or never."
    ),
    "due_parked": phrase(
        "The clock cannot handle this match and tries again every minute. The service log says why."
    ),
    "nobody_to_act": phrase(
        "Nobody owes a move, and the match is not over: this is a mistake in the program."
    ),
    "person_late": phrase(
        "{name} has owed a move for days, and this table has no clock. Let a bot play, or end the match."
    ),
    "asked": phrase("{name} is to move."),
    "gathering": phrase("The table waits for its people."),
    "gathering_long": phrase("The table has waited for its people for weeks."),
    "over": phrase("The match is over. Nothing is to be done."),
    "archived": phrase("The match is over and in the archive. Nothing is to be done."),
}


class Advice(msgspec.Struct, frozen=True):
    """Something about a match that its operator should know.

    Attributes:
        code: What it is; ``asked`` says that somebody is to move, and all is well.
        seat: The seat that it is about, if it is about one.
        since: Since when, where that matters.
        urgent: Whether something is wrong, or nobody but the operator can help.
        commands: What can be done about it on the command line, most harmless first.
    """

    code: str
    seat: int | None = None
    since: Instant = NOT_ASKED
    urgent: bool = False
    commands: tuple[str, ...] = ()


def advice_for(facts: MatchFacts) -> tuple[Advice, ...]:
    """Return what is to be said of a match, what is wrong first."""
    found = [one for one in findings_of(facts) if _is_told(one)]
    late = {one.seat for one in found}
    advice = [_advice(facts.match, _code_of(one), one.seat, _since(one), urgent=True) for one in found]
    advice += [one for one in _calm(facts) if one.seat is None or one.seat not in late]
    # A lost entry is the cause of whatever else is late.
    return tuple(sorted(advice, key=lambda one: (one.code != "due_missing", not one.urgent)))


def advice_text(advice: Advice, names: Sequence[str], language: str) -> str:
    """Return what an advice says, in a sentence or two."""
    seat = advice.seat
    name = names[seat] if seat is not None and seat < len(names) else ""
    code = "request_late" if advice.code == "clock_late" and seat is None else advice.code
    return words_in(language).say(_TEXTS[code], name=name)


def _is_told(finding: Finding) -> bool:
    return finding.code in _CODES and (finding.code != "due.differs" or finding.severity is Severity.ACT)


def _code_of(finding: Finding) -> str:
    return "newer_release" if finding.verdict == NEWER else _CODES[finding.code]


def _since(finding: Finding) -> Instant:
    """Return since when somebody waits; of the due index and the log it would only repeat what is told elsewhere."""
    return finding.since if finding.code.startswith("match.") else NOT_ASKED


def _calm(facts: MatchFacts) -> Iterator[Advice]:
    """Yield how the match stands where nothing is wrong."""
    match, position = facts.match, facts.position
    if position is None:
        return
    phase = position.state.lifecycle.phase
    if phase == "playing":
        yield from _asked(match, position)
    elif phase == "gathering":
        late = facts.now - milliseconds_of(position.at) > GATHERING_SECONDS * 1000
        yield _advice(match, "gathering_long" if late else "gathering", None, position.at)
    else:
        is_archived = facts.meta is not None and facts.meta.status is Status.ARCHIVED
        yield _advice(match, "archived" if is_archived else "over")


def _asked(match: str, position: Position) -> Iterator[Advice]:
    state = position.state
    for seat in seats_to_act(state):
        yield _advice(
            match,
            "asked",
            seat,
            state.clock.since[seat],
            for_person=not state.seats[seat].played_by_bot and state.clock.deadline_of(seat) == NOT_ASKED,
        )


def _advice(
    match: str,
    code: str,
    seat: int | None = None,
    since: Instant = NOT_ASKED,
    *,
    urgent: bool = False,
    for_person: bool = False,
) -> Advice:
    commands = _OF_PERSON if for_person or code == "person_late" else _COMMANDS.get(code, ())
    return Advice(code, seat, since, urgent, tuple(one.format(match=match, seat=seat) for one in commands))
