"""What a worker keeps open, and how long its work may take."""

import asyncio
from collections.abc import Iterator

import pytest

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
