"""A cancelled question leaves no reply behind for the next one to read."""

import asyncio

from services.log.event_store.contract import Appended, Duplicate
from tests.conformance.journal import Journal


async def _cancelled(call, turns):
    """Start a call and cancel it after some turns of the loop; tell whether it had ended before."""
    task = asyncio.ensure_future(call)
    for _ in range(turns):
        await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task])
    return not task.cancelled()


async def test_an_append_cancelled_at_any_point_happens_once_or_not_at_all(store, straight):
    ada, other = Journal(), Journal("other")
    await other.write(store, 3)
    ended = 0
    # Where much else goes on, an answer takes many more turns of the loop than here and now.
    for turns in (*range(40), *(40 << doubling for doubling in range(1, 12))):
        append = ada.command(2)
        ended += await _cancelled(store.append(append), turns)

        # The same connections, other questions: each gets its own answer.
        assert (await store.meta("other")).version == 3
        assert await other.matches(store)
        first, last = ada.version + 1, ada.version + 2
        assert await store.append(append) in {Appended(first, last), Duplicate(first, last)}
        ada.take(append)
        assert await ada.matches(straight)
        if ended > 3:
            break
    assert ended > 0


async def test_readers_cancelled_at_any_point_leave_every_connection_usable(store):
    ada = Journal()
    await ada.write(store, 20)
    for turns in range(25):
        await asyncio.gather(
            _cancelled(store.read("m"), turns),
            _cancelled(store.positions(), turns),
            _cancelled(store.feed({0: 0, 1: 0, 2: 0, 3: 0}, 5, 30), turns),
        )
        assert await ada.matches(store)
        assert sum((await store.positions()).values()) == 1
    pool = store._connections._pool
    assert len(pool._in_use_connections) == 1  # the one that all share
    assert not store._connections._places.locked()


async def test_more_callers_than_connections_wait_for_their_turn(store):
    journals = [Journal(f"m{number}") for number in range(150)]
    await asyncio.gather(*(journal.write(store) for journal in journals))
    for journal in journals:
        assert await journal.matches(store)
    assert len(store._connections._pool._available_connections) <= 64
