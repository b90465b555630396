"""A month of a match of six people in seconds, on one clock that moves when told to: all that a month may bring."""

from datetime import date, timedelta
from random import Random

import msgspec
import pytest
from fakeredis import FakeAsyncRedis
from structlog.testing import capture_logs

from domain.entries import Envelope, decode_envelope
from domain.errors import Refused
from domain.instants import Instant, milliseconds_of
from domain.match.clock import ClockTerms
from domain.match.clock_events import ClockRested, RestsPlanned
from domain.match.commands import (
    AnswerRequest,
    BeReady,
    CreateMatch,
    ReclaimSeat,
    SeatPlan,
    StartMatch,
    TakeSeat,
    UndoMove,
)
from domain.match.events import MoveUndone, SeatHandedToBot, SeatReclaimed, TurnTimedOut
from domain.match.verification import verify
from services.matches.outages import Outages
from services.matches.resting import RestPlanner
from services.people.identity import Holder
from services.people.memberships import Memberships
from services.people.persons import Persons, Wish
from services.people.rest_times import Holiday, RestTimes
from tests.kit.house import House
from tests.kit.instants import NOON
from tests.kit.table import SEED
from tests.unit.workers.test_clock_loop import Tower
from workers.clock_loop import ClockLoop
from workers.future_matches import FutureMatches

MINUTE, HOUR, DAY = 60, 3600, 86_400
PEOPLE = 6
ZONES = ("Europe/Paris", "America/Montreal", "Asia/Tokyo", "Europe/Paris", "UTC", "Pacific/Auckland")

TRAVELLER, ABSENT = 1, 2
"""Who is on holiday for two weeks, and who stays away without a word."""

FIRST_DAY = date(2026, 3, 15)
"""Two weeks before summer time begins in Paris."""

BEGIN = Instant("2026-03-15T12:00:00.000Z")


class Month(Tower):
    """A service that runs for a month, with its clock loop, its knowledge of people, and restarts."""

    def __init__(self, house: House) -> None:
        self.redis = FakeAsyncRedis()
        self.persons, self.memberships = Persons(self.redis), Memberships(self.redis)
        self.elapsed = 0.0
        super().__init__(house)

    def _loop(self) -> ClockLoop:
        process, clock = self.house.beside(), self.house.clock
        self.outages = Outages(
            process.store, process.reader, process.service, self.redis, clock, lambda: self.elapsed
        )
        return ClockLoop(
            process.store,
            process.reader,
            process.service,
            process.bots,
            self.queue,
            clock,
            None,
            FutureMatches(process.store, clock, lambda: self.elapsed),
            self.outages,
            RestPlanner(process.reader, process.service, self.persons, self.memberships, clock),
        )

    async def begin(self, game: str) -> None:
        do = self.house.do
        clock = ClockTerms(DAY, DAY, "stand_in", 2, rests=True)
        plans = (SeatPlan(),) * PEOPLE
        await do(CreateMatch(game, {}, plans, "host", SEED, clock, "consent", start="host"))
        for seat in range(PEOPLE):
            person = await self.persons.create(NOON)
            holidays = (Holiday(FIRST_DAY + timedelta(3), FIRST_DAY + timedelta(16)),)
            times = RestTimes((22, 7), (7,), holidays if seat == TRAVELLER else ())
            wish = Wish(time_zone=ZONES[seat], preferences=times.as_preferences())
            await self.persons.change(person.id, wish)
            await self.memberships.collect(person.id, Holder("m1", f"player-{seat}", "seat"), NOON)
            await do(TakeSeat(f"player-{seat}", seat))
            await do(BeReady(seat))
        await do(StartMatch())

    async def envelopes(self) -> list[Envelope]:
        return [decode_envelope(entry.e) for entry in await self.house.store.read("m1")]


async def month(game: str, monkeypatch: pytest.MonkeyPatch) -> Month:
    monkeypatch.setattr("tests.kit.instants.NOON", BEGIN)
    month = Month(House())
    await month.begin(game)
    return month


