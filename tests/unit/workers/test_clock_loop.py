"""The loop that visits what is due: it needs nobody to watch, and no queue."""

import asyncio
from contextlib import suppress

import msgspec
from structlog.contextvars import merge_contextvars
from structlog.testing import capture_logs

from domain.entries import decode_envelope
from domain.errors import BrokenLog
from domain.instants import milliseconds_of
from domain.match.commands import AbandonMatch, AskToEnd, HandSeatToBot
from domain.match.due import ATTEMPT_SECONDS, FALLBACK_SECONDS, bots_to_act
from domain.match.events import RequestLapsed, TurnTimedOut
from domain.match.say import REQUEST_SECONDS
from services.log.event_store.contract import Status
from services.matches.bots import bot_command_id
from tests.kit.house import House
from tests.kit.instants import at
from tests.kit.queue import FakeQueue
from workers import clock_loop
from workers.clock_loop import PARKED_MILLISECONDS, ClockLoop


class Tower:
    """A service with a clock loop beside it."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.queue = FakeQueue()
        self.loop = self._loop()

    def _loop(self) -> ClockLoop:
        process = self.house.beside()
        return ClockLoop(
            process.store, process.reader, process.service, process.bots, self.queue, self.house.clock
        )

    def restart(self) -> None:
        """Start the loop anew: what it remembered is gone."""
        self.loop = self._loop()

    async def strike(self, seconds: float = 0) -> int:
        """Let time pass and the loop look once."""
        self.house.clock.advance(seconds)
        return await self.loop.step()

    async def play(self, match: str = "m1") -> None:
        """Let the bots' worker do its work."""
        await self.house.bots.play_turns(match, trace="", seconds=60)

    async def types(self, match: str = "m1") -> list[str]:
        return [decode_envelope(entry.e).type for entry in await self.house.store.read(match)]


async def tower(game: str = "lama", seats: int = 2, **how) -> Tower:
    return Tower(await House().begin(game, seats, **how))


def timeouts(types: list[str]) -> int:
    return types.count(TurnTimedOut.__name__)


class TestTimeOuts:
    async def test_fire_when_the_time_is_over_and_not_before(self):
        clock = await tower(per_turn=60)
        assert await clock.strike(59.999) == 0
        assert timeouts(await clock.types()) == 0
        assert await clock.strike(0.001) == 1
        assert timeouts(await clock.types()) == 1

    async def test_fire_once(self):
        clock = await tower(per_turn=60)
        for _ in range(5):
            await clock.strike(60 if not timeouts(await clock.types()) else 0)
        assert timeouts(await clock.types()) == 1

    async def test_fire_once_though_the_loop_is_started_anew_and_two_of_them_run(self):
        clock = await tower(per_turn=60)
        other = Tower(clock.house)
        clock.house.clock.advance(60)
        await asyncio.gather(clock.loop.step(), other.loop.step())
        clock.restart()
        await clock.strike()
        assert timeouts(await clock.types()) == 1

    async def test_fire_after_a_restart_too_however_late(self):
        clock = await tower(per_turn=60)
        clock.house.clock.advance(3600)
        clock.restart()
        await clock.strike()
        assert timeouts(await clock.types()) == 1

    async def test_go_on_from_turn_to_turn_until_the_match_ends(self):
        clock = await tower(per_turn=60, options={"limit": "single"})
        for _ in range(200):
            if (await clock.house.head()).state.lifecycle.phase != "playing":
                break
            await clock.strike(60)
        assert (await clock.house.head()).state.lifecycle.phase == "finished"
        assert await clock.house.store.next_due() is None

    async def test_of_several_seats_at_once_all_fire(self):
        clock = await tower("skyjo", 3, per_turn=60)
        await clock.strike(60)
        assert timeouts(await clock.types()) == 3

    async def test_come_too_late_for_a_move_that_landed_first(self):
        clock = await tower(per_turn=60)
        clock.house.clock.advance(61)
        await clock.loop._reader.head("m1")
        await clock.house.move()
        await clock.strike()
        assert timeouts(await clock.types()) == 0

    async def test_say_who_they_are(self):
        clock = await tower(per_turn=60)
        (seat,) = await clock.house.to_act()
        asked_at = (await clock.house.head()).state.asked_at[seat]
        await clock.strike(60)
        entries = await clock.house.store.read("m1")
        fired = next(
            envelope
            for envelope in map(decode_envelope, (e.e for e in entries))
            if envelope.type == "TurnTimedOut"
        )
        assert (fired.actor, fired.door, fired.seat) == ("clock", "clock", seat)
        assert fired.command.id == f"clock-m1-{asked_at}-{seat}"


