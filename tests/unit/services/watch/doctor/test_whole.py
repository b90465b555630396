"""Judging what concerns all matches: the feed, the archive, published heads, projections."""

import pytest

from domain.chain import genesis
from domain.entries import decode_envelope
from domain.instants import instant_from_milliseconds, milliseconds_of
from services.audit.published import Finding
from services.log.event_store.contract import Meta, Status
from services.projections.followers import ConsumerProgress, Unread, progress
from services.projections.generations import Halt, Standing
from services.projections.matches import marks_of, row_of
from services.projections.standing import ConsumerLag, DeadLetter
from services.watch.doctor.archive import copy_facts, judge_copies
from services.watch.doctor.examination import Examiner, Moment
from services.watch.doctor.feed import judge_clock, judge_feed
from services.watch.doctor.matches import diagnoses
from services.watch.doctor.projection_rows import (
    RowFacts,
    judge_archived_row,
    judge_row,
    judge_standing,
)
from services.watch.doctor.published_heads import HeadFacts, judge_heads
from services.watch.doctor.published_heads import RowFacts as DigestRow
from services.watch.findings import Severity, findings_of
from services.watch.match_facts import MatchFacts
from tests.kit.house import House
from tests.kit.instants import NOON, at

NOW = milliseconds_of(at(600))


LOST = Finding("digest.lost", "digest 2", 0, "the installation no longer has it")


def codes(findings):
    return [finding.code for finding in findings]


class TestFeed:
    async def test_how_long_a_consumer_is_behind_is_read_from_the_events(self):
        house = await House().begin()
        shard, head = next((shard, head) for shard, head in (await house.store.positions()).items() if head)
        lags = [ConsumerLag("bots", shard, head - 1, head), ConsumerLag("archive", shard, head, head)]
        behind, read = await progress(house.store, lags)
        assert behind.unread == Unread("m1", NOON)
        assert read.unread == Unread()

    @pytest.mark.parametrize(
        ("consumer", "seconds", "running", "found"),
        [
            ("bots", 3, True, ["feed.read"]),
            ("bots", 60, True, ["feed.stuck"]),
            ("bots", 60, False, ["feed.read"]),
            ("archive", 60, True, ["feed.read"]),
            ("archive", 300, True, ["feed.stuck"]),
            ("matches.1-1", 60, True, ["feed.stuck"]),
        ],
    )
    def test_each_consumer_has_its_time(self, consumer, seconds, running, found):
        unread = Unread("m1", instant_from_milliseconds(NOW - seconds * 1000))
        one = ConsumerProgress(ConsumerLag(consumer, 0, 4, 5), unread)
        assert codes(judge_feed([one], NOW, running=running)) == found

    def test_a_feed_that_ends_before_a_checkpoint_is_a_store_in_the_past(self):
        (finding,) = judge_feed(
            [ConsumerProgress(ConsumerLag("bots", 3, 9, 7), Unread())], NOW, running=False
        )
        assert (finding.code, finding.severity) == ("store.went_back", Severity.ACT)

    def test_a_gap_in_the_feed_is_told(self):
        assert codes(
            judge_feed([ConsumerProgress(ConsumerLag("bots", 3, 1, 7), Unread(gap="gap"))], NOW, running=True)
        ) == ["feed.gap"]

    def test_the_clock_visits_or_waits_or_is_stuck(self):
        assert codes(judge_clock(None, NOW, running=True)) == ["clock.visits"]
        assert codes(judge_clock(("m1", NOW - 1000), NOW, running=True)) == ["clock.visits"]
        assert codes(judge_clock(("m1", NOW - 60_000), NOW, running=False)) == ["clock.waits"]
        (finding,) = judge_clock(("m1", NOW - 60_000), NOW, running=True)
        assert (finding.code, finding.match, finding.severity) == ("clock.stuck", "m1", Severity.ACT)


class TestArchive:
    def test_tombstones_and_files_belong_together(self):
        statuses = {"a": Status.ARCHIVED, "b": Status.CLOSED, "c": Status.OPEN}
        assert codes(judge_copies(copy_facts(statuses, frozenset({"a"})))) == ["archive.complete"]
        # Written, and not let go yet: that is how every match leaves.
        assert codes(judge_copies(copy_facts(statuses, frozenset({"a", "b"})))) == ["archive.complete"]
        (missing,) = judge_copies(copy_facts(statuses, frozenset()))
        assert (missing.code, missing.match) == ("archive.missing", "a")

    def test_files_of_matches_that_are_unknown_or_open_mean_a_store_in_the_past(self):
        statuses = {"a": Status.ARCHIVED, "c": Status.OPEN}
        (finding,) = judge_copies(copy_facts(statuses, frozenset({"a", "c", "x"})))
        assert (finding.code, finding.severity, finding.match) == ("store.behind_archive", Severity.ACT, "x")

    def test_a_whole_archive_that_is_not_there_is_told_once_for_all(self):
        found = judge_copies(
            copy_facts({f"m{number}": Status.ARCHIVED for number in range(500)}, frozenset())
        )
        assert len(found) < 30
        assert "480 further" in found[-1].found


