import asyncio

from services.log.event_store.contract import Appended, Conflict, EventStore
from services.log.event_store.redis_store import RedisEventStore
from tests.conformance.journal import Journal
from tests.kit.memory_store import MemoryEventStore


async def test_both_stores_are_event_stores():
    store: EventStore = MemoryEventStore()
    other: type[EventStore] = RedisEventStore
    assert store.shards == 16
    assert other is not None


async def test_tasks_that_append_meet_between_reading_and_writing():
    """A model that never gave way would hide every race of the code that is tested on it."""
    store = MemoryEventStore()
    journals = [Journal() for _ in range(4)]

    async def decide_and_append(journal):
        journal.entries = await store.read("m")
        return await store.append(journal.command())

    answers = await asyncio.gather(*map(decide_and_append, journals))
    assert [type(answer) for answer in answers] == [Appended, Conflict, Conflict, Conflict]


async def test_what_was_read_does_not_change_any_more():
    store, ada = MemoryEventStore(), Journal()
    await ada.write(store)
    read = await store.read("m")
    await ada.write(store)
    assert len(read) == 1


async def test_a_cancelled_waiting_reader_leaves_the_feed_usable():
    store = MemoryEventStore(1)
    waiting = asyncio.create_task(store.feed({0: 0}, 1, 60))
    for _ in range(5):
        await asyncio.sleep(0)
    waiting.cancel()
    await asyncio.wait([waiting])
    await Journal().write(store)
    assert len(await store.feed({0: 0}, 1, 60)) == 1
