"""Examining one match: its log, its record, its due instant, whether somebody can move, and its rows."""

import msgspec

from domain.entries import decode_envelope
from domain.instants import milliseconds_of
from domain.match.verification import verify
from services.log.event_store.contract import EventStore, Meta
from services.log.proof import prove
from services.watch.doctor.diagnosis import Diagnosis
from services.watch.doctor.matches import diagnoses
from services.watch.doctor.projection_rows import RowLooker, judge_archived_row, judge_row
from services.watch.findings import findings_of
from services.watch.match_facts import MatchFacts, facts_of


class Moment(msgspec.Struct, frozen=True):
    """The circumstances under which matches are judged.

    Attributes:
        now: Milliseconds since the epoch.
        running: Whether the service runs.
        deep: Whether to prove all that can be proven: seals, deals, and the archive's files.
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
    findings: tuple[Diagnosis, ...] = ()


class Examiner(msgspec.Struct, frozen=True):
    """Examines matches one by one.

    Attributes:
        store: The log's server, without the archive.
        log: The same with the archive behind it.
        rows: Reads the rows of projections.
        moment: The circumstances.
    """

    store: EventStore
    log: EventStore
    rows: RowLooker
    moment: Moment

    async def examine(self, match: str) -> Examined:
        """Examine a match.

        Raises:
            StoreUnavailable: The store or the archive did not answer.
        """
        facts = await facts_of(self.store, match, self.moment.now)
        if not facts.settled:
            # A match that is still moving after several reads is healthy.
            return Examined(match, facts.meta)
        if self.moment.deep:
            facts = await self._proven(facts)
        found = diagnoses(findings_of(facts), self.moment.now, running=self.moment.running)
        newest = 0
        if facts.verdict is None or facts.verdict.good:
            found += await self._of_rows(facts)
            newest = milliseconds_of(decode_envelope(facts.entries[-1].e).at) if facts.entries else 0
        return Examined(match, facts.meta, newest, tuple(found))

    async def _proven(self, facts: MatchFacts) -> MatchFacts:
        if facts.verdict is None:
            # What is archived never moves: it can be read again.
            verdict = await prove(self.log, facts.match)
        elif facts.verdict.good:
            verdict = verify(facts.match, facts.entries, complete=True, rules=True)
        else:
            return facts
        return msgspec.structs.replace(facts, verdict=verdict)

    async def _of_rows(self, facts: MatchFacts) -> list[Diagnosis]:
        if facts.meta is None:
            return []
        row = await self.rows.look(facts.match, facts.position)
        if facts.position is None:
            return judge_archived_row(row, facts.match, facts.meta)
        made_at = decode_envelope(facts.entries[0].e).at
        wrong = judge_row(row, made_at, facts.position, self.moment.now, running=self.moment.running)
        # Rows are read behind the log: of a match that is played meanwhile they may tell of later events.
        return wrong if wrong and await self.log.meta(facts.match) == facts.meta else []
