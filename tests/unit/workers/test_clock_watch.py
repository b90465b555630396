"""A clock that leaps ahead plays nobody's turn."""

import pytest
from fakeredis import FakeAsyncRedis
from structlog.testing import capture_logs

from domain.instants import milliseconds_of
from domain.match.commands import AskToEnd, HandSeatToBot
from domain.match.due import FALLBACK_SECONDS, bots_to_act, deadlines_of
from domain.match.say import REQUEST_SECONDS
from services.log.held_clock import clock_held, say_held
from tests.kit.house import House
from tests.kit.instants import FakeClock
from tests.unit.workers.test_clock_loop import Tower, timeouts
from workers.clock_loop import PARKED_MILLISECONDS, ClockLoop
from workers.clock_watch import LEAP_MILLISECONDS, ClockWatch, elapsed_seconds

DAYS = 2 * 86_400
LITTLE = LEAP_MILLISECONDS / 1000 - 1


class Server(FakeAsyncRedis):
    """The log's server, with a clock of its own."""

    clock: FakeClock
    behind = 0.0

    async def time(self, **_: object) -> tuple[int, int]:
        milliseconds = milliseconds_of(self.clock()) - round(self.behind * 1000)
        return milliseconds // 1000, milliseconds % 1000 * 1000


class Watched(Tower):
    """A clock loop that watches its clock."""

    def __init__(self, house: House, behind: float = 0.0) -> None:
        self.leapt = 0.0
        self.server = Server()
        self.server.clock, self.server.behind = house.clock, behind
        super().__init__(house)

    def _loop(self) -> ClockLoop:
        process, clock = self.house.beside(), self.house.clock
        watch = ClockWatch(clock, self.server, lambda: clock.seconds - self.leapt)
        return ClockLoop(
            process.store, process.reader, process.service, process.bots, self.queue, clock, watch
        )

    async def held(self) -> int:
        """Return by how much the doctor is told that the clock is ahead; 0 for not at all."""
        said = await clock_held(self.server)
        return 0 if said is None else said.ahead

    async def leap(self, seconds: float) -> None:
        """Set the clock ahead (or back), and look once."""
        self.leapt += seconds
        await self.strike(seconds)


async def watched(seats: int = 2, per_turn: int = 60, behind: float = 0.0, bots: int = 0) -> Watched:
    tower = Watched(await House().begin("lama", seats, per_turn=per_turn, bots=bots), behind)
    await tower.strike()
    return tower


async def test_a_clock_two_days_ahead_ends_nobodys_time():
    clock = await watched()
    await clock.leap(DAYS)
    for _ in range(5):
        await clock.strike(1)
    assert timeouts(await clock.types()) == 0
    assert await clock.held() == DAYS * 1000


async def test_time_runs_on_as_if_the_clock_had_not_leapt():
    clock = await watched(per_turn=300)
    await clock.leap(DAYS)
    for _ in range(4):
        await clock.strike(PARKED_MILLISECONDS / 1000)
    assert timeouts(await clock.types()) == 0
    await clock.strike(PARKED_MILLISECONDS / 1000)
    assert timeouts(await clock.types()) == 1


async def test_all_goes_on_when_the_clock_is_right_again():
    clock = await watched(per_turn=300)
    with capture_logs() as told:
        await clock.leap(DAYS)
        await clock.leap(-DAYS)
    assert [line["event"] for line in told] == ["clock_leapt", "clock_agrees_again"]
    assert await clock.held() == 0
    # The due index is right, too.
    position = await clock.house.head()
    assert await clock.house.store.next_due() == milliseconds_of(max(deadlines_of(position.state).values()))
    await clock.strike(299)
    assert timeouts(await clock.types()) == 0
    await clock.strike(1)
    assert timeouts(await clock.types()) == 1


async def test_the_operator_says_that_the_clock_is_right_by_starting_anew():
    clock = await watched()
    await clock.leap(DAYS)
    await say_held(clock.server, None)  # as the loops do when they are stopped
    clock.restart()
    await clock.strike(PARKED_MILLISECONDS / 1000)
    assert timeouts(await clock.types()) == 1


async def test_a_process_that_was_killed_meanwhile_waits_on():
    clock = await watched(per_turn=300)
    await clock.leap(DAYS)
    clock.restart()
    await clock.strike(PARKED_MILLISECONDS / 1000)
    assert timeouts(await clock.types()) == 0
    await clock.strike(240)
    assert timeouts(await clock.types()) == 1


async def test_a_process_that_was_killed_before_its_clock_was_set_right_goes_on():
    clock = await watched(per_turn=300)
    await clock.leap(DAYS)
    clock.restart()
    await clock.leap(-DAYS)
    assert await clock.held() == 0


async def test_a_process_that_starts_with_a_clock_ahead_of_the_stores_waits():
    clock = await watched(per_turn=300, behind=DAYS)
    assert await clock.held() == DAYS * 1000
    await clock.strike(200)
    assert timeouts(await clock.types()) == 0


@pytest.mark.parametrize("step", [LITTLE, -LITTLE, -DAYS])
async def test_a_clock_that_is_set_right_is_no_leap(step):
    clock = await watched(per_turn=86_400)
    with capture_logs() as told:
        await clock.leap(step)
    assert not [line for line in told if line["event"].startswith("clock_")]
    assert await clock.held() == 0


async def test_a_clock_that_ran_behind_and_is_set_right_is_no_leap():
    clock = await watched(per_turn=86_400)
    await clock.leap(-DAYS)
    await clock.strike(1000)
    await clock.leap(DAYS)
    assert await clock.held() == 0


async def test_a_long_sleep_is_no_leap():
    clock = await watched()
    await clock.strike(DAYS)
    assert timeouts(await clock.types()) == 1


async def test_requests_are_held_back_as_well():
    clock = await watched(seats=3, per_turn=0)
    await clock.house.do(AskToEnd(0, "r1"))
    await clock.leap(DAYS)
    assert (await clock.house.head()).state.requests
    assert REQUEST_SECONDS < DAYS


async def test_bots_move_all_the_same():
    clock = await watched(per_turn=60)
    (seat,) = await clock.house.to_act()
    await clock.house.do(HandSeatToBot(seat))
    assert bots_to_act((await clock.house.head()).state)
    before = (await clock.house.head()).version
    await clock.leap(DAYS)
    await clock.strike(FALLBACK_SECONDS)
    assert (await clock.house.head()).version > before


def test_elapsed_time_runs_on():
    begun = elapsed_seconds()
    assert elapsed_seconds() >= begun
