"""What a worker keeps open, and how long its work may take."""

import asyncio
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from typing import Any

import pytest

from services.errors import OutcomeUnknown, StoreUnavailable
from services.matches.hands import HANDS
from services.matches.time_limit import TookTooLong, at_most
from workers import open_house
from workers.open_house import OpenHouse


@pytest.fixture(params=["stays", "opens anew"])
def house(request: pytest.FixtureRequest) -> Iterator[OpenHouse]:
    house = OpenHouse()
    house.stays = request.param == "stays"
    yield house
    house.close()


async def _answer() -> int:
    await asyncio.sleep(0)
    return 42


def test_work_that_waits_for_ever_is_ended_and_the_next_one_is_done(house: OpenHouse) -> None:
    with pytest.raises(TimeoutError):
        house.run(asyncio.Event().wait(), 0)
    assert house.run(_answer(), 30) == 42


def test_what_is_opened_on_the_loop_is_there_for_the_next_job(house: OpenHouse) -> None:
    async def loop() -> asyncio.AbstractEventLoop:
        return asyncio.get_running_loop()

    assert (house.run(loop(), 30) is house.run(loop(), 30)) == house.stays


class Table:
    """Work that thinks, waits for its time, and then moves."""

    def __init__(self, house: OpenHouse, *failures: Exception) -> None:
        self.house = house
        self.time_has_come = threading.Event()
        self.thought_in: list[threading.Thread] = []
        self.moves = 0
        self.failures = list(failures)

    def think(self) -> int:
        self.thought_in.append(threading.current_thread())
        return 7

    async def play(self) -> int:
        hands = HANDS.get()
        assert await hands.think(self.think) == 7
        await hands.wait(0)
        while not self.time_has_come.is_set():
            await asyncio.sleep(0.001)
        return await hands.carry_out(self.move)

    async def move(self) -> int:
        if self.failures:
            raise self.failures.pop()
        self.moves += 1
        return self.moves


@pytest.fixture
def staying() -> Iterator[OpenHouse]:
    house = OpenHouse()
    house.stays = True
    yield house
    house.close()


def test_while_a_move_waits_for_its_time_the_next_table_is_thought_about(staying: OpenHouse) -> None:
    first, second = Table(staying), Table(staying)
    assert staying.run(first.play(), 30) is None
    assert staying.run(second.play(), 30) is None
    assert staying.run(_answer(), 30) == 42
    assert (first.moves, second.moves) == (0, 0)
    # Where thinking can be interrupted.
    assert first.thought_in == second.thought_in == [threading.main_thread()]
    second.time_has_come.set()
    until(lambda: second.moves)
    assert first.moves == 0
    first.time_has_come.set()
    until(lambda: first.moves)


def test_a_worker_that_ends_makes_the_moves_that_wait() -> None:
    house = OpenHouse()
    house.stays = True
    table = Table(house)
    house.run(table.play(), 30)
    table.time_has_come.set()
    house.close()
    assert table.moves == 1


def test_a_move_whose_log_is_away_for_a_moment_is_not_thought_about_again(
    staying: OpenHouse, monkeypatch
) -> None:
    monkeypatch.setattr(open_house, "_AGAIN_SECONDS", 0.001)
    table = Table(staying, StoreUnavailable("away"), OutcomeUnknown("who knows"))
    table.time_has_come.set()
    staying.run(table.play(), 30)
    until(lambda: table.moves)
    assert (table.moves, len(table.thought_in)) == (1, 1)


def test_what_a_thought_raises_is_the_works_own(staying: OpenHouse) -> None:
    async def caught() -> str:
        try:
            await HANDS.get().think(lambda: 1 // 0)
        except ZeroDivisionError:
            return "caught"
        return "not raised"

    def too_long() -> None:
        with at_most(0.02):
            while True:
                pass

    assert staying.run(caught(), 30) == "caught"
    with pytest.raises(TookTooLong):
        staying.run(think_about(too_long), 30)


async def think_about(thought: Callable[[], None]) -> None:
    await HANDS.get().think(thought)


def test_trouble_at_one_table_takes_the_parts_from_no_other(staying: OpenHouse) -> None:
    opened: list[str] = []

    @asynccontextmanager
    async def opening() -> AsyncIterator[Any]:
        opened.append("open")
        try:
            yield f"parts {len(opened)}"
        finally:
            opened.append("closed")

    table, used = Table(staying), list[object]()

    async def play() -> None:
        async with staying.parts(opening) as parts:
            await table.play()
            used.append((parts, list(opened)))

    async def trouble() -> None:
        async with staying.parts(opening):
            raise StoreUnavailable("away")

    async def look() -> object:
        async with staying.parts(opening) as parts:
            return parts

    staying.run(play(), 30)
    with pytest.raises(StoreUnavailable):
        staying.run(trouble(), 30)
    assert staying.run(look(), 30) == "parts 2"
    table.time_has_come.set()
    until(lambda: used)
    assert used == [("parts 1", ["open", "open"])]
    until(lambda: "closed" in opened)


def until(true: Callable[[], object]) -> None:
    end = time.monotonic() + 5
    while not true():
        assert time.monotonic() < end
        time.sleep(0.001)
