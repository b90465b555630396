"""Time in which nobody watched the clocks is given back before anything fires."""

import asyncio

import pytest
from fakeredis import FakeAsyncRedis
from structlog.testing import capture_logs

from domain.entries import decode_envelope
from domain.match.clock_events import ClockRested
from domain.match.commands import AskToEnd
from domain.match.due import deadlines_of
from services.errors import StoreUnavailable
from services.log.watched import say_watched, watched_until
from services.matches.outages import LONGEST_GAP_SECONDS, SAY_EVERY_SECONDS, Outages
from tests.kit.house import House
from tests.kit.instants import at
from tests.unit.workers.test_clock_loop import Tower, timeouts
from workers.clock_loop import ClockLoop

HOUR = 3600
DAY = 24 * HOUR
MONTH = 30 * DAY


class Watched(Tower):
    """A clock loop that knows when nobody watched."""

    def __init__(self, house: House) -> None:
        self.redis = FakeAsyncRedis()
        self.back = 0.0
        super().__init__(house)

    def _loop(self) -> ClockLoop:
        process, clock = self.house.beside(), self.house.clock
        self.outages = Outages(
            process.store,
            process.reader,
            process.service,
            self.redis,
            clock,
            lambda: clock.seconds + self.back,
        )
        return ClockLoop(
            process.store,
            process.reader,
            process.service,
            process.bots,
            self.queue,
            clock,
            outages=self.outages,
        )

    async def rise(self, seconds: float) -> None:
        """Start anew after some time in which nothing ran."""
        self.house.clock.advance(seconds)
        self.restart()
        await self.loop.step()

    async def rests(self, match: str = "m1") -> list[str]:
        return [kind for kind in await self.types(match) if kind == ClockRested.__name__]


async def watched(**how) -> Watched:
    clock = Watched(await House().begin("lama", 2, **how))
    await clock.strike()
    return clock


async def test_a_service_that_was_down_for_three_days_starts_without_one_time_out():
    clock = await watched(per_turn=HOUR)
    for _ in range(6):
        await clock.strike(100)
    await clock.rise(3 * DAY)
    assert timeouts(await clock.types()) == 0
    deadlines = deadlines_of((await clock.house.head()).state)
    assert set(deadlines.values()) == {at(HOUR + 3 * DAY)}
    for _ in range(29):
        await clock.strike(100)
    await clock.strike(99)
    assert timeouts(await clock.types()) == 0
    await clock.strike(1)
    assert timeouts(await clock.types()) == 1


async def test_the_log_says_so():
    clock = await watched(per_turn=HOUR)
    await clock.rise(DAY)
    last = decode_envelope((await clock.house.store.read("m1"))[-1].e)
    assert (last.type, last.actor, last.door) == (ClockRested.__name__, "clock", "clock")
    assert bytes(last.data) == f'{{"begins":"{at(0)}","ends":"{at(DAY)}","why":"outage"}}'.encode()
    assert set(last.deadlines.values()) == {at(HOUR + DAY)}


@pytest.mark.parametrize(("seconds", "given"), [(LONGEST_GAP_SECONDS, 0), (LONGEST_GAP_SECONDS + 1, 1)])
async def test_a_restart_is_no_outage(seconds, given):
    clock = await watched(per_turn=HOUR)
    await clock.rise(seconds)
    assert len(await clock.rests()) == given


async def test_a_loop_that_is_watched_gives_nothing_back():
    clock = await watched(per_turn=HOUR)
    for _ in range(20):
        await clock.strike(LONGEST_GAP_SECONDS - 1)
    assert await clock.rests() == []


async def test_a_process_that_was_stopped_gives_back_what_it_slept():
    clock = await watched(per_turn=HOUR)
    await clock.strike(2 * HOUR)
    assert timeouts(await clock.types()) == 0
    assert len(await clock.rests()) == 1


