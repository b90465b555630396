"""The loop that follows the feed: one job for each turn that leaves a bot to act."""

import asyncio
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import msgspec
import pytest

from domain.match.commands import AbandonMatch, CreateMatch, HandSeatToBot, SeatPlan
from domain.match.due import bots_to_act
from services.log import subscription
from services.matches.bots import bot_command_id
from tests.kit.house import House
from tests.kit.queue import FakeQueue
from tests.kit.table import SEED
from workers import feed_loop
from workers.feed_loop import CONSUMER, FeedLoop


class Post:
    """A service with a feed loop beside it."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.queue = FakeQueue()
        self.loop = FeedLoop(house.store, house.beside().reader, self.queue, house.clock)

    async def register(self) -> "Post":
        await self.loop.step(0)
        return self

    async def follow(self) -> int:
        return await self.loop.step(0)

    def beside(self) -> "Post":
        return Post(self.house)


async def post(**how) -> Post:
    """Return a loop that begins before a match of one person and bots does."""
    post = await Post(House()).register()
    await post.house.begin(**{"game": "lama", "seats": 3, "bots": 2, **how})
    return post


async def to_person(house: House) -> None:
    while bots_to_act((await house.head()).state):
        position = await house.head()
        await house.bots.play_turn(position, bots_to_act(position.state)[0], trace="t")


async def to_bot(house: House) -> None:
    """Let people move until a bot is asked."""
    while not bots_to_act((await house.head()).state):
        await house.move()


@asynccontextmanager
async def running(loop: FeedLoop) -> AsyncIterator[None]:
    task = asyncio.create_task(loop.run())
    try:
        yield
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


async def until(condition) -> None:
    async with asyncio.timeout(30):
        while not condition():
            await asyncio.sleep(0.005)


async def test_a_move_that_leaves_a_bot_to_act_sends_one_job():
    mail = await post()
    await to_bot(mail.house)
    await mail.follow()
    position = await mail.house.head()
    seat = bots_to_act(position.state)[0]
    (job,) = mail.queue.sent
    assert job.job_id == f"{bot_command_id('m1', position.state.asked_at[seat], seat)}-0"
    assert (job.match, job.trace) == ("m1", "t1")


async def test_a_move_that_leaves_a_person_to_act_sends_none():
    mail = await post(bots=0)
    await mail.house.move()
    assert await mail.follow() > 0
    assert mail.queue.sent == []


async def test_a_table_that_gathers_sends_none():
    mail = await Post(House()).register()
    await mail.house.do(CreateMatch("lama", {}, (SeatPlan(), SeatPlan("steady")), "host", SEED))
    assert await mail.follow() == 1
    assert mail.queue.sent == []


async def test_bots_own_moves_send_none_for_the_job_that_made_them_plays_on():
    mail = await post(bots=3)
    await mail.follow()
    sent = len(mail.queue.sent)
    position = await mail.house.head()
    await mail.house.bots.play_turn(position, bots_to_act(position.state)[0], trace="t")
    assert bots_to_act((await mail.house.head()).state)
    assert await mail.follow() == 1
    assert len(mail.queue.sent) == sent == 1


async def test_handing_ones_seat_to_a_bot_in_ones_turn_sends_a_job():
    mail = await post(bots=0)
    (seat,) = await mail.house.to_act()
    await mail.house.do(HandSeatToBot(seat))
    await mail.follow()
    assert mail.queue.matches == ["m1"]


async def test_of_several_commands_only_the_last_counts():
    mail = await post(bots=0)
    (seat,) = await mail.house.to_act()
    await mail.house.do(HandSeatToBot(seat))
    await mail.house.do(AbandonMatch("tired"))
    await mail.follow()
    assert mail.queue.sent == []


async def test_the_same_turn_is_sent_once_though_two_loops_follow_the_feed():
    mail = await post()
    other = await mail.beside().register()
    other.queue = mail.queue
    other.loop._queue = mail.queue
    await to_bot(mail.house)
    await mail.follow()
    await other.follow()
    assert len(mail.queue.sent) == 1


async def test_each_match_of_a_batch_is_looked_at():
    mail = await Post(House()).register()
    for name in ("a", "b", "c", "d"):
        await mail.house.begin("lama", 2, match=name, bots=2)
    await mail.follow()
    assert sorted(mail.queue.matches) == ["a", "b", "c", "d"]


async def test_one_match_that_cannot_be_read_does_not_stop_the_others():
    mail = await Post(House()).register()
    for name in ("a", "b", "c"):
        await mail.house.begin("lama", 2, match=name, bots=2)
    entries = mail.house.store._matches["b"].entries
    entries[0] = msgspec.structs.replace(entries[0], e=b"no JSON at all")
    await mail.follow()
    assert sorted(mail.queue.matches) == ["a", "c"]
    assert await mail.follow() == 0


async def test_a_match_that_has_left_the_store_is_passed_over():
    mail = await post()
    outcome = await mail.house.do(AbandonMatch("tired"))
    await mail.house.store.write_tombstone("m1", outcome.position.head)
    assert await mail.follow() > 0
    assert mail.queue.sent == []


class TestCheckpoints:
    async def test_a_new_consumer_begins_at_the_present_head(self):
        house = await House().begin("lama", 2, bots=2)
        mail = await Post(house).register()
        assert await mail.follow() == 0
        heads = await house.store.positions()
        assert {shard: await house.store.checkpoint(CONSUMER, shard) for shard in heads} == heads

    async def test_what_was_followed_is_not_followed_again_after_a_restart(self):
        mail = await post()
        await to_bot(mail.house)
        assert await mail.follow() > 0
        again = await mail.beside().register()
        assert await again.follow() == 0

    async def test_what_happened_while_nobody_followed_is_followed_later(self):
        mail = await post()
        await mail.follow()
        await to_bot(mail.house)
        assert await mail.beside().follow() > 0

    async def test_a_checkpoint_that_another_process_moved_and_then_left_moves_on(self):
        mail = await post(bots=0)
        other = await mail.beside().register()
        await mail.follow()
        await mail.house.move()
        # The other one comes by only now: what it knows of the checkpoint is old.
        await other.follow()
        for _ in range(2):
            await mail.house.move()
            await other.follow()
        heads = await mail.house.store.positions()
        assert {shard: await mail.house.store.checkpoint(CONSUMER, shard) for shard in heads} == heads

    async def test_a_feed_that_is_shorter_than_what_was_read_of_it_is_followed_from_its_head(self):
        mail = await post()
        store = mail.house.store
        for shard in await store.positions():
            known = await store.checkpoint(CONSUMER, shard)
            await store.advance(CONSUMER, shard, known, 99)
        await mail.beside().register()
        heads = await store.positions()
        assert {shard: await store.checkpoint(CONSUMER, shard) for shard in heads} == heads
        await to_bot(mail.house)
        await mail.follow()
        assert mail.queue.matches == ["m1"]

    async def test_what_all_have_passed_is_trimmed_now_and_then(self, monkeypatch):
        monkeypatch.setattr(subscription, "TRIM_EVERY", 5)
        mail = await post(bots=0)
        for _ in range(6):
            await mail.house.move()
            await mail.follow()
        kept = sum(len(shard.feed) for shard in mail.house.store._shards)
        assert kept < sum((await mail.house.store.positions()).values())


class TestRunning:
    async def test_bots_that_were_asked_before_the_loop_was_there_get_their_job(self):
        house = await House().begin("lama", 2, bots=2)
        mail = Post(house)
        async with running(mail.loop):
            await until(lambda: mail.queue.sent)
        assert mail.queue.matches == ["m1"]

    async def test_it_goes_on_when_the_store_was_away(self, monkeypatch):
        monkeypatch.setattr(feed_loop, "RETRY_SECONDS", 0.01)
        monkeypatch.setattr(feed_loop, "BLOCK_SECONDS", 0.02)
        mail = await post()
        async with running(mail.loop):
            mail.house.store.away = True
            await asyncio.sleep(0.1)
            mail.house.store.away = False
            await to_bot(mail.house)
            await until(lambda: mail.queue.sent)

    async def test_jobs_that_the_queue_did_not_take_are_sent_when_it_is_back(self, monkeypatch):
        monkeypatch.setattr(feed_loop, "LOOK_AFTER_QUEUE_SECONDS", 0.0)
        monkeypatch.setattr(feed_loop, "BLOCK_SECONDS", 0.02)
        mail = await post()
        mail.queue.away = True
        async with running(mail.loop):
            await to_bot(mail.house)
            await asyncio.sleep(0.1)
            assert mail.queue.sent == []
            mail.queue.away = False
            await until(lambda: mail.queue.sent)

    async def test_jobs_that_the_queue_has_lost_are_sent_again(self, monkeypatch):
        monkeypatch.setattr(feed_loop, "LOOK_AFTER_QUEUE_SECONDS", 0.0)
        monkeypatch.setattr(feed_loop, "BLOCK_SECONDS", 0.02)
        mail = await post()
        async with running(mail.loop):
            await to_bot(mail.house)
            await until(lambda: mail.queue.sent)
            mail.queue.sent.clear()
            mail.queue.emptied = True
            await until(lambda: mail.queue.sent)

    async def test_one_of_several_servers_that_is_silent_holds_up_no_other(self, monkeypatch):
        monkeypatch.setattr(feed_loop, "LOOK_AFTER_QUEUE_SECONDS", 0.0)
        monkeypatch.setattr(feed_loop, "BLOCK_SECONDS", 0.02)
        mail, answers, asked = await post(), threading.Event(), threading.Event()

        def was_emptied() -> bool:
            asked.set()
            return not answers.wait(30)

        monkeypatch.setattr(mail.queue, "was_emptied", was_emptied)
        try:
            async with running(mail.loop):
                await until(asked.is_set)
                await to_bot(mail.house)
                await until(lambda: mail.queue.sent)
        finally:
            answers.set()


@pytest.mark.parametrize("seats", [2, 4])
async def test_simultaneous_bots_are_played_by_one_job(seats):
    mail = await post(game="skyjo", seats=seats, bots=seats)
    await mail.follow()
    assert len(mail.queue.sent) == 1