class TestHeads:
    HEAD = HeadFacts("m1", "m1", 9, 3, NOON, 9, same=True)

    def test_a_store_that_is_shorter_than_published_is_in_the_past(self):
        behind = HeadFacts("m2", "m2", 9, 3, NOON, 5, None)
        lost = HeadFacts("m3", "", 2, 3, NOON, None, None)
        finding, cut, gone = judge_heads(DigestRow(3, 3, (), (self.HEAD, behind, lost)))
        assert (finding.code, finding.match, finding.version) == ("store.in_the_past", "m2", 5)
        assert "2 of 3" in finding.found
        assert "All of them: m2, m3." in finding.found
        assert [(one.code, one.match) for one in (cut, gone)] == [("head.cut", "m2"), ("head.lost", "m3")]
        assert "digest 3" in finding.found

    def test_another_hash_is_a_rewritten_history(self):
        other = HeadFacts("m1", "m1", 9, 3, NOON, 12, same=False)
        assert codes(judge_heads(DigestRow(3, 3, (), (other,)))) == ["head.rewritten"]

    def test_lost_digests_are_named_and_none_at_all_is_fine(self):
        assert codes(judge_heads(DigestRow(3, 3, (LOST,), (self.HEAD,)))) == ["digest.lost"]
        assert codes(judge_heads(DigestRow(0, 0, (), ()))) == ["digest.none"]
        assert codes(judge_heads(DigestRow(3, 3, (), (self.HEAD,)))) == ["digest.holds"]


class TestProjections:
    async def _judged(self, change=lambda row: row, seconds=60.0, places=None):
        house = await House().begin()
        position, entries = await house.head(), await house.store.read("m1")
        row = row_of(position, NOON)
        marks = marks_of(row)
        one = RowFacts(change(row), marks if places is None else places)
        return judge_row(
            one, decode_envelope(entries[0].e).at, position, milliseconds_of(at(seconds)), running=True
        )

    @pytest.mark.parametrize(("moves", "found"), [(True, []), (False, ["rows.ahead"])])
    async def test_a_row_that_is_ahead_because_somebody_has_just_moved_is_good(self, moves, found):
        house = await House().begin()
        beside = await House().begin()
        await beside.move()

        class Rows:
            async def look(self, *_):
                if moves:
                    await house.move()
                row = row_of(await beside.head(), NOON)
                return RowFacts(row, marks_of(row))

        moment = Moment(NOW, running=True)
        examiner = Examiner(house.store, house.store, None, None, Rows(), moment)  # type: ignore[arg-type]
        assert codes((await examiner.examine("m1")).findings) == found

    async def test_a_row_that_says_what_the_log_says_is_good(self):
        assert await self._judged() == []

    async def test_an_altered_row_is_named_with_what_it_says_and_what_it_should(self):
        (finding,) = await self._judged(lambda row: row.replace(b"lama", b"odin"))
        assert (finding.code, finding.match, finding.repair) == ("rows.differ", "m1", "rows")
        assert "odin" in finding.found
        assert "lama" in finding.found

    async def test_a_missing_row_has_half_a_minute(self):
        assert await self._judged(lambda _: None, seconds=10) == []
        assert codes(await self._judged(lambda _: None)) == ["rows.behind"]

    async def test_a_row_of_a_later_version_or_another_history_is_a_store_in_the_past(self):
        def later(row):
            version = int(row[1 : row.index(b",")])
            return row.replace(b"[%d," % version, b"[%d," % (version + 5), 1)

        (finding,) = await self._judged(later)
        assert (finding.code, finding.severity, finding.repair) == ("rows.ahead", Severity.ACT, "")

    async def test_a_wrong_place_in_an_index_is_named(self):
        (finding,) = await self._judged(places={"ended": 1, "open": None})
        assert finding.code == "rows.misplaced"
        assert "ended" in finding.found

    def test_an_archived_match_is_compared_by_its_stamp(self):
        meta = Meta(9, genesis("m1"), Status.ARCHIVED, "lama", 2, None)
        assert codes(judge_archived_row(RowFacts(b'[8,"x"]', {}), "m1", meta)) == ["rows.differ"]

    def test_a_halted_projection_and_what_was_set_aside_are_told(self):
        halted = Standing(current=1, halted=Halt("the store went back", NOON))
        assert codes(judge_standing({"matches": halted}, running=True)) == ["projection.halted"]
        assert codes(judge_standing({"matches": Standing()}, running=True)) == ["projection.missing"]
        assert codes(judge_standing({"matches": Standing(current=1)}, running=True)) == []
        letter = DeadLetter("matches", "m1", 7, "ValueError", NOON)
        found = findings_of(MatchFacts("m1", NOW, dead_letters=(letter,)))
        (finding,) = diagnoses(found, NOW, running=True)
        assert (finding.code, finding.match, finding.version) == ("event.parked", "m1", 7)
