"""What people choose once is recorded in all their matches before anybody is told a wrong deadline."""

from datetime import date

import pytest
from fakeredis import FakeAsyncRedis

from domain.entries import decode_envelope
from domain.match.clock import ClockTerms
from domain.match.clock_events import RestsPlanned
from domain.match.commands import BeReady, CreateMatch, SeatPlan, StartMatch, TakeSeat
from domain.match.due import deadlines_of, needs_rests
from services.matches.resting import RestPlanner
from services.people.identity import Holder
from services.people.memberships import Memberships
from services.people.persons import Persons, Wish
from services.people.rest_times import Holiday, RestTimes
from tests.kit.house import House
from tests.kit.instants import NOON, at
from tests.kit.table import SEED
from tests.unit.workers.test_clock_loop import Tower, timeouts
from workers.clock_loop import ClockLoop

HOUR = 3600
DAY = 24 * HOUR


class Resting(Tower):
    """A clock loop that knows people; it is Sunday noon by UTC."""

    def __init__(self, house: House) -> None:
        redis = FakeAsyncRedis()
        self.persons, self.memberships = Persons(redis), Memberships(redis)
        self.ids: list[str] = []
        super().__init__(house)

    def _loop(self) -> ClockLoop:
        process, clock = self.house.beside(), self.house.clock
        self.planner = RestPlanner(process.reader, process.service, self.persons, self.memberships, clock)
        return ClockLoop(
            process.store,
            process.reader,
            process.service,
            process.bots,
            self.queue,
            clock,
            rests=self.planner,
        )

    async def begin(
        self, *chosen: RestTimes, per_turn: int = DAY, zone: str = "UTC", match: str = "m1"
    ) -> None:
        do, seats = self.house.do, len(chosen)
        clock = ClockTerms(per_turn, rests=True)
        await do(CreateMatch("lama", {}, (SeatPlan(),) * seats, "host", SEED, clock), match=match)
        for seat, times in enumerate(chosen):
            if match == "m1":
                person = await self.persons.create(NOON)
                self.ids.append(person.id)
                await self.persons.change(person.id, Wish(time_zone=zone, preferences=times.as_preferences()))
            holder = Holder(match, f"player-{seat}", "seat")
            await self.memberships.collect(self.ids[seat], holder, NOON)
            await do(TakeSeat(f"player-{seat}", seat), match=match)
            await do(BeReady(seat), match=match)
        await do(StartMatch(), match=match)

    async def plans(self, match: str = "m1") -> int:
        return (await self.types(match)).count(RestsPlanned.__name__)

    async def deadline(self, match: str = "m1") -> str:
        (deadline,) = deadlines_of((await self.house.head(match)).state).values()
        return deadline


def nights() -> RestTimes:
    return RestTimes((22, 8))


async def test_a_match_with_rests_is_visited_as_soon_as_it_begins():
    clock = Resting(House())
    await clock.begin(nights(), nights())
    assert needs_rests((await clock.house.head()).state)
    assert await clock.strike() == 1
    assert not needs_rests((await clock.house.head()).state)
    assert await clock.plans() == 1
    # Twenty-four hours in which it is no night: ten until the first one, and fourteen from eight to ten tomorrow.
    assert await clock.deadline() == at(34 * HOUR)


async def test_the_deadline_stands_in_the_event_for_readers():
    clock = Resting(House())
    await clock.begin(nights(), nights())
    await clock.strike()
    last = decode_envelope((await clock.house.store.read("m1"))[-1].e)
    assert (last.type, last.door) == (RestsPlanned.__name__, "clock")
    assert set(last.deadlines.values()) == {at(34 * HOUR)}


async def test_nobodys_time_runs_out_at_night():
    clock = Resting(House())
    await clock.begin(nights(), nights(), per_turn=8 * HOUR)
    await clock.strike()
    await clock.strike(9 * HOUR)
    assert timeouts(await clock.types()) == 1
    await clock.play()
    # It is nine in the evening: one hour passes today, seven from eight to three tomorrow.
    assert await clock.deadline() == at(9 * HOUR + 18 * HOUR)
    for _ in range(17):
        await clock.strike(HOUR)
    assert timeouts(await clock.types()) == 1
    await clock.strike(HOUR)
    assert timeouts(await clock.types()) == 2


async def test_people_rest_where_they_live():
    clock = Resting(House())
    await clock.begin(nights(), nights(), zone="Asia/Tokyo")
    await clock.strike()
    # At noon it is nine in the evening there: an hour, then a night of ten.
    assert await clock.deadline() == at(DAY + 20 * HOUR)


async def test_it_is_recorded_once_for_weeks_ahead():
    clock = Resting(House())
    await clock.begin(nights(), nights())
    for _ in range(14):
        await clock.strike(DAY / 2)
        await clock.house.move()
    assert await clock.plans() == 1


async def test_it_is_recorded_anew_before_a_deadline_lies_beyond_it():
    clock = Resting(House())
    await clock.begin(nights(), nights(), per_turn=7 * DAY)
    for _ in range(8):
        await clock.strike(4 * DAY)
        await clock.house.move()
        await clock.strike()
        state = (await clock.house.head()).state
        assert not needs_rests(state)
    assert await clock.plans() >= 2


async def test_a_table_at_which_nobody_rests_says_so_once_a_year():
    clock = Resting(House())
    await clock.begin(RestTimes(), RestTimes())
    for _ in range(30):
        await clock.strike(DAY / 2)
        await clock.house.move()
    assert await clock.plans() == 1


async def test_what_is_chosen_later_holds_at_all_tables_from_then_on():
    clock = Resting(House())
    for match in ("m1", "m2"):
        await clock.begin(RestTimes(), RestTimes(), match=match)
    await clock.strike()
    before = {match: await clock.deadline(match) for match in ("m1", "m2")}
    assert set(before.values()) == {at(DAY)}
    clock.house.clock.advance(HOUR)
    for person in clock.ids:
        await clock.persons.change(person, Wish(preferences=nights().as_preferences()))
        assert await clock.planner.replan(person) == 2
    for match in ("m1", "m2"):
        assert await clock.deadline(match) == at(34 * HOUR)


async def test_what_has_rested_stays_rested_when_it_is_chosen_no_more():
    clock = Resting(House())
    await clock.begin(nights(), nights())
    await clock.strike()
    clock.house.clock.advance(15 * HOUR)
    for person in clock.ids:
        await clock.persons.change(person, Wish(preferences=RestTimes().as_preferences()))
        await clock.planner.replan(person)
    # Five hours of the night had passed: they do not count, the rest of it does.
    assert await clock.deadline() == at(DAY + 5 * HOUR)


async def test_a_person_who_is_erased_has_no_rests():
    clock = Resting(House())
    await clock.begin(nights(), nights())
    for person in clock.ids:
        await clock.persons.erase(person)
    await clock.strike()
    assert await clock.deadline() == at(DAY)


@pytest.mark.parametrize("per_turn", [HOUR, 14 * DAY])
async def test_holidays_of_six_weeks_end_some_day(per_turn):
    long = RestTimes((20, 8), (5, 6, 7), (Holiday(date(2026, 11, 29), date(2026, 12, 31)),))
    clock = Resting(House())
    await clock.begin(long, long, per_turn=per_turn)
    await clock.strike()
    assert not needs_rests((await clock.house.head()).state)
    assert await clock.plans() == 1
