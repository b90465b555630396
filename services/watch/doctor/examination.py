"""Examining one match: its log, its record, its due instant, whether somebody can move, and its rows."""

import msgspec
from msgspec.structs import replace

from domain.entries import decode_envelope
from domain.errors import BrokenLog
from domain.instants import milliseconds_of
from domain.match.verification import Verdict, verified
from services.log.archive.shelf import Archive
from services.log.event_store.contract import EventStore, Meta, Status
from services.projections.feats import feats_of
from services.watch.doctor.diagnosis import Diagnosis
from services.watch.doctor.matches import diagnoses
from services.watch.doctor.projection_rows import RowLooker, judge_archived_row, judge_row
from services.watch.findings import findings_of
from services.watch.kept_records import KeptRecords
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
        meta: The store's record; None if it cannot be read.
        newest: The instant of its last event in milliseconds; 0 if that was not read.
        verdict: What verifying its log came to; None if nobody looked at the log.
    """

    match: str
    meta: Meta | None
    newest: int = 0
    findings: tuple[Diagnosis, ...] = ()
    verdict: Verdict | None = None


class Examiner(msgspec.Struct, frozen=True):
    """Examines matches one by one.

    Attributes:
        store: The log's server, without the archive.
        log: The same with the archive behind it.
        records: Reads all that the store keeps of a match.
    """

    store: EventStore
    log: EventStore
    archive: Archive
    records: KeptRecords
    rows: RowLooker
    moment: Moment

    async def examine(self, match: str) -> Examined:
        """Examine a match.

        Raises:
            StoreUnavailable: The store or the archive did not answer.
        """
        deep = self.moment.deep
        facts = await facts_of(self.store, match, self.moment.now, self.log if deep else None)
        if not facts.settled:
            # A match that is still moving after several reads is healthy; what was read can be proven all the same.
            verdict = verified(match, facts.entries)[0] if deep else None
            found = [] if verdict is None or verdict.good else self._said(replace(facts, verdict=verdict))
            return Examined(match, facts.meta, 0, tuple(found), verdict)
        if deep and facts.meta is not None:
            facts = replace(facts, kept=await self.records.read(match))
        found = self._said(facts)
        newest = 0
        if facts.verdict is None or facts.verdict.good:
            found += await self._of_rows(facts)
            newest = milliseconds_of(decode_envelope(facts.entries[-1].e).at) if facts.entries else 0
        if deep and facts.meta is not None and facts.meta.status is Status.CLOSED:
            found += await self._of_copy(facts)
        return Examined(match, facts.meta, newest, tuple(found), facts.verdict)

    def _said(self, facts: MatchFacts) -> list[Diagnosis]:
        return diagnoses(findings_of(facts), self.moment.now, running=self.moment.running)

    async def _of_copy(self, facts: MatchFacts) -> list[Diagnosis]:
        """Compare a closed match with its file, if the archive has one already."""
        verdict = facts.verdict
        if verdict is None or not verdict.good:
            return []
        try:
            copy = await self.archive.read(facts.match)
        except BrokenLog as broken:
            wrong = replace(verdict, code=broken.code, bad_version=broken.version, detail=broken.detail)
            return self._said(MatchFacts(facts.match, facts.now, facts.meta, wrong))
        if copy is None or copy == facts.entries:
            return []
        detail = "the archive's file of it holds another log than the store"
        wrong = replace(verdict, code="archive.other_head", bad_version=len(copy), detail=detail)
        return self._said(MatchFacts(facts.match, facts.now, facts.meta, wrong))

    async def _of_rows(self, facts: MatchFacts) -> list[Diagnosis]:
        if facts.meta is None:
            return []
        row = await self.rows.look(facts.match, facts.position)
        if facts.position is None:
            return judge_archived_row(row, facts.match, facts.meta)
        made_at = decode_envelope(facts.entries[0].e).at
        wrong = judge_row(
            row,
            made_at,
            facts.position,
            self.moment.now,
            running=self.moment.running,
            feats=feats_of(facts.entries, facts.position.state),
        )
        # Rows are read behind the log: of a match that is played meanwhile they may tell of later events.
        return wrong if wrong and await self.log.meta(facts.match) == facts.meta else []
