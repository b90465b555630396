"""A clock that was set back gives nobody more time than the terms do."""

from domain.entries import decode_envelope
from domain.instants import milliseconds_of
from domain.match.due import bots_to_act
from tests.kit.house import House
from tests.kit.queue import FakeQueue
from tests.unit.workers.test_clock_loop import Tower, timeouts
from workers.clock_loop import ClockLoop
from workers.feed_loop import FeedLoop
from workers.future_matches import FutureMatches

HOUR = 3600


class SetBack(Tower):
    """A clock loop whose clock the test sets back, while time passes as ever."""

    def __init__(self, house: House) -> None:
        self.set_back = 0.0
        super().__init__(house)

    def _loop(self) -> ClockLoop:
        process, clock = self.house.beside(), self.house.clock
        future = FutureMatches(process.store, clock, lambda: clock.seconds + self.set_back)
        return ClockLoop(
            process.store, process.reader, process.service, process.bots, self.queue, clock, None, future
        )

    async def turn_back(self, seconds: float) -> None:
        self.set_back += seconds
        await self.strike(-seconds)

    async def instants(self) -> list[int]:
        return [milliseconds_of(decode_envelope(entry.e).at) for entry in await self.house.store.read("m1")]


async def set_back(per_turn: int = 10, **how) -> SetBack:
    clock = SetBack(await House().begin("lama", 2, per_turn=per_turn, **how))
    await clock.strike()
    return clock


async def test_a_turn_lasts_as_long_as_the_terms_say_though_the_clock_goes_back_an_hour():
    clock = await set_back()
    await clock.turn_back(HOUR)
    await clock.strike(9)
    assert timeouts(await clock.types()) == 0
    await clock.strike(1)
    assert timeouts(await clock.types()) == 1


async def test_every_further_turn_does_too():
    clock = await set_back()
    await clock.turn_back(HOUR)
    for turn in range(1, 4):
        await clock.strike(10)
        assert timeouts(await clock.types()) == turn
        await clock.play()
        await clock.strike()
        assert timeouts(await clock.types()) == turn
    instants = await clock.instants()
    assert instants == sorted(instants)


async def test_a_loop_that_starts_on_a_clock_that_was_set_back_gives_one_turn_at_most():
    clock = await set_back()
    await clock.strike(5)
    clock.set_back += HOUR
    clock.house.clock.advance(-HOUR)
    clock.restart()
    await clock.strike()
    await clock.strike(9)
    assert timeouts(await clock.types()) == 0
    await clock.strike(1)
    assert timeouts(await clock.types()) == 1


async def test_a_clock_that_is_right_again_measures_as_ever():
    clock = await set_back()
    await clock.turn_back(HOUR)
    await clock.strike()
    clock.set_back -= HOUR
    await clock.strike(HOUR)
    await clock.strike(9)
    assert timeouts(await clock.types()) == 0
    await clock.strike(1)
    assert timeouts(await clock.types()) == 1


async def test_a_bot_is_late_after_as_long_as_ever():
    clock = await set_back(bots=1)
    await clock.strike(10)
    before = await clock.types()
    await clock.turn_back(HOUR)
    for _ in range(2):
        await clock.strike(10)
    assert await clock.types() == before
    for _ in range(5):
        await clock.strike(5)
    assert (await clock.types())[len(before)] == "CardPlayed"


async def test_a_bots_turn_is_sent_again_within_a_minute_though_another_clock_was_an_hour_ahead_and_the_job_is_lost():
    """The loops' own clock is right all the time: the API's was wrong for one move."""
    clock = await set_back(bots=1, per_turn=600)
    for _ in range(2):
        await clock.strike()
    lost, sent_again = FakeQueue(), clock.queue
    feed = FeedLoop(clock.house.store, clock.house.beside().reader, lost, clock.house.clock)
    await feed.step(0)
    clock.house.clock.advance(HOUR)
    await clock.play()
    while not bots_to_act((await clock.house.head()).state):
        await clock.house.move()
    clock.house.clock.advance(-HOUR)
    await feed.step(0)
    assert lost.sent
    assert not sent_again.sent
    for _ in range(6):
        await clock.strike(10)
    assert sent_again.sent


async def test_matches_by_a_right_clock_are_looked_at_once_only(monkeypatch):
    clock = await set_back(per_turn=600)
    reads = []
    reading = clock.house.store.due

    async def due(until, count):
        reads.append(until)
        return await reading(until, count)

    monkeypatch.setattr(clock.loop._store, "due", due)
    for _ in range(5):
        await clock.strike(1)
    assert len(reads) <= 6
