"""The clock tells tables that never begin their end, and closes them; also those that were made before it did so."""

import asyncio

import pytest

from domain.entries import decode_envelope
from domain.instants import milliseconds_of
from domain.match.commands import CreateMatch, SeatPlan, TakeSeat
from domain.match.due import due_of
from domain.match.expiry import PATIENCE
from services.log.event_store.contract import Status
from tests.kit.house import House
from tests.kit.queue import FakeQueue
from tests.kit.table import SEED
from workers.clock_loop import ClockLoop
from workers.unscheduled import AT_ONCE, UnscheduledTables

TABLE = CreateMatch("lama", {}, (SeatPlan(), SeatPlan()), "host", SEED)


def loop(house: House) -> ClockLoop:
    process = house.beside()
    return ClockLoop(process.store, process.reader, process.service, process.bots, FakeQueue(), house.clock)


async def waiting() -> House:
    house = House()
    await house.do(TABLE)
    return house


async def types(house: House) -> list[str]:
    return [decode_envelope(entry.e).type for entry in await house.store.read("m1")]


async def test_a_table_is_told_and_then_closed_once_each_whoever_looks():
    house = await waiting()
    for seconds in PATIENCE[0]:
        house.clock.advance(seconds - 0.001)
        assert await loop(house).step() == 0
        house.clock.advance(0.001)
        await asyncio.gather(loop(house).step(), loop(house).step())
        await loop(house).step()
    assert await types(house) == ["MatchCreated", "ExpiryAnnounced", "MatchAbandoned"]
    meta = await house.store.meta("m1")
    assert meta is not None
    assert (meta.status, meta.due) == (Status.CLOSED, None)


async def test_who_comes_in_time_keeps_the_table():
    house = await waiting()
    house.clock.advance(PATIENCE[0].quiet)
    await loop(house).step()
    await house.do(TakeSeat("ann"))
    house.clock.advance(PATIENCE[0].notice)
    assert await loop(house).step() == 0
    assert (await house.head()).state.lifecycle.phase == "gathering"


async def test_a_table_that_was_left_for_years_is_told_before_it_is_closed():
    house = await waiting()
    house.clock.advance(400 * 86_400)
    for _ in range(2):
        await loop(house).step()
    assert (await types(house))[-1] == "ExpiryAnnounced"


@pytest.mark.parametrize("others", [0, AT_ONCE + 5])
async def test_a_table_that_nobody_scheduled_is_found(others):
    house = await waiting()
    await house.store.set_due("m1", 1, None)
    for number in range(others):
        await house.do(TABLE, match=f"other-{number}")
    await house.begin(match="begun")
    unscheduled = UnscheduledTables(house.store, house.reader)
    while await unscheduled.look():
        pass
    assert await house.store.scheduled("m1") == due_of(await house.head()) is not None
    assert await house.store.scheduled("begun") is None
    assert not await unscheduled.look()


async def test_the_loop_looks_for_such_tables_by_itself():
    house = await waiting()
    await house.store.set_due("m1", 1, None)
    await loop(house)._turn()
    assert await house.store.scheduled("m1") == milliseconds_of(house.clock()) + PATIENCE[0].quiet * 1000
