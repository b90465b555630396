"""What the doctor says of one match: its log, its record, its due instant, and whether somebody can move."""

import pytest
from msgspec.structs import replace

from domain.instants import milliseconds_of
from domain.match.commands import AbandonMatch, HandSeatToBot
from domain.match.due import bots_to_act, due_of
from domain.match.state import Lifecycle
from domain.match.verification import Verdict, verify_chain
from services.log.event_store.contract import Status
from services.log.proof import compared
from services.watch.doctor.diagnosis import Diagnosis
from services.watch.doctor.examination import Examined
from services.watch.doctor.matches import diagnoses
from services.watch.doctor.rounds import Looked
from services.watch.findings import Severity, findings_of
from services.watch.match_facts import MatchFacts, facts_of, missing
from tests.kit.house import House
from tests.kit.instants import at
from tests.kit.queue import FakeQueue
from tests.kit.tampering import changed
from workers.clock_loop import ClockLoop


def codes(diagnosed) -> list[str]:
    return [one.code for one in diagnosed]


async def facts_at(house: House, seconds: float | None = None) -> MatchFacts:
    return await facts_of(
        house.store, "m1", milliseconds_of(house.clock() if seconds is None else at(seconds))
    )


def told(facts: MatchFacts, *, running: bool = True) -> list[Diagnosis]:
    return diagnoses(findings_of(facts), facts.now, running=running)


def scheduled(facts: MatchFacts, due: int | None) -> MatchFacts:
    """Return the facts with another instant in the index, and in the record."""
    assert facts.meta is not None
    return replace(facts, scheduled=due, meta=replace(facts.meta, due=due))


def clock_loop(house: House) -> ClockLoop:
    return ClockLoop(house.store, house.reader, house.service, house.bots, FakeQueue(), house.clock)


class TestLogs:
    async def test_a_good_log_is_good(self):
        facts = await facts_at(await House().begin())
        assert facts.settled
        assert facts.position is not None
        assert told(facts) == []

    async def test_an_altered_event_is_named_with_match_and_version(self):
        facts = await facts_at(await House().begin())
        altered = (
            *facts.entries[:2],
            changed(facts.entries[2], lambda e: e.update(actor="eve")),
            *facts.entries[3:],
        )
        (finding,) = told(replace(facts, verdict=verify_chain("m1", altered)))
        assert (finding.code, finding.match, finding.version) == ("log.chain_broken", "m1", 3)
        assert finding.severity is Severity.ACT
        assert not finding.repair

    async def test_what_a_newer_release_wrote_is_no_damage(self):
        facts = await facts_at(await House().begin())
        newer = Verdict("m1", code="log.newer_release", bad_version=3, detail="the event ChairReady")
        (finding,) = told(replace(facts, verdict=newer))
        assert (finding.code, finding.version, finding.repair) == ("log.newer_release", 3, "")
        assert "Nothing is damaged" in finding.means
        assert "newer release" in finding.do
        assert "backup" not in finding.do

    async def test_a_record_that_is_ahead_or_missing_is_named(self):
        facts = await facts_at(await House().begin())
        assert facts.meta is not None
        cut = compared(verify_chain("m1", facts.entries[:-1]), facts.meta)
        assert codes(told(replace(facts, verdict=cut))) == ["meta.version_differs"]
        assert codes(told(replace(facts, verdict=missing("m1")))) == ["meta.missing"]

    async def test_a_log_in_which_an_instant_is_none_is_broken(self):
        facts = await facts_at(await House().begin())
        assert facts.position is not None
        clock = replace(facts.position.state.clock, since=("soon", "soon"))
        state = replace(facts.position.state, clock=clock)
        (finding,) = told(replace(facts, position=replace(facts.position, state=state)))
        assert finding.code == "log.cannot_be_folded"

    @pytest.mark.parametrize(
        "wrong", [{"status": Status.CLOSED}, {"game": "odin"}, {"rules": 99}], ids=["status", "game", "rules"]
    )
    async def test_a_record_that_contradicts_its_log_can_be_written_anew(self, wrong):
        facts = await facts_at(await House().begin())
        assert facts.meta is not None
        (finding,) = told(replace(facts, meta=replace(facts.meta, **wrong)))
        assert (finding.code, finding.repair) == ("meta.contradicts_log", "status")


