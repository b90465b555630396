"""Judging one match: its log, its record, its due instant, and whether somebody can move."""

import pytest
from msgspec.structs import replace

from domain.instants import milliseconds_of
from domain.match.commands import AbandonMatch, HandSeatToBot
from domain.match.due import bots_to_act, due_of
from domain.match.state import Lifecycle
from services.log.event_store.contract import Status
from services.watch.doctor.bot_delays import judge_delays
from services.watch.doctor.examination import Examined, position_of
from services.watch.doctor.findings import Finding, Severity
from services.watch.doctor.logs import judge_record, judge_verdict, quick_verdict
from services.watch.doctor.match_facts import MatchFacts
from services.watch.doctor.rounds import judge_matches
from services.watch.doctor.schedule import judge_due, judge_stray
from services.watch.doctor.way_on import judge_way_on
from tests.kit.house import House
from tests.kit.instants import at
from tests.kit.queue import FakeQueue
from tests.kit.tampering import changed
from workers.clock_loop import ClockLoop


def codes(findings) -> list[str]:
    return [finding.code for finding in findings]


async def facts_of(house: House, match: str = "m1") -> MatchFacts:
    meta = await house.store.meta(match)
    assert meta is not None
    scheduled = dict(await house.store.due(2**52, 1000)).get(match)
    return MatchFacts(match, meta, scheduled, tuple(await house.store.read(match)))


async def due_codes(house: House) -> list[str]:
    facts = await facts_of(house)
    assert facts.meta is not None
    now = milliseconds_of(house.clock())
    return codes(judge_due(await house.head(), facts.meta.due, facts.scheduled, now))


def clock_loop(house: House) -> ClockLoop:
    return ClockLoop(house.store, house.reader, house.service, house.bots, FakeQueue(), house.clock)


class TestLogs:
    async def test_a_good_log_is_good(self):
        facts = await facts_of(await House().begin())
        assert quick_verdict(facts).good
        assert position_of(facts) is not None

    async def test_an_altered_event_is_named_with_match_and_version(self):
        facts = await facts_of(await House().begin())
        altered = (
            *facts.entries[:2],
            changed(facts.entries[2], lambda e: e.update(actor="eve")),
            *facts.entries[3:],
        )
        (finding,) = judge_verdict(quick_verdict(replace(facts, entries=altered)))
        assert (finding.code, finding.match, finding.version) == ("log.chain_broken", "m1", 3)
        assert finding.severity is Severity.ACT
        assert not finding.repair
        assert position_of(replace(facts, entries=altered)) is None

    async def test_a_record_that_is_ahead_or_missing_is_named(self):
        facts = await facts_of(await House().begin())
        cut = replace(facts, entries=facts.entries[:-1])
        assert codes(judge_verdict(quick_verdict(cut))) == ["meta.version_differs"]
        assert codes(judge_verdict(quick_verdict(replace(facts, meta=None)))) == ["meta.missing"]

    @pytest.mark.parametrize(
        "wrong", [{"status": Status.CLOSED}, {"game": "odin"}, {"rules": 99}], ids=["status", "game", "rules"]
    )
    async def test_a_record_that_contradicts_its_log_can_be_written_anew(self, wrong):
        house = await House().begin()
        facts = await facts_of(house)
        assert facts.meta is not None
        assert judge_record(facts.meta, await house.head()) == []
        (finding,) = judge_record(replace(facts.meta, **wrong), await house.head())
        assert (finding.code, finding.repair) == ("meta.contradicts_log", "status")


class TestDue:
    @pytest.mark.parametrize(("bots", "per_turn"), [(0, 0), (0, 60), (2, 0), (1, 60)])
    async def test_what_the_service_sets_is_right_whatever_happens(self, bots, per_turn):
        house = await House().begin(seats=3, bots=bots, per_turn=per_turn)
        loop = clock_loop(house)
        for _ in range(12):
            assert await due_codes(house) == []
            house.clock.advance(7)
            await loop.step()
            assert await due_codes(house) == []
            people = set(await house.to_act()) - set(bots_to_act((await house.head()).state))
            if people:
                await house.move(min(people))

    async def test_an_entry_that_is_gone_is_to_be_acted_on(self):
        house = await House().begin(per_turn=60)
        facts = await facts_of(house)
        assert facts.meta is not None
        (finding,) = judge_due(await house.head(), facts.meta.due, None, 0)
        assert (finding.code, finding.severity, finding.repair) == ("due.missing", Severity.ACT, "due")
        assert (finding.match, finding.version) == ("m1", facts.meta.version)

    async def test_an_entry_that_is_late_is_told_from_one_that_is_early(self):
        house = await House().begin(per_turn=60)
        position = await house.head()
        wanted = due_of(position)
        assert wanted is not None
        (late,) = judge_due(position, wanted + 9_000_000, wanted + 9_000_000, 0)
        (early,) = judge_due(position, wanted - 1000, wanted - 1000, 0)
        assert [late.severity, early.severity] == [Severity.ACT, Severity.LOOK]
        assert codes([late, early]) == ["due.differs", "due.differs"]

    async def test_a_match_that_the_clock_has_set_aside_is_named_and_left_to_it(self):
        house = await House().begin(per_turn=60)
        position = await house.head()
        house.clock.advance(61)
        put_off = milliseconds_of(house.clock()) + 60_000
        (finding,) = judge_due(position, put_off, put_off, milliseconds_of(house.clock()))
        assert (finding.code, finding.repair) == ("due.parked", "")

    def test_entries_of_nothing_are_strays(self):
        assert judge_stray("m1", 0, None).code == "due.orphaned"
        assert "closed" in judge_stray("m1", 0, Status.CLOSED).found


