"""The clock begins a match at which everybody is ready, without the nonces of those who are away."""

import asyncio

from domain.entries import decode_envelope
from domain.match.commands import BeReady, CreateMatch, LeaveSeat, SeatPlan, TakeSeat
from domain.match.decide_gathering import NONCES_SECONDS
from domain.match.events import MatchStarted
from tests.kit.house import House
from tests.kit.queue import FakeQueue
from tests.kit.table import SEED, nonce_hash_of, nonce_of
from workers.clock_loop import ClockLoop


class Tower:
    """A table for two at which both are ready in advance, with a clock loop beside it."""

    def __init__(self, house: House) -> None:
        self.house = house

    def loop(self) -> ClockLoop:
        process = self.house.beside()
        return ClockLoop(
            process.store, process.reader, process.service, process.bots, FakeQueue(), self.house.clock
        )

    async def strike(self, seconds: float) -> int:
        self.house.clock.advance(seconds)
        return await self.loop().step()

    async def beginnings(self) -> list[str]:
        envelopes = [decode_envelope(entry.e) for entry in await self.house.store.read("m1")]
        return [envelope.door for envelope in envelopes if envelope.type == MatchStarted.__name__]


async def sat(start: str = "ready") -> Tower:
    house = House()
    await house.do(CreateMatch("lama", {}, (SeatPlan(), SeatPlan()), "host", SEED, start=start))
    for seat in range(2):
        await house.do(TakeSeat(f"player-{seat}", seat, nonce_hash_of(seat), ready=True))
    return Tower(house)


async def test_after_the_wait_and_not_before():
    tower = await sat()
    assert await tower.strike(NONCES_SECONDS - 0.001) == 0
    assert await tower.beginnings() == []
    assert await tower.strike(0.001) == 1
    assert await tower.beginnings() == ["clock"]
    assert (await tower.house.head()).state.entropy.nonces == ("", "")


async def test_once_though_two_loops_run_and_are_started_anew():
    tower = await sat()
    tower.house.clock.advance(NONCES_SECONDS)
    await asyncio.gather(tower.loop().step(), tower.loop().step())
    await tower.strike(1)
    assert await tower.beginnings() == ["clock"]


async def test_not_where_all_nonces_came_in_time():
    tower = await sat()
    for seat in range(2):
        await tower.house.do(BeReady(seat, nonce_of(seat)))
    await tower.strike(NONCES_SECONDS)
    assert await tower.beginnings() == ["api"]


async def test_not_where_somebody_left():
    tower = await sat()
    await tower.house.do(LeaveSeat(1))
    await tower.strike(NONCES_SECONDS)
    assert await tower.beginnings() == []


async def test_not_where_the_host_starts():
    tower = await sat("host")
    assert await tower.strike(NONCES_SECONDS) == 0
    assert await tower.beginnings() == []
