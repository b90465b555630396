"""One consumer of the feed, in one process or in several: nothing is lost, and no checkpoint moves back."""

import asyncio
from collections.abc import AsyncIterator

import pytest
from structlog.testing import capture_logs

from services.errors import StoreUnavailable
from services.log import subscription as module
from services.log.event_store.contract import EventStore
from services.log.event_store.errors import FeedGap, NotRegistered
from services.log.event_store.keys import shard_of
from services.log.subscription import Batch, StoreWentBack, Subscription
from tests.conformance.backends import Backend, Open, opened
from tests.conformance.journal import Journal

SHARDS = 4
NAME = "bots"


@pytest.fixture(params=[Backend.MEMORY, Backend.FAKEREDIS])
async def open_store(request) -> AsyncIterator[Open]:
    async with opened(request.param, SHARDS, None) as one:
        yield one


@pytest.fixture
async def store(open_store: Open) -> EventStore:
    return await open_store()


@pytest.fixture
async def matches() -> dict[str, Journal]:
    """Matches in several shards."""
    return {name: Journal(name) for name in ("a", "b", "c", "d")}


async def write(store: EventStore, matches: dict[str, Journal], times: int = 1) -> None:
    for _ in range(times):
        for match in matches.values():
            await match.write(store)


async def begun(store: EventStore) -> Subscription:
    """Return a subscription that has read all there is, as after a while."""
    one = Subscription(store, NAME)
    await catch_up(one)
    return one


async def catch_up(one: Subscription) -> list[Batch]:
    """Read to the end; return what was handed out."""
    batches: list[Batch] = []
    while True:
        batch = await one.next(100, 0)
        await one.commit(batch)
        if not batch.pointers and batch.missed is None:
            return batches
        batches.append(batch)


async def checkpoint(store: EventStore) -> dict[int, int | None]:
    return {shard: await store.checkpoint(NAME, shard) for shard in range(SHARDS)}


async def set_checkpoint(store: EventStore, position: int) -> None:
    for shard, known in (await checkpoint(store)).items():
        assert await store.advance(NAME, shard, known, position)


def lengths(batches: list[Batch]) -> list[int]:
    return [len(batch.pointers) for batch in batches]


async def test_the_first_start_begins_at_the_end_and_asks_for_a_look_at_everything(store, matches):
    await write(store, matches, 3)
    batch = await Subscription(store, NAME).next(100, 0)
    assert (batch.pointers, type(batch.missed)) == ((), NotRegistered)
    # Registered before anybody looks, so that what happens meanwhile stays in the feed.
    assert await checkpoint(store) == await store.positions()


async def test_what_is_new_is_handed_out_once(store, matches):
    one = await begun(store)
    await write(store, matches, 2)
    (batch,) = await catch_up(one)
    assert sorted(pointer.match for pointer in batch.pointers) == sorted([*matches, *matches])
    assert await catch_up(one) == []
    assert await checkpoint(store) == await store.positions()


async def test_what_was_not_committed_comes_again(store, matches):
    one = await begun(store)
    await write(store, matches)
    before = await one.next(100, 0)
    assert await one.next(100, 0) == before
    assert lengths(await catch_up(Subscription(store, NAME))) == [len(matches)]


async def test_waiting_ends_with_the_first_news(open_store, matches):
    store, other = await open_store(), await open_store()
    one = await begun(store)
    waiting = asyncio.create_task(one.next(100, 30))
    await asyncio.sleep(0)
    await matches["a"].write(other)
    assert [pointer.match for pointer in (await waiting).pointers] == ["a"]


async def test_a_restart_goes_on_where_the_last_process_stopped(store, matches):
    await begun(store)
    await write(store, matches)
    assert lengths(await catch_up(Subscription(store, NAME))) == [len(matches)]


async def test_what_was_passed_is_trimmed_now_and_then(store, matches, monkeypatch):
    monkeypatch.setattr(module, "TRIM_EVERY", 8)
    one = await begun(store)
    await write(store, matches, 2)
    await catch_up(one)
    assert await store.feed(dict.fromkeys(range(SHARDS), 0), 100, 0) == []