async def test_a_store_that_is_away_is_an_outage_too():
    clock = await watched(per_turn=HOUR)
    clock.house.store.away = True
    for _ in range(3):
        with pytest.raises(StoreUnavailable):
            await clock.strike(HOUR)
    clock.house.store.away = False
    await clock.strike(1)
    assert timeouts(await clock.types()) == 0


async def test_a_store_of_a_month_ago_starts_without_one_time_out():
    clock = await watched(per_turn=HOUR)
    await clock.strike(60)
    month_ago = await watched_until(clock.redis)
    assert month_ago is not None
    version = (await clock.house.head()).version
    await clock.house.move()
    for _ in range(5):
        await clock.strike(100)
    clock.house.store.go_back("m1", version)
    await say_watched(clock.redis, month_ago)
    await clock.rise(MONTH)
    assert timeouts(await clock.types()) == 0
    assert len(await clock.rests()) == 1


async def test_a_store_that_is_put_back_below_a_running_loop_is_noticed():
    clock = await watched(per_turn=HOUR)
    for _ in range(5):
        await clock.strike(SAY_EVERY_SECONDS)
    await say_watched(clock.redis, at(-DAY))
    await clock.strike(SAY_EVERY_SECONDS)
    assert len(await clock.rests()) == 1


async def test_matches_in_which_nobodys_time_runs_are_left_alone():
    clock = await watched(bots=2)
    before = await clock.types()
    clock.house.clock.advance(DAY)
    clock.restart()
    assert await clock.outages.look() == 0
    assert await clock.types() == before


async def test_requests_stay_open_for_as_long_as_ever():
    clock = Watched(await House().begin("lama", 3))
    await clock.strike()
    await clock.house.do(AskToEnd(0, "k1"))
    await clock.strike(HOUR)
    await clock.rise(3 * DAY)
    assert (await clock.house.head()).state.requests


async def test_what_was_not_given_back_yet_is_given_back_at_the_next_look():
    house = House()
    for name in ("a", "b", "c"):
        await house.begin("lama", 2, match=name, per_turn=HOUR)
    clock = Watched(house)
    await clock.strike()
    clock.house.clock.advance(DAY)
    clock.restart()
    house.store.lost_replies = 1
    with capture_logs():
        with pytest.raises(Exception, match="broke"):
            await clock.loop.step()
        await clock.strike(5)
    for name in ("a", "b", "c"):
        assert timeouts(await clock.types(name)) == 0
        state = (await house.head(name)).state
        assert set(deadlines_of(state).values()) <= {at(HOUR + DAY), at(HOUR + DAY + 5)}


async def test_one_match_that_cannot_be_read_does_not_keep_the_others_from_their_time():
    house = House()
    for name in ("a", "b", "c"):
        await house.begin("lama", 2, match=name, per_turn=HOUR)
    clock = Watched(house)
    await clock.strike()
    house.store._matches["b"].entries.clear()
    with capture_logs():
        await clock.rise(DAY)
    assert [len(await clock.rests(name)) for name in ("a", "c")] == [1, 1]


async def test_a_clock_that_is_set_is_no_outage():
    clock = await watched(per_turn=DAY)
    for hours in (-1, 1, 5):
        # The process has been there all the time.
        clock.back -= hours * HOUR
        await clock.strike(hours * HOUR)
        for _ in range(3):
            await clock.strike(SAY_EVERY_SECONDS)
        assert await watched_until(clock.redis) == clock.house.clock()
    assert await clock.rests() == []


async def test_a_clock_that_was_set_back_before_a_start_gives_nothing_back():
    clock = await watched(per_turn=HOUR)
    await clock.rise(-HOUR)
    assert await watched_until(clock.redis) == at(-HOUR)
    assert await clock.rests() == []


async def test_two_loops_give_the_same_time_back_once():
    clock = await watched(per_turn=HOUR)
    other = Watched(clock.house)
    other.redis = clock.redis
    clock.house.clock.advance(DAY)
    clock.restart()
    other.restart()
    await asyncio.gather(clock.loop.step(), other.loop.step())
    assert len(await clock.rests()) == 1
