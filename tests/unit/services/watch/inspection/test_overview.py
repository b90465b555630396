"""Why a match stands still, and what can be done about it."""

import msgspec
import pytest

from domain.instants import Instant, after, milliseconds_of
from domain.match.commands import HandSeatToBot, VoidMatch
from domain.match.due import due_of
from domain.match.state import OVER
from domain.match.verification import Verdict
from services.log.event_store.contract import Meta, Status
from services.watch.inspection.advice import _TEXTS, advice_for, advice_text
from services.watch.inspection.overview import look_at, overview, refused_of
from services.watch.match_facts import MatchFacts
from tests.kit.instants import NOON
from tests.kit.logs import put, running
from tests.kit.memory_store import MemoryEventStore
from tests.kit.table import Table, gathered, started

GOOD = Verdict("m1")
DAY = 24 * 3600


def told(
    table: Table, seconds: float, *, due: int | None = -1, verdict: Verdict = GOOD, scheduled: bool = True
):
    position = table.position
    wanted = due_of(position) if due == -1 else due
    meta = record(table, Status.CLOSED if position.state.lifecycle.phase in OVER else Status.OPEN, wanted)
    return advice_for(facts(table, meta, verdict, seconds, wanted if scheduled else None))


def record(table: Table, status: Status, due: int | None) -> Meta:
    position = table.position
    assert position.state.terms is not None
    return Meta(position.version, position.head, status, "lama", position.state.terms.rules, due)


def facts(
    table: Table, meta: Meta | None, verdict: Verdict = GOOD, seconds: float = 0, scheduled: int | None = None
) -> MatchFacts:
    now = milliseconds_of(after(NOON, seconds))
    return MatchFacts("m1", now, meta, verdict, tuple(table.entries), table.position, scheduled)


def codes(advice):
    return [one.code for one in advice]


def test_a_person_without_a_clock_may_think_and_is_asked_about_after_weeks():
    table = started("lama", 2)
    (early,) = told(table, 3600)
    assert (early.code, early.seat, early.since, early.urgent) == ("asked", table.to_act[0], NOON, False)
    (late,) = told(table, 15 * DAY)
    assert (late.code, late.urgent) == ("person_late", True)
    assert late.commands[0] == f"tablee hand-over m1 {table.to_act[0]} --reason '...'"


def test_a_bot_that_nobody_plays_is_late_after_what_the_clock_waits():
    table = started("lama", 2).when(HandSeatToBot(0)).when(HandSeatToBot(1))
    assert codes(told(table, 20)) == ["asked"]
    assert codes(told(table, 40)) == ["bot_late"]


def test_a_clock_that_stands_still_is_told_at_the_deadline():
    table = started("lama", 2, per_turn=60)
    assert codes(told(table, 59)) == ["asked"]
    assert codes(told(table, 70)) == ["clock_late"]


def test_an_index_that_has_lost_the_match_is_told_first():
    table = started("lama", 2, per_turn=60)
    assert codes(told(table, 1, due=None)) == ["due_missing", "asked"]
    late = milliseconds_of(after(NOON, DAY))
    assert codes(told(table, 1, due=late)) == ["due_differs", "asked"]
    # Where its place is lost, the clock is not to blame for what is late.
    assert codes(told(table, 70, scheduled=False)) == ["due_missing", "clock_late"]
    assert "stands still" not in " ".join(
        advice_text(one, ("Anna", "Bo"), "en") for one in told(table, 70, scheduled=False)
    )
    assert codes(told(started("lama", 2), 1, due=None, scheduled=False)) == ["asked"]
    # A person without a clock needs no entry.
    assert codes(told(started("lama", 2), 1, due=None)) == ["asked"]


def test_tables_that_gather_and_matches_that_are_over():
    table = gathered("lama", 2)
    assert codes(told(table, 1)) == ["gathering"]
    assert codes(told(table, 15 * DAY)) == ["gathering_long"]
    over = table.when(VoidMatch("x"))
    assert codes(told(over, 1)) == ["over"]
    meta = record(over, Status.ARCHIVED, None)
    assert codes(advice_for(facts(over, meta))) == ["archived"]


def test_what_is_broken_comes_before_everything_else():
    bad = Verdict("m1", code="log.chain_broken", bad_version=3, detail="x")
    first, *_ = told(started("lama", 2), 1, verdict=bad)
    assert (first.code, first.urgent) == ("broken", True)
    assert first.commands[0] == "tablee verify m1"
    assert codes(advice_for(MatchFacts("m1", 0, None, bad))) == ["broken"]


@pytest.mark.parametrize("language", ["en", "fr"])
def test_every_advice_has_words(language):
    for one in told(started("lama", 2), 4 * DAY):
        assert "Anna" in advice_text(one, ("Anna", "Anna"), language)
    for code in _TEXTS:
        plain = msgspec.structs.replace(told(started("lama", 2), 1)[0], code=code)
        assert advice_text(plain, ("Anna", "Bert"), language)


async def test_the_overview_reads_what_the_store_holds():
    store = MemoryEventStore()
    log = await put(store, "m1", running(), Status.OPEN)
    looked = await look_at(store, "m1")
    whole = overview(looked, await refused_of(store, "m1"), Instant(NOON))
    assert whole.verdict.good
    assert whole.verdict.events == len(log)
    assert [seat.kind for seat in whole.seats] == ["person", "bot"]
    assert sum(bool(seat.asked_at) for seat in whole.seats) >= 1