async def somebody_moves(month: Month, random: Random, *, absent: bool) -> None:
    """Let those who are to move do so, if it is day where they live and they feel like it."""
    head = await month.house.head()
    for seat in await month.house.to_act():
        held = head.state.seats[seat]
        if held.played_by_bot or (absent and seat == ABSENT) or random.random() < 0.4:
            continue
        now = milliseconds_of(month.house.clock())
        if any(begins <= now < ends for begins, ends in head.state.clock.rests_of(seat)):
            continue
        await month.house.move(seat)
        return


def told_in_time(envelopes: list[Envelope]) -> None:
    """Check that nobody's turn was ended before the deadline that the log had told them last."""
    told: dict[int, Instant] = {}
    for envelope in envelopes:
        if envelope.type == TurnTimedOut.__name__:
            assert envelope.seat is not None
            assert told[envelope.seat] <= envelope.at
        told |= envelope.deadlines


@pytest.mark.parametrize("game", ["lama", "odin", "skyjo"])
async def test_a_month_harms_nobody(game, monkeypatch):
    random, clock = Random(game), await month(game, monkeypatch)
    for day in range(30):
        for _ in range(8):
            if (await clock.house.head()).state.lifecycle.phase == "playing":
                await three_hours(clock)
                await somebody_moves(clock, random, absent=day < 24)
        if day in HAPPENS:
            await HAPPENS[day](clock)
    envelopes = await clock.envelopes()
    types = [envelope.type for envelope in envelopes]
    told_in_time(envelopes)
    # The traveller was never hurried, before, during or after their holiday.
    missed = [one.seat for one in envelopes if one.type == TurnTimedOut.__name__]
    assert TRAVELLER not in missed
    rows = {msgspec.json.decode(one.data)["row"] for one in envelopes if one.type == TurnTimedOut.__name__}
    assert types.count(ClockRested.__name__) == 1
    assert {RestsPlanned.__name__, MoveUndone.__name__} <= {*types}
    # Twice in a row: a bot sat in until they came back.
    assert (SeatReclaimed.__name__ in types) == (SeatHandedToBot.__name__ in types)
    assert (SeatHandedToBot.__name__ in types) == (2 in rows)
    assert verify("m1", await clock.house.store.read("m1"), complete=True, rules=True).good


async def three_hours(month: Month) -> None:
    """Let three hours pass, in steps after which a service that looks no more counts as away."""
    with capture_logs():
        for step in range(100):
            month.elapsed += 108
            month.house.clock.advance(108)
            await (month.outages.look() if step % 10 else month.loop.step())
        await month.play()


async def machine_down(month: Month) -> None:
    """Let nothing run for three days, and another process start then."""
    month.house.clock.advance(3 * DAY)
    month.elapsed += 3 * DAY
    month.restart()
    await month.strike()


async def clock_set_back(month: Month) -> None:
    """Set the machine's clock back by an hour, and right again an hour later."""
    with capture_logs():
        await month.strike(-HOUR)
        for _ in range(40):
            month.elapsed += 90
            await month.strike(90)
        await month.strike(HOUR)


async def come_back(month: Month) -> None:
    """Let the one who was away come back, if a bot plays for them."""
    if (await month.house.head()).state.seats[ABSENT].stand_in:
        await month.house.do(ReclaimSeat(ABSENT))


async def taken_back(month: Month) -> None:
    """Let somebody ask to take a turn back, and all others who are there agree."""
    state = (await month.house.head()).state
    if state.lifecycle.phase != "playing":
        return
    for seat in range(PEOPLE):
        try:
            await month.house.do(UndoMove(seat, "r1"))
        except Refused:
            continue
        break
    for request in (await month.house.head()).state.requests:
        for seat in range(PEOPLE):
            if seat != request.seat and (await month.house.head()).state.requests:
                await month.house.do(AnswerRequest(seat, request.id, agree=True))


HAPPENS = {9: machine_down, 12: clock_set_back, 24: come_back, 26: taken_back}
"""What happens on a day of the month."""