class TestTwoProcesses:
    async def test_share_one_checkpoint_that_reaches_the_end_and_lets_the_feed_be_trimmed(
        self, store, matches
    ):
        both = [await begun(store), await begun(store)]
        for _ in range(5):
            await write(store, matches)
            await asyncio.gather(*(catch_up(one) for one in both))
        heads = await store.positions()
        assert await checkpoint(store) == heads
        assert sum([await store.trim_feed(shard) for shard in heads]) == sum(heads.values())

    async def test_a_refused_advance_is_followed_by_a_look_at_where_the_checkpoint_stands(
        self, store, matches
    ):
        one, other = await begun(store), await begun(store)
        await write(store, matches)
        late = await other.next(100, 0)
        await write(store, matches)
        await catch_up(one)
        await other.commit(late)
        assert await checkpoint(store) == await store.positions()
        await write(store, matches)
        assert lengths(await catch_up(other)) == [len(matches)]
        assert await checkpoint(store) == await store.positions()

    async def test_one_dies_in_the_middle_and_the_other_goes_on(self, store, matches):
        dying, other = await begun(store), await begun(store)
        await write(store, matches)
        assert (await dying.next(100, 0)).pointers
        assert lengths(await catch_up(other)) == [len(matches)]
        await write(store, matches)
        assert lengths(await catch_up(other)) == [len(matches)]
        assert await checkpoint(store) == await store.positions()

    async def test_one_that_fell_behind_the_trimmed_feed_has_missed_nothing(self, store, matches):
        one, other = await begun(store), await begun(store)
        await write(store, matches, 2)
        await catch_up(one)
        for shard in range(SHARDS):
            await store.trim_feed(shard)
        await write(store, matches)
        with capture_logs() as told:
            (batch,) = await catch_up(other)
        assert (len(batch.pointers), batch.missed, told) == (len(matches), None, [])

    async def test_a_restart_while_the_other_goes_on_raises_no_alarm_and_moves_nothing_back(
        self, open_store, matches
    ):
        store, other = await open_store(), await begun(await open_store())

        async def busy() -> None:
            for _ in range(10):
                await write(store, matches)
                await catch_up(other)

        async def restarting() -> None:
            while not working.done():
                before = await checkpoint(store)
                await (one := Subscription(store, NAME)).commit(await one.next(1, 0))
                after = await checkpoint(store)
                assert all((after[shard] or 0) >= (at or 0) for shard, at in before.items())

        with capture_logs() as told:
            working = asyncio.create_task(busy())
            await restarting()
            await working
        assert [line for line in told if line["log_level"] != "debug"] == []
        await catch_up(other)
        assert await checkpoint(store) == await store.positions()

    async def test_heads_that_move_between_two_questions_are_no_alarm(self, store, matches, monkeypatch):
        one = await begun(store)
        ask = store.checkpoint

        async def slow(consumer: str, shard: int) -> int | None:
            if shard == 0:
                # Between any two questions of the one who starts, the other process passes more of the feed.
                await write(store, matches)
                monkeypatch.setattr(store, "checkpoint", ask)
                await catch_up(one)
            found: int | None = await ask(consumer, shard)
            return found

        monkeypatch.setattr(store, "checkpoint", slow)
        with capture_logs() as told:
            batches = await catch_up(Subscription(store, NAME))
        assert all(batch.missed is None for batch in batches)
        assert [line for line in told if line["log_level"] != "debug"] == []
        assert await checkpoint(store) == await store.positions()

    async def test_both_begin_at_once(self, store, matches):
        await write(store, matches)
        both = [Subscription(store, NAME) for _ in range(2)]
        await asyncio.gather(*(catch_up(one) for one in both))
        await write(store, matches)
        for one in both:
            assert lengths(await catch_up(one)) == [len(matches)]
        assert await checkpoint(store) == await store.positions()


class TestAGap:
    @pytest.fixture
    async def gapped(self, store: EventStore, matches: dict[str, Journal]) -> EventStore:
        await begun(store)
        await write(store, matches, 3)
        await set_checkpoint(store, 2)
        for shard in range(SHARDS):
            await store.trim_feed(shard)
        await set_checkpoint(store, 0)
        return store

    async def test_asks_for_a_look_at_everything_and_goes_on_at_the_end(self, gapped):
        with capture_logs() as told:
            (batch,) = await catch_up(Subscription(gapped, NAME))
        assert isinstance(batch.missed, FeedGap)
        assert [(line["event"], line["log_level"]) for line in told] == [("feed_gap", "warning")]
        assert await checkpoint(gapped) == await gapped.positions()

    async def test_is_found_again_by_the_next_process_if_nobody_finished_looking(self, gapped):
        await Subscription(gapped, NAME).next(100, 0)
        batch = await Subscription(gapped, NAME).next(100, 0)
        assert isinstance(batch.missed, FeedGap)

    async def test_behind_a_read_only_checkpoint_is_an_error(self, gapped):
        with pytest.raises(FeedGap):
            await Subscription(gapped, NAME, read_only=True).next(100, 0)
        assert set((await checkpoint(gapped)).values()) == {0}


