"""Which matches an operator should look at: those that stand still although they should not, or cannot be read.

The list of matches says where to look; each match in question is then read anew, so that nothing is told of it that is
no longer so.
"""

from collections.abc import Mapping, Sequence
from typing import Final, Literal

import msgspec

from domain.instants import Instant, after, milliseconds_of
from services.log.event_store.contract import EventStore
from services.projections.listing import Listing, MatchFilter
from services.projections.matches import MatchRow
from services.projections.standing import DeadLetter
from services.watch.findings import Code, Finding, findings_of, is_clock_late
from services.watch.inspection.disclosure import Disclosure
from services.watch.match_facts import MatchFacts, facts_of

MOST_ROWS: Final = 2000
"""How many running matches are looked through, the last changed ones first."""

MOST_READ: Final = 50
"""How many matches in question are read."""

_PAGE: Final = 200
_MOST_DUE: Final = 5000
_FAR: Final = 10 * 366 * 86_400
"""Further away, in seconds, than any deadline."""

Kind = Literal["unreadable", "parked", "not_due", "stuck", "overdue"]

_KINDS: Final[Mapping[Code, Kind]] = {
    "broken": "unreadable",
    "event.parked": "parked",
    "due.missing": "not_due",
    "match.bot_late": "stuck",
    "match.bot_overdue": "stuck",
    "match.deadline_passed": "overdue",
}
"""The findings that the list tells, the worst kind first; the others wait for the doctor."""

_ORDER: Final = tuple(dict.fromkeys(_KINDS.values()))


class Concern(msgspec.Struct, frozen=True):
    """One match that needs attention.

    Attributes:
        kind: What is wrong: its log cannot be read (``unreadable``); a projection or the archive has put it aside
            (``parked``); the clock does not know that it is to come (``not_due``); a bot has owed its move for too long
            (``stuck``); a person's time, or that of a request, has run out and nothing followed (``overdue``).
        seats: The seats that this is about.
        since: Since when; empty if that is not known.
        where: Who has put it aside.
        reason: Why, as far as a program can tell.
    """

    kind: Kind
    match: str
    seats: tuple[int, ...]
    since: Instant
    where: str
    reason: str


class Attention(msgspec.Struct, frozen=True):
    """What needs attention.

    Attributes:
        concerns: The matches, the worst kinds first, the longest ones first in each.
        is_complete: Whether all running matches were looked at.
    """

    concerns: tuple[Concern, ...]
    is_complete: bool


async def attention(
    store: EventStore, listing: Listing, dead_letters: Sequence[DeadLetter], now: Instant
) -> Attention:
    """Return what needs attention. Looking changes nothing.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    present = milliseconds_of(now)
    rows, all_rows = await _running(listing)
    # Behind the rows: whatever was due when a row was written is due still, or the match has moved on since.
    found = await store.due(milliseconds_of(after(now, _FAR)), _MOST_DUE)
    due, all_due = dict(found), len(found) < _MOST_DUE
    asked = [row for row in rows if row.asked and row.due is not None]
    missing = [row.match for row in asked if row.match not in due] if all_due else []
    stale = [row.match for row in asked if is_clock_late(row.due, present)]
    passed = [match for match, instant in due.items() if is_clock_late(instant, present)]
    suspects = list(dict.fromkeys((*missing, *passed, *stale)))
    concerns = [
        concern
        for letter in dead_letters
        for concern in concerns_of(MatchFacts(letter.match, present, dead_letters=(letter,)))
    ]
    for match in suspects[:MOST_READ]:
        facts = await facts_of(store, match, present)
        # Some indexes may still name a match of which the store has nothing at all: that is for the doctor.
        if facts.meta is not None or facts.entries:
            concerns += concerns_of(facts)
    concerns.sort(key=lambda one: (_ORDER.index(one.kind), one.since, one.match))
    return Attention(tuple(concerns), all_rows and all_due and len(suspects) <= MOST_READ)


def concerns_of(facts: MatchFacts) -> list[Concern]:
    """Return what the list tells of one match: the worst of what was found, if any of it belongs there."""
    found: dict[Kind, list[Finding]] = {}
    for finding in findings_of(facts):
        if finding.code in _KINDS:
            found.setdefault(_KINDS[finding.code], []).append(finding)
    if not found:
        return []
    kind = min(found, key=_ORDER.index)
    first = min(found[kind], key=lambda one: one.since)
    seats = tuple(one.seat for one in found[kind] if one.seat is not None)
    reason = first.reason if kind == "parked" else ""
    if kind == "unreadable" and facts.verdict is not None:
        # Nothing of a running match lies open on this page.
        verdict = Disclosure().told(facts.verdict)
        reason = f"{verdict.code}: event {verdict.bad_version}: {verdict.detail}"
    return [Concern(kind, facts.match, seats, first.since, first.where, reason)]


async def _running(listing: Listing) -> tuple[list[MatchRow], bool]:
    rows: list[MatchRow] = []
    behind: str | None = None
    while len(rows) < MOST_ROWS:
        page = await listing.page(MatchFilter(state="playing"), behind, _PAGE)
        rows += page.rows
        behind = page.next
        if behind is None:
            return rows, True
    return rows, False
