"""The feed: dense, ordered, waited for, read at everybody's own pace, and cut behind the slowest."""

import asyncio

import pytest

from services.log.event_store.errors import FeedGap
from services.log.event_store.keys import shard_of
from tests.conformance.journal import Journal


def _matches_in(shard, shards, number):
    """Return ids of matches that live in one shard."""
    return [name for name in (f"m{one}" for one in range(100 * shards)) if shard_of(name, shards) == shard][
        :number
    ]


async def _filled(store, pointers, match="m"):
    ada = Journal(match)
    for _ in range(pointers):
        await ada.write(store)
    return shard_of(match, store.shards)


async def test_nothing_has_happened_yet(store, shards):
    assert store.shards == shards
    assert await store.positions() == dict.fromkeys(range(shards), 0)
    assert await store.feed(dict.fromkeys(range(shards), 0), 10, 0) == []


async def test_only_the_asked_shards_are_read(store, shards):
    for shard in range(shards):
        await _filled(store, 2, _matches_in(shard, shards, 1)[0])
    assert {pointer.shard for pointer in await store.feed({shards - 1: 0}, 10, 0)} == {shards - 1}
    everywhere = await store.feed(dict.fromkeys(range(shards), 0), 10, 0)
    assert [pointer.shard for pointer in everywhere] == sorted(2 * list(range(shards)))
    assert await store.feed({}, 10, 0.01) == []


async def test_reading_goes_on_behind_the_last_position(store):
    shard = await _filled(store, 5)
    assert [one.position for one in await store.feed({shard: 0}, 2, 0)] == [1, 2]
    assert [one.position for one in await store.feed({shard: 2}, 2, 0)] == [3, 4]
    assert [one.position for one in await store.feed({shard: 4}, 2, 0)] == [5]
    assert await store.feed({shard: 5}, 2, 0) == []
    assert (await store.positions())[shard] == 5


async def test_matches_of_one_shard_share_its_positions(store, shards):
    one, other = map(Journal, _matches_in(0, shards, 2))
    for _ in range(3):
        await one.write(store)
        await other.write(store)
    pointers = await store.feed({0: 0}, 10, 0)
    assert [pointer.position for pointer in pointers] == [1, 2, 3, 4, 5, 6]
    assert [pointer.match for pointer in pointers] == [one.match, other.match] * 3


async def test_a_waiting_reader_is_woken_by_the_next_command(open_store, shards):
    reader, writer = await open_store(), await open_store()
    shard = await _filled(writer, 1)
    after = dict.fromkeys(range(shards), 0) | {shard: 1}
    waiting = asyncio.create_task(reader.feed(after, 10, 30))
    # As many turns as it takes to send the question; the answer cannot come before there is news.
    for _ in range(50):
        await asyncio.sleep(0)
    assert not waiting.done()
    await Journal(_matches_in(shard, shards, 1)[0]).write(writer)
    assert [(one.shard, one.position) for one in await waiting] == [(shard, 2)]


async def test_a_reader_waits_no_longer_than_it_said(store, shards):
    assert await store.feed(dict.fromkeys(range(shards), 0), 10, 0.02) == []


async def test_a_waiting_reader_holds_up_nobody(open_store, shards):
    store = await open_store()
    readers = [asyncio.create_task(store.feed(dict.fromkeys(range(shards), 0), 1, 30)) for _ in range(80)]
    await asyncio.sleep(0)
    await _filled(store, 1)
    assert [len(one) for one in await asyncio.gather(*readers)] == [1] * 80


async def test_a_checkpoint_moves_only_from_where_it_is(store):
    assert await store.checkpoint("lobby", 0) is None
    assert not await store.advance("lobby", 0, 0, 1)
    assert await store.advance("lobby", 0, None, 0)
    assert not await store.advance("lobby", 0, None, 5)
    assert await store.checkpoint("lobby", 0) == 0
    assert await store.advance("lobby", 0, 0, 9)
    assert not await store.advance("lobby", 0, 0, 10)
    assert await store.advance("lobby", 0, 9, 10)
    assert await store.checkpoint("lobby", 0) == 10
    assert await store.checkpoint("inbox", 0) is None


async def test_checkpoints_are_kept_by_shard(store, shards):
    assert all([await store.advance("lobby", shard, None, shard) for shard in range(shards)])
    assert [await store.checkpoint("lobby", shard) for shard in range(shards)] == list(range(shards))


async def test_the_feed_is_cut_behind_the_slowest_consumer(store):
    shard = await _filled(store, 6)
    assert await store.trim_feed(shard) == 0
    await store.advance("fast", shard, None, 5)
    await store.advance("slow", shard, None, 2)
    assert await store.trim_feed(shard) == 2
    assert await store.trim_feed(shard) == 0
    assert [one.position for one in await store.feed({shard: 2}, 10, 0)] == [3, 4, 5, 6]
    await store.advance("slow", shard, 2, 6)
    assert await store.trim_feed(shard) == 3
    assert (await store.positions())[shard] == 6


async def test_positions_go_on_when_the_feed_was_cut_to_nothing(store):
    shard = await _filled(store, 3)
    await store.advance("lobby", shard, None, 3)
    assert await store.trim_feed(shard) == 3
    assert (await store.positions())[shard] == 3
    other = next(name for name in (f"x{n}" for n in range(1000)) if shard_of(name, store.shards) == shard)
    await _filled(store, 1, other)
    assert [one.position for one in await store.feed({shard: 3}, 10, 0)] == [4]


async def test_a_reader_that_missed_what_was_cut_is_told(store):
    shard = await _filled(store, 5)
    await store.advance("lobby", shard, None, 3)
    await store.trim_feed(shard)
    with pytest.raises(FeedGap) as told:
        await store.feed({shard: 1}, 10, 0)
    assert (told.value.shard, told.value.expected, told.value.found) == (shard, 2, 4)


async def test_a_checkpoint_ahead_of_the_feed_shows_nothing(store):
    shard = await _filled(store, 2)
    assert await store.feed({shard: 7}, 10, 0) == []