class TestDue:
    @pytest.mark.parametrize(("bots", "per_turn"), [(0, 0), (0, 60), (2, 0), (1, 60)])
    async def test_what_the_service_sets_is_right_whatever_happens(self, bots, per_turn):
        house = await House().begin(seats=3, bots=bots, per_turn=per_turn)
        loop = clock_loop(house)

        async def wrong():
            return [code for code in codes(told(await facts_at(house))) if code.startswith("due.")]

        for _ in range(12):
            assert await wrong() == []
            house.clock.advance(7)
            await loop.step()
            assert await wrong() == []
            people = set(await house.to_act()) - set(bots_to_act((await house.head()).state))
            if people:
                await house.move(min(people))

    async def test_an_entry_that_is_gone_is_to_be_acted_on(self):
        facts = await facts_at(await House().begin(per_turn=60))
        assert facts.meta is not None
        (finding,) = told(replace(facts, scheduled=None))
        assert (finding.code, finding.severity, finding.repair) == ("due.missing", Severity.ACT, "due")
        assert (finding.match, finding.version) == ("m1", facts.meta.version)

    async def test_an_entry_that_is_late_is_told_from_one_that_is_early(self):
        house = await House().begin(per_turn=60)
        facts, wanted = await facts_at(house), due_of(await house.head())
        assert wanted is not None
        (late,) = told(scheduled(facts, wanted + 9_000_000))
        (early,) = told(scheduled(facts, wanted - 1000))
        assert [late.severity, early.severity] == [Severity.ACT, Severity.LOOK]
        assert codes([late, early]) == ["due.differs", "due.differs"]
        assert late.means != early.means

    async def test_a_match_that_the_clock_has_set_aside_is_named_and_left_to_it(self):
        house = await House().begin(per_turn=60)
        house.clock.advance(61)
        facts = await facts_at(house)
        (finding,) = told(scheduled(facts, facts.now + 60_000))
        assert (finding.code, finding.repair) == ("due.parked", "")

    async def test_what_moves_meanwhile_is_not_compared(self):
        facts = await facts_at(await House().begin(per_turn=60))
        assert told(replace(facts, scheduled=None, settled=False)) == []

    async def test_entries_of_nothing_are_strays(self):
        assert codes(told(MatchFacts("m1", 0, scheduled=0))) == ["due.orphaned"]
        house = await House().begin(per_turn=60)
        await house.do(AbandonMatch("enough"))
        (stray,) = told(replace(await facts_at(house), scheduled=0))
        assert (stray.code, stray.repair) == ("due.orphaned", "due_entry")
        assert "closed" in stray.found


class TestWayOn:
    async def test_people_without_a_clock_may_take_their_time_but_not_for_ever(self):
        house = await House().begin()
        assert told(await facts_at(house, 86_400)) == []
        (finding,) = told(await facts_at(house, 40 * 86_400))
        assert (finding.code, finding.severity) == ("match.waits_long", Severity.LOOK)
        assert "for 40 days" in finding.found

    async def test_a_bot_is_late_after_what_the_clock_waits_and_overdue_after_a_minute(self):
        house = await House().begin()
        await house.do(HandSeatToBot((await house.to_act())[0]))
        assert told(await facts_at(house, 34)) == []
        assert codes(told(await facts_at(house, 40))) == ["match.bot_late"]
        facts = await facts_at(house, 90)
        (finding,) = told(facts)
        assert (finding.code, finding.severity, finding.repair) == ("match.bot_overdue", Severity.ACT, "due")
        (stopped,) = told(facts, running=False)
        assert stopped.severity is Severity.LOOK
        assert "Start it" in stopped.do

    async def test_a_deadline_that_nobody_ended_is_to_be_acted_on(self):
        house = await House().begin(per_turn=60)
        assert told(await facts_at(house, 64)) == []
        facts = await facts_at(house, 66)
        (finding,) = told(facts)
        assert facts.position is not None
        assert (finding.code, finding.version) == ("match.deadline_passed", facts.position.version)

    async def test_a_match_that_is_over_waits_for_nobody(self):
        house = await House().begin(per_turn=60)
        await house.do(AbandonMatch("enough"))
        assert told(await facts_at(house, 9999)) == []

    async def test_a_match_in_which_nobody_owes_a_move_is_a_mistake_of_ours(self):
        facts = await facts_at(await House().begin())
        assert facts.position is not None
        state = replace(facts.position.state, game=None, lifecycle=Lifecycle("playing"))
        stuck = replace(facts, position=replace(facts.position, state=state))
        assert codes(told(stuck)) == ["match.nobody_to_act"]


class TestDelays:
    async def test_a_bot_that_moved_late_is_found_for_an_hour(self):
        house = await House().begin()
        seat = (await house.to_act())[0]
        await house.do(HandSeatToBot(seat))
        house.clock.advance(12)
        await house.bots.play_turn(await house.head(), seat, trace="t")
        (finding,) = told(await facts_at(house, 60))
        assert (finding.code, finding.severity) == ("match.bot_was_late", Severity.LOOK)
        assert f"the bot on seat {seat} moved 12.0 s after it was asked" in finding.found
        # It has mended itself and did not come again: it is told, and calls nobody.
        (finding,) = told(await facts_at(house, 1000))
        assert (finding.code, finding.severity) == ("match.bot_was_late", Severity.OK)
        assert told(await facts_at(house, 4000)) == []

    def test_lateness_is_counted_apart_from_what_is_wrong(self):
        late = Diagnosis("match.bot_was_late", Severity.LOOK, "late", match="m1")
        wrong = Diagnosis("log.chain_broken", Severity.ACT, "broken", match="m2")
        examined = [Examined("m1", None, 0, (late,)), Examined("m2", None, 0, (wrong,)), Examined("m3", None)]
        looked = Looked()
        for one in examined:
            looked.take(one)
        *found, last = looked.of_matches(0, 3, deep=False)
        assert found == [late, wrong]
        assert last.found.startswith("2 of 3 match(es) are good: ")
        assert last.found.endswith(" In 1 a bot was late within the last hour.")
        assert [*looked.bad] == ["m2"]
        looked = Looked()
        looked.take(examined[2])
        (last,) = looked.of_matches(5, 9, deep=False)
        assert last.found.startswith("6 of 6 match(es) are good: ")
        assert last.found.endswith(" 3 more are read at the next visits.")

    async def test_bots_in_time_are_none(self):
        house = await House().begin(seats=3, bots=3)
        await house.bots.play_turns("m1", trace="t", seconds=1, clock=house.clock.monotonic)
        assert "match.bot_was_late" not in codes(told(await facts_at(house)))
