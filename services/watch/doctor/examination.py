"""Examining one match: gather, then judge log, record, due instant and whether somebody can move."""

from typing import Final

import msgspec

from domain.entries import decode_envelope
from domain.errors import BrokenLog
from domain.instants import milliseconds_of
from domain.match.fold import Position
from domain.match.verification import verify
from services.log.event_store.contract import EventStore, Meta, Status
from services.log.proof import prove
from services.watch.doctor.bot_delays import judge_delays
from services.watch.doctor.findings import Finding
from services.watch.doctor.logs import folded, judge_record, judge_verdict, quick_verdict
from services.watch.doctor.match_facts import MatchFacts, MatchLooker
from services.watch.doctor.projection_rows import RowLooker, judge_archived_row, judge_row
from services.watch.doctor.schedule import judge_due, judge_stray
from services.watch.doctor.way_on import judge_way_on


class Moment(msgspec.Struct, frozen=True):
    """Under which circumstances matches are judged.

    Attributes:
        now: Milliseconds since the epoch.
        running: Whether the service runs.
        deep: Whether everything is proven that can be: seals, deals, and the archive's files.
    """

    now: int
    running: bool
    deep: bool = False


class Examined(msgspec.Struct, frozen=True):
    """What examining a match came to.

    Attributes:
        match: Its id.
        meta: The store's record; None if it cannot be read.
        newest: The instant of its last event in milliseconds; 0 if that was not read.
        findings: What is wrong.
    """

    match: str
    meta: Meta | None
    newest: int = 0
    findings: tuple[Finding, ...] = ()


class Examiner:
    """Examines matches one by one."""

    def __init__(self, log: EventStore, looker: MatchLooker, rows: RowLooker, moment: Moment) -> None:
        """Take the log with the archive behind it, who gathers facts, who reads rows, and the circumstances."""
        self._log: Final = log
        self._looker: Final = looker
        self._rows: Final = rows
        self._moment: Final = moment

    async def examine(self, match: str) -> Examined:
        """Examine a match.

        Raises:
            StoreUnavailable: The store or the archive did not answer.
        """
        facts = await self._looker.look(match)
        if not facts.settled:
            # It is being played faster than it can be looked at: it is well.
            return Examined(match, facts.meta)
        findings = await self._of_log(facts)
        newest = 0
        if not findings and facts.meta is not None and facts.entries:
            newest = milliseconds_of(decode_envelope(facts.entries[-1].e).at)
            findings += await self._of_state(facts, facts.meta)
        elif not findings and facts.meta is not None:
            findings += judge_archived_row(await self._rows.look(match, None), match, facts.meta)
        findings += self._of_stray(facts)
        return Examined(match, facts.meta, newest, tuple(findings))

    async def _of_log(self, facts: MatchFacts) -> list[Finding]:
        archived = facts.meta is not None and facts.meta.status is Status.ARCHIVED
        if archived:
            # What is archived never moves: it can be read again.
            return judge_verdict(await prove(self._log, facts.match)) if self._moment.deep else []
        quick = judge_verdict(quick_verdict(facts))
        if quick or not self._moment.deep:
            return quick
        return judge_verdict(verify(facts.match, facts.entries, complete=True, rules=True))

    async def _of_state(self, facts: MatchFacts, meta: Meta) -> list[Finding]:
        now, running = self._moment.now, self._moment.running
        position = folded(facts)
        if isinstance(position, BrokenLog):
            return _unfoldable(facts, position)
        found = judge_record(meta, position)
        if not found and meta.status is Status.OPEN:
            found = judge_due(position, meta.due, facts.scheduled, now)
            found += judge_way_on(position, now, running=running)
        found += judge_delays(facts.match, facts.entries, now)
        row = await self._rows.look(facts.match, position)
        wrong = judge_row(row, facts, position, now, running=running)
        if wrong and await self._log.meta(facts.match) != meta:
            # Rows are read behind the log: of a match that is played meanwhile they may tell of later events.
            return found
        return found + wrong

    @staticmethod
    def _of_stray(facts: MatchFacts) -> list[Finding]:
        closed = facts.meta is not None and facts.meta.status is not Status.OPEN
        if not closed or facts.scheduled is None or facts.meta is None:
            return []
        return [judge_stray(facts.match, facts.scheduled, facts.meta.status)]


def _unfoldable(facts: MatchFacts, found: BrokenLog) -> list[Finding]:
    verdict = quick_verdict(facts)
    return judge_verdict(
        msgspec.structs.replace(verdict, code=found.code, bad_version=found.version, detail=found.detail)
    )


def position_of(facts: MatchFacts) -> Position | None:
    """Return the position of a match whose log and record are good; None for any other."""
    if not facts.settled or not quick_verdict(facts).good:
        return None
    position = folded(facts)
    return position if isinstance(position, Position) else None
