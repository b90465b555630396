"""Every question about a match has one judge: the doctor, the list of matches and the match's page agree."""

import pytest
from msgspec.structs import replace

from domain.instants import milliseconds_of
from domain.match.commands import AskToEnd, HandSeatToBot
from domain.match.say import REQUEST_SECONDS
from domain.match.verification import Verdict
from services.log.event_store.contract import Status
from services.projections.standing import DeadLetter
from services.watch.attention import concerns_of
from services.watch.doctor.matches import diagnoses
from services.watch.findings import PERSON_LATE_SECONDS, Severity, findings_of
from services.watch.inspection.advice import advice_for
from services.watch.match_facts import MatchFacts, facts_of
from tests.kit.house import House
from tests.kit.instants import NOON, at


async def facts_at(house: House, seconds: float) -> MatchFacts:
    return await facts_of(house.store, "m1", milliseconds_of(at(seconds)))


def doctor(facts: MatchFacts) -> set[str]:
    found = diagnoses(findings_of(facts), facts.now, running=True)
    return {one.code for one in found if one.severity > Severity.OK}


def listed(facts: MatchFacts) -> set[str]:
    return {one.kind for one in concerns_of(facts)}


def page(facts: MatchFacts) -> set[str]:
    return {one.code for one in advice_for(facts) if one.urgent}


def all_three(facts: MatchFacts) -> tuple[set[str], set[str], set[str]]:
    return doctor(facts), listed(facts), page(facts)


NOTHING: tuple[set[str], set[str], set[str]] = (set(), set(), set())


async def with_bot() -> House:
    house = await House().begin()
    await house.do(HandSeatToBot((await house.to_act())[0]))
    return house


async def test_a_bot_is_late_for_all_or_for_none():
    house = await with_bot()
    assert all_three(await facts_at(house, 20)) == NOTHING
    assert all_three(await facts_at(house, 35)) == NOTHING
    assert all_three(await facts_at(house, 40)) == ({"match.bot_late"}, {"stuck"}, {"bot_late"})
    assert all_three(await facts_at(house, 61)) == ({"match.bot_overdue"}, {"stuck"}, {"bot_late"})


async def test_a_clock_is_overdue_for_all_or_for_none():
    house = await House().begin(per_turn=60)
    assert all_three(await facts_at(house, 65)) == NOTHING
    assert all_three(await facts_at(house, 65.001)) == (
        {"match.deadline_passed"},
        {"overdue"},
        {"clock_late"},
    )


async def test_a_request_that_nobody_ended_is_overdue_for_all():
    house = await House().begin()
    await house.do(AskToEnd(0, "r1"))
    assert all_three(await facts_at(house, REQUEST_SECONDS + 5)) == NOTHING
    assert all_three(await facts_at(house, REQUEST_SECONDS + 6)) == (
        {"match.deadline_passed"},
        {"overdue"},
        {"clock_late"},
    )


async def test_a_missing_due_entry_is_missing_for_all():
    facts = await facts_at(await House().begin(per_turn=60), 1)
    lost = replace(facts, scheduled=None)
    assert all_three(lost) == ({"due.missing"}, {"not_due"}, {"due_missing"})
    # While the match moves on, nobody compares.
    assert all_three(replace(lost, settled=False)) == NOTHING


async def test_a_match_that_the_clock_put_off_is_so_for_doctor_and_page():
    facts = await facts_at(await House().begin(per_turn=60), 61)
    assert facts.meta is not None
    later = facts.now + 60_000
    put_off = replace(facts, scheduled=later, meta=replace(facts.meta, due=later))
    assert all_three(put_off) == ({"due.parked"}, set(), {"due_parked"})


async def test_an_entry_that_comes_too_early_costs_nobody_anything():
    facts = await facts_at(await House().begin(per_turn=60), 1)
    assert facts.meta is not None
    early = replace(facts, scheduled=facts.now + 1, meta=replace(facts.meta, due=facts.now + 1))
    assert all_three(early) == ({"due.differs"}, set(), set())


@pytest.mark.parametrize("code", ["log.chain_broken", "log.gap", "meta.missing"])
async def test_a_log_that_cannot_be_trusted_is_broken_for_all(code):
    facts = await facts_at(await with_bot(), 40)
    broken = replace(facts, verdict=Verdict("m1", code=code, bad_version=3, detail="x"))
    assert all_three(broken) == ({code}, {"unreadable"}, {"broken"})


async def test_the_list_quotes_no_error_that_may_name_a_card():
    facts = await facts_at(await with_bot(), 40)
    verdict = Verdict("m1", code="log.cannot_be_folded", bad_version=3, detail="ValueError: the hand is 3, 4")
    (concern,) = concerns_of(replace(facts, verdict=verdict))
    assert concern.reason == "log.cannot_be_folded: event 3: ValueError"


async def test_a_record_that_contradicts_its_log_is_wrong_for_doctor_and_page():
    facts = await facts_at(await House().begin(), 1)
    assert facts.meta is not None
    wrong = replace(facts, meta=replace(facts.meta, status=Status.CLOSED))
    assert all_three(wrong) == ({"meta.contradicts_log"}, set(), {"record_differs"})


def test_a_dead_letter_is_told_by_doctor_and_list():
    letter = DeadLetter("matches", "m1", 7, "ValueError", NOON)
    facts = MatchFacts("m1", milliseconds_of(NOON), dead_letters=(letter,))
    assert all_three(facts) == ({"event.parked"}, {"parked"}, set())


async def test_a_person_without_a_clock_is_asked_about_after_weeks():
    house = await House().begin()
    assert all_three(await facts_at(house, PERSON_LATE_SECONDS)) == NOTHING
    assert all_three(await facts_at(house, PERSON_LATE_SECONDS + 1)) == (
        {"match.waits_long"},
        set(),
        {"person_late"},
    )