class TestWayOn:
    async def test_people_without_a_clock_may_take_their_time_but_not_for_ever(self):
        house = await House().begin()
        position = await house.head()
        now = milliseconds_of(at(86_400))
        assert judge_way_on(position, now, running=True) == []
        (finding,) = judge_way_on(position, milliseconds_of(at(40 * 86_400)), running=True)
        assert (finding.code, finding.severity) == ("match.waits_long", Severity.LOOK)

    async def test_a_bot_is_late_after_seconds_and_overdue_after_a_minute(self):
        house = await House().begin()
        await house.do(HandSeatToBot((await house.to_act())[0]))
        position = await house.head()
        found = {
            seconds: judge_way_on(position, milliseconds_of(at(seconds)), running=True)
            for seconds in (5, 15, 90)
        }
        assert codes(found[5]) == []
        assert codes(found[15]) == ["match.bot_late"]
        (finding,) = found[90]
        assert (finding.code, finding.severity, finding.repair) == ("match.bot_overdue", Severity.ACT, "due")
        (stopped,) = judge_way_on(position, milliseconds_of(at(90)), running=False)
        assert stopped.severity is Severity.LOOK

    async def test_a_deadline_that_nobody_ended_is_to_be_acted_on(self):
        position = await (await House().begin(per_turn=60)).head()
        assert judge_way_on(position, milliseconds_of(at(100)), running=True) == []
        (finding,) = judge_way_on(position, milliseconds_of(at(200)), running=True)
        assert (finding.code, finding.version) == ("match.deadline_passed", position.version)

    async def test_a_match_that_is_over_waits_for_nobody(self):
        house = await House().begin(per_turn=60)
        await house.do(AbandonMatch("enough"))
        assert judge_way_on(await house.head(), milliseconds_of(at(9999)), running=True) == []

    async def test_a_match_in_which_nobody_owes_a_move_is_a_mistake_of_ours(self):
        position = await (await House().begin()).head()
        stuck = replace(position, state=replace(position.state, game=None, lifecycle=Lifecycle("playing")))
        assert codes(judge_way_on(stuck, 0, running=True)) == ["match.nobody_to_act"]


class TestDelays:
    async def test_a_bot_that_moved_late_is_found_for_an_hour(self):
        house = await House().begin()
        seat = (await house.to_act())[0]
        await house.do(HandSeatToBot(seat))
        house.clock.advance(12)
        await house.bots.play_turn(await house.head(), seat, trace="t")
        entries = await house.store.read("m1")
        (finding,) = judge_delays("m1", entries, milliseconds_of(at(60)))
        assert (finding.code, finding.severity) == ("match.bot_was_late", Severity.LOOK)
        assert "12.0 s" in finding.found
        # It has mended itself and did not come again: it is told, and calls nobody.
        (finding,) = judge_delays("m1", entries, milliseconds_of(at(1000)))
        assert (finding.code, finding.severity) == ("match.bot_was_late", Severity.OK)
        assert judge_delays("m1", entries, milliseconds_of(at(4000))) == []

    def test_lateness_is_counted_apart_from_what_is_wrong(self):
        late = Finding("match.bot_was_late", Severity.LOOK, "late", match="m1")
        wrong = Finding("log.chain_broken", Severity.ACT, "broken", match="m2")
        examined = [Examined("m1", None, 0, (late,)), Examined("m2", None, 0, (wrong,)), Examined("m3", None)]
        *found, told = judge_matches(examined, deep=False)
        assert found == [late, wrong]
        assert told.found.startswith("2 of 3 match(es) are good: ")
        assert told.found.endswith(" In 1 a bot was late within the last hour.")
        (told,) = judge_matches(examined[2:], deep=False)
        assert "late" not in told.found

    async def test_bots_in_time_are_none(self):
        house = await House().begin(seats=3, bots=3)
        await house.bots.play_turns("m1", trace="t", seconds=1, clock=house.clock.monotonic)
        assert judge_delays("m1", await house.store.read("m1"), milliseconds_of(at(60))) == []