class TestLateBots:
    async def test_are_left_to_their_job_for_ten_seconds(self):
        clock = await tower(bots=2)
        assert await clock.strike(ATTEMPT_SECONDS - 0.001) == 0
        assert clock.queue.sent == []

    async def test_are_sent_again_then_with_the_number_of_the_attempt(self):
        clock = await tower(bots=2)
        position = await clock.house.head()
        (seat,) = bots_to_act(position.state)
        stem = bot_command_id("m1", position.state.asked_at[seat], seat)
        await clock.strike(ATTEMPT_SECONDS)
        await clock.strike(ATTEMPT_SECONDS)
        assert [job.job_id for job in clock.queue.sent] == [f"{stem}-1", f"{stem}-2"]

    async def test_are_sent_once_for_each_attempt(self):
        clock = await tower(bots=2)
        await clock.strike(ATTEMPT_SECONDS)
        for _ in range(4):
            await clock.strike(1)
        assert len(clock.queue.sent) == 1

    async def test_are_forced_after_thirty_seconds_and_the_log_says_so(self):
        clock = await tower(bots=2)
        before = await clock.house.head()
        await clock.strike(FALLBACK_SECONDS)
        entries = await clock.house.store.read("m1", after=before.version)
        assert {decode_envelope(entry.e).note for entry in entries} == {"hurried"}
        assert {decode_envelope(entry.e).door for entry in entries} == {"bot"}

    async def test_are_forced_though_the_queue_is_away(self):
        clock = await tower(bots=2)
        clock.queue.away = True
        before = (await clock.house.head()).version
        for _ in range(FALLBACK_SECONDS // ATTEMPT_SECONDS):
            await clock.strike(ATTEMPT_SECONDS)
        assert (await clock.house.head()).version > before

    async def test_never_leave_a_turn_open_for_a_minute_though_no_worker_is_there(self):
        clock = await tower(bots=2, options={"limit": "single"})
        longest, waited, version = 0, 0, 0
        for _ in range(5000):
            if (await clock.house.head()).state.lifecycle.phase != "playing":
                break
            await clock.strike(1)
            now = (await clock.house.head()).version
            waited = waited + 1 if now == version else 0
            version, longest = now, max(longest, waited)
        assert (await clock.house.head()).state.lifecycle.phase == "finished"
        assert longest < 60

    async def test_who_take_over_from_a_slow_person_are_not_late_at_once(self):
        clock = await tower(per_turn=3600)
        (seat,) = await clock.house.to_act()
        clock.house.clock.advance(600)
        await clock.house.do(HandSeatToBot(seat))
        before = (await clock.house.head()).version
        await clock.strike(ATTEMPT_SECONDS)
        assert (await clock.house.head()).version == before
        assert [job.job_id[-2:] for job in clock.queue.sent] == ["-1"]

    async def test_that_moved_in_the_meantime_are_left_alone(self):
        clock = await tower(bots=1)
        while not bots_to_act((await clock.house.head()).state):
            await clock.house.move()
        await clock.house.bots.play_turns("m1", trace="", seconds=60)
        version = (await clock.house.head()).version
        await clock.strike(FALLBACK_SECONDS)
        assert (await clock.house.head()).version == version


class TestRequests:
    async def test_lapse_when_their_time_is_over(self):
        clock = await tower(seats=3)
        await clock.house.do(AskToEnd(0, "k1"))
        await clock.strike(REQUEST_SECONDS - 1)
        assert (await clock.house.head()).state.requests
        await clock.strike(1)
        assert (await clock.types())[-1] == RequestLapsed.__name__
        assert await clock.strike(1) == 0


class TestDue:
    async def test_nothing_is_visited_that_is_not_due(self):
        clock = await tower()
        assert await clock.strike(10**6) == 0

    async def test_the_next_instant_follows_from_the_state(self):
        clock = await tower(per_turn=60)
        await clock.strike(60)
        assert await clock.house.store.next_due() == milliseconds_of(at(60 + ATTEMPT_SECONDS))
        await clock.play()
        assert await clock.house.store.next_due() == milliseconds_of(at(120))

    async def test_a_match_that_is_over_is_not_visited_again(self):
        clock = await tower(per_turn=60)
        await clock.house.do(AbandonMatch("tired"))
        assert await clock.strike(60) == 0

    async def test_one_that_cannot_be_read_is_parked_and_the_others_go_on(self):
        house = House()
        for name in ("a", "b", "c"):
            await house.begin("lama", 2, match=name, per_turn=60)
        clock = Tower(house)
        entries = house.store._matches["b"].entries
        entries[0] = msgspec.structs.replace(entries[0], e=b"no JSON at all")
        assert await clock.strike(60) == 3
        assert timeouts(await clock.types("a")) == timeouts(await clock.types("c")) == 1
        assert (await house.store.meta("b")).due == milliseconds_of(at(60)) + PARKED_MILLISECONDS  # type: ignore[union-attr]

    async def test_one_whose_record_cannot_be_read_either_is_left_alone_and_the_others_go_on(
        self, monkeypatch
    ):
        house = House()
        for name in ("a", "b", "c"):
            await house.begin("lama", 2, match=name, per_turn=60)
        clock = Tower(house)
        entries, meta, asked = house.store._matches["b"].entries, house.store.meta, []
        entries[0] = msgspec.structs.replace(entries[0], e=b"no JSON at all")

        async def unreadable(match):
            if match != "b":
                return await meta(match)
            asked.append(match)
            raise BrokenLog("meta.unreadable", 1, "spoilt")

        monkeypatch.setattr(house.store, "meta", unreadable)
        for seconds in (60, 1, 1):
            await clock.strike(seconds)
        assert timeouts(await clock.types("a")) == timeouts(await clock.types("c")) == 1
        assert len(asked) == 1
        await clock.strike(PARKED_MILLISECONDS // 1000)
        assert len(asked) == 2

    async def test_one_whose_events_are_gone_is_not_due_any_more(self):
        clock = await tower(per_turn=60)
        clock.house.store._matches["m1"].entries.clear()
        assert await clock.strike(60) == 1
        meta = await clock.house.store.meta("m1")
        assert meta is not None
        assert (meta.status, meta.due) == (Status.OPEN, None)

    async def test_a_due_instant_that_was_lost_comes_back_with_the_next_command(self):
        clock = await tower(per_turn=60)
        version = (await clock.house.head()).version
        await clock.house.store.set_due("m1", version, None)
        assert await clock.strike(60) == 0
        await clock.house.move()
        assert await clock.house.store.next_due() is not None

    async def test_the_loop_sleeps_until_the_next_instant_but_never_long(self):
        clock = await tower(per_turn=60)
        assert await clock.loop._pause() == clock_loop.LONGEST_SLEEP_SECONDS
        clock.house.clock.advance(59.5)
        assert 0.4 < await clock.loop._pause() <= 0.5
        clock.house.clock.advance(5)
        assert await clock.loop._pause() == 0.01


class TestTraces:
    async def test_what_the_clock_tells_and_does_bears_the_id_of_the_request_before(self):
        clock = await tower("lama", 2, bots=2)
        with capture_logs(processors=[merge_contextvars]) as told:
            await clock.strike(ATTEMPT_SECONDS)
        late = [line for line in told if line["event"] == "bot_is_late"]
        assert [line["correlation"] for line in late] == ["t1"]
        assert clock.queue.sent[0].trace == "t1"
        timed = await tower(per_turn=60)
        await timed.strike(61)
        last = (await timed.house.store.read("m1"))[-1]
        assert decode_envelope(last.e).trace == "t1"


class TestRunning:
    async def test_it_goes_on_when_the_store_was_away(self, monkeypatch):
        monkeypatch.setattr(clock_loop, "RETRY_SECONDS", 0.01)
        monkeypatch.setattr(clock_loop, "LONGEST_SLEEP_SECONDS", 0.01)
        clock = await tower(per_turn=60)
        clock.house.store.away = True
        task = asyncio.create_task(clock.loop.run())
        try:
            await asyncio.sleep(0.05)
            clock.house.store.away = False
            clock.house.clock.advance(60)
            async with asyncio.timeout(30):
                while not timeouts(await clock.types()):
                    await asyncio.sleep(0.005)
        finally:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def test_a_lost_reply_is_no_second_time_out(self):
        clock = await tower(per_turn=60)
        clock.house.clock.advance(60)
        clock.house.store.lost_replies = 1
        with suppress(Exception):
            await clock.loop.step()
        await clock.loop.step()
        assert timeouts(await clock.types()) == 1
