"""How far the feeds had come is noted beside the store, which cannot know that it is older than it was."""

import pytest

from services.log.high_water_mark import HighWaterMarkFile, compared
from services.watch.doctor.feed import judge_high_water_mark
from tests.kit.house import House
from tests.kit.instants import NOON
from workers.high_water_mark_loop import HighWaterMarkLoop


@pytest.fixture
def mark(tmp_path) -> HighWaterMarkFile:
    return HighWaterMarkFile(tmp_path, "unix:///store.sock")


async def noted(house: House, mark: HighWaterMarkFile):
    await HighWaterMarkLoop(house.store, mark, house.clock).step()
    found = mark.read()
    assert found is not None
    return found


async def test_what_grows_is_noted_again(mark):
    house = await House().begin()
    before = await noted(house, mark)
    assert before.positions == await house.store.positions()
    house.clock.advance(5)
    assert await noted(house, mark) == before
    await house.move()
    assert (await noted(house, mark)).positions == await house.store.positions()
    assert compared(before, await house.store.positions(), NOON) is None


async def test_an_older_store_is_noticed_and_stays_noticed_until_the_file_is_removed(mark):
    house = await House().begin()
    await house.move()
    await noted(house, mark)
    older = await House().begin()
    went_back = (await noted(older, mark)).went_back
    assert went_back is not None
    assert went_back.now == went_back.was - 1
    for _ in range(3):
        await older.move()
    assert (await noted(older, mark)).went_back == went_back
    (finding,) = judge_high_water_mark(went_back, str(mark.file))
    assert finding.code == "store.went_back"
    assert str(mark.file) in finding.do
    mark.file.unlink()
    assert (await noted(older, mark)).went_back is None


async def test_another_store_is_no_older_one(mark, tmp_path):
    house = await House().begin()
    await noted(house, mark)
    assert (await noted(House(), HighWaterMarkFile(tmp_path, "redis://other"))).went_back is None


async def test_a_folder_that_cannot_be_written_holds_nobody_up(tmp_path):
    (tmp_path / "file").touch()
    mark = HighWaterMarkFile(tmp_path / "file" / "folder", "unix:///store.sock")
    await HighWaterMarkLoop(House().store, mark, House().clock).step()
    assert mark.read() is None


async def test_a_folder_that_nobody_has_made_is_made(tmp_path):
    await noted(House(), HighWaterMarkFile(tmp_path / "new", "redis://elsewhere"))


async def test_a_damaged_file_is_begun_anew(mark):
    mark.file.write_bytes(b"{")
    assert (await noted(House(), mark)).went_back is None