class TestAStoreThatWentBack:
    async def test_is_told_once_and_followed_from_its_end(self, store, matches):
        await begun(store)
        await write(store, matches)
        await set_checkpoint(store, 99)
        with capture_logs() as told:
            (batch,) = await catch_up(Subscription(store, NAME))
            assert await catch_up(Subscription(store, NAME)) == []
        assert isinstance(batch.missed, StoreWentBack)
        assert [(line["event"], line["log_level"]) for line in told] == [("store_went_back", "critical")]
        assert await checkpoint(store) == await store.positions()

    async def test_is_noticed_by_one_that_was_reading(self, store, matches):
        await begun(store)
        await set_checkpoint(store, 99)
        reading = Subscription(store, NAME)
        reading._positions = dict.fromkeys(range(SHARDS), 99)
        (batch,) = await catch_up(reading)
        assert isinstance(batch.missed, StoreWentBack)
        await write(store, matches)
        assert lengths(await catch_up(reading)) == [len(matches)]

    async def test_before_a_read_only_checkpoint_is_an_error(self, store):
        await begun(store)
        await set_checkpoint(store, 99)
        with pytest.raises(StoreWentBack, match="ends at 0, and was read up to 99"):
            await Subscription(store, NAME, read_only=True).next(100, 0)
        assert set((await checkpoint(store)).values()) == {99}


class TestReadOnly:
    async def test_never_registers(self, store):
        with pytest.raises(NotRegistered):
            await Subscription(store, NAME, read_only=True).next(100, 0)
        assert set((await checkpoint(store)).values()) == {None}

    async def test_hands_out_the_steps_that_somebody_else_stores(self, store, matches):
        await begun(store)
        one = Subscription(store, NAME, read_only=True)
        await write(store, matches)
        batch = await one.next(100, 0)
        assert {(step.shard, step.old, step.new) for step in batch.advances} == {
            (shard, 0, head) for shard, head in (await store.positions()).items() if head
        }
        for step in batch.advances:
            assert await store.advance(NAME, step.shard, step.old, step.new)
        await one.commit(batch)
        assert await catch_up(one) == []


class TestWithoutAStoredCheckpoint:
    async def test_it_begins_at_the_end_and_goes_on_from_there(self, store, matches):
        await write(store, matches)
        one = Subscription(store)
        assert [batch.missed is None for batch in await catch_up(one)] == [False]
        await write(store, matches)
        assert lengths(await catch_up(one)) == [len(matches)]
        assert set((await checkpoint(store)).values()) == {None}

    async def test_whatever_failed_on_the_way_may_have_been_missed(self, store, matches):
        one = Subscription(store)
        await catch_up(one)
        await write(store, matches)
        await one.next(100, 0)
        assert (await one.next(100, 0)).missed is not None

    async def test_it_follows_one_match_with_its_neighbours_only(self, store, matches):
        one = Subscription(store, match="a")
        await catch_up(one)
        await write(store, matches)
        (batch,) = await catch_up(one)
        near = [name for name in matches if shard_of(name, SHARDS) == shard_of("a", SHARDS)]
        assert [pointer.match for pointer in batch.pointers] == near


async def test_a_store_that_is_away_changes_nothing(store, matches, monkeypatch):
    one = await begun(store)
    await write(store, matches)
    feed = store.feed

    async def away(*_: object) -> None:
        raise StoreUnavailable("gone fishing")

    monkeypatch.setattr(store, "feed", away)
    with pytest.raises(StoreUnavailable):
        await one.next(100, 0)
    monkeypatch.setattr(store, "feed", feed)
    assert lengths(await catch_up(one)) == [len(matches)]


async def test_a_checkpoint_whose_reply_was_lost_is_asked_for(store, matches, monkeypatch):
    one = await begun(store)
    await write(store, matches)
    advance = store.advance

    async def lost(*step: object) -> bool:
        await advance(*step)
        raise StoreUnavailable("the reply was lost")

    monkeypatch.setattr(store, "advance", lost)
    batch = await one.next(100, 0)
    with pytest.raises(StoreUnavailable):
        await one.commit(batch)
    monkeypatch.setattr(store, "advance", advance)
    await asyncio.sleep(0)
    assert sum(lengths(await catch_up(one))) <= len(matches)
    assert await checkpoint(store) == await store.positions()


async def test_a_checkpoint_that_a_lost_primary_took_with_it_is_noticed_without_news(
    store, matches, monkeypatch
):
    await write(store, matches)
    one = await begun(store)
    await write(store, matches)
    before = await checkpoint(store)
    await catch_up(one)
    for shard, known in (await checkpoint(store)).items():
        assert await store.advance(NAME, shard, known, before[shard])
    assert await catch_up(one) == []
    monkeypatch.setattr(module, "LOOK_AGAIN_SECONDS", 0.0)
    (batch,) = await catch_up(one)
    assert sorted(pointer.match for pointer in batch.pointers) == sorted(matches)
