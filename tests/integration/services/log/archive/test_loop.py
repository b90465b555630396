"""The loop that archives what is due and publishes the day's heads, with nobody asking."""

from collections.abc import Callable

import pytest

from services.audit.digests import DigestMaker, Digests
from services.log.archive.archivist import Archivist
from services.log.archive.closed_matches import NAME, ClosedMatches
from services.log.archive.following import ClosedMatchesFollower
from services.log.archive.log_with_archive import LogWithArchive
from services.log.event_store.contract import Status
from tests.kit.instants import FakeClock
from tests.kit.logs import finished, put, running
from workers.archive_loop import ArchiveLoop

DAY = 86_400
GRACE = 7 * DAY

Start = Callable[[], ArchiveLoop]


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def start(house, clock) -> Start:
    """Starts the loop as a process that has just begun."""

    def started() -> ArchiveLoop:
        closed = ClosedMatches(house.client, house.store.shards)
        archivist = Archivist(house.store, house.archive, closed, clock)
        log = LogWithArchive(house.store, house.archive)
        digests = DigestMaker(log, Digests(house.archive.storage), closed, clock)
        return ArchiveLoop(ClosedMatchesFollower(log, closed, archivist), archivist, digests, GRACE)

    return started


async def status(house, match: str) -> Status:
    meta = await house.store.meta(match)
    assert meta is not None
    found: Status = meta.status
    return found


async def test_what_was_closed_before_the_first_start_is_found_and_what_comes_later_too(house, clock, start):
    await put(house.store, "before", finished())
    loop = start()
    assert await loop.step() == 0
    await put(house.store, "after", finished(number=1))
    await put(house.store, "runs", running(), Status.OPEN)
    assert await loop.step() == 0
    assert await house.closed.waiting() == 2
    clock.advance(GRACE + 60)
    assert await loop.step() == 2
    found = {match: await status(house, match) for match in ("before", "after", "runs")}
    assert found == {"before": Status.ARCHIVED, "after": Status.ARCHIVED, "runs": Status.OPEN}


async def test_a_restart_goes_on_where_the_last_process_stopped(house, clock, start):
    await start().step()
    await put(house.store, "m1", finished())
    clock.advance(GRACE + 60)
    assert await start().step() == 1


async def test_a_start_that_was_cut_short_looks_through_all_matches_again(house, clock, start):
    await put(house.store, "m1", finished())
    heads = await house.store.positions()
    for shard, head in heads.items():
        # Registered, and then killed before the matches were looked through.
        await house.store.advance(NAME, shard, None, head)
    clock.advance(GRACE + 60)
    assert await start().step() == 1


async def test_a_feed_that_was_trimmed_past_is_made_good_by_a_look_at_all_matches(house, clock, start):
    loop = start()
    await loop.step()
    await put(house.store, "m1", finished())
    await put(house.store, "m2", finished(number=1))
    for shard, head in (await house.store.positions()).items():
        await house.store.advance(NAME, shard, await house.store.checkpoint(NAME, shard), head)
        await house.store.trim_feed(shard)
        await house.store.advance(NAME, shard, head, 0)
    for number in range(16):
        await put(house.store, f"next-{number}", finished())
    clock.advance(GRACE + 60)
    assert await start().step() == 18


async def test_a_store_that_went_back_is_looked_through(house, clock, start):
    await start().step()
    await put(house.store, "m1", finished())
    for shard, head in (await house.store.positions()).items():
        await house.store.advance(NAME, shard, await house.store.checkpoint(NAME, shard), head + 5)
    clock.advance(GRACE + 60)
    assert await start().step() == 1


async def test_two_loops_side_by_side_keep_one_checkpoint_that_moves_on(house, clock, start):
    loops = start(), start()
    for number in range(4):
        await put(house.store, f"m{number}", finished())
        for loop in loops[:: (-1) ** number]:
            await loop.step()
    heads = await house.store.positions()
    assert {shard: await house.store.checkpoint(NAME, shard) for shard in heads} == heads
    clock.advance(GRACE + 60)
    assert sum([await loop.step() for loop in loops]) == 4


async def test_each_day_on_which_something_moved_has_its_digest(house, clock, start):
    digests = Digests(house.archive.storage)
    await put(house.store, "m1", running(), Status.OPEN)
    loop = start()
    await loop.step()
    await loop.step()
    assert await digests.latest() == 1
    clock.advance(DAY)
    await put(house.store, "m2", finished())
    await loop.step()
    clock.advance(DAY)
    await loop.step()
    assert await digests.latest() == 2
    found = await digests.read(2)
    assert found is not None
    assert [head.match for head in found.heads] == ["m2"]
