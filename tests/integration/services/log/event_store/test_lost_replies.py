"""Replies that get lost: an append is then resolved, or its outcome is said to be unknown. It never happens twice."""

import asyncio
import contextlib
import os
import signal
from collections.abc import Iterator

import pytest

from services.errors import OutcomeUnknown, StoreUnavailable
from services.log.event_store.connections import Connections
from services.log.event_store.contract import Answer, Append, Appended, Conflict, Duplicate
from services.log.event_store.patience import Patience
from services.log.event_store.redis_store import RedisEventStore
from tests.conformance.journal import Journal
from tests.integration.services.log.event_store.faulty_line import Fault

HASTY = Patience(connect=20, reply=0.1, resolve=0.05)
TENACIOUS = Patience(connect=20, reply=0.1, resolve=20)


def _points(length: int, step: int) -> Iterator[int]:
    yield from range(0, length, step)
    yield length


def _request_length(store: RedisEventStore, append: Append) -> int:
    """Return about how many bytes the append takes on the line; never less."""
    keys, arguments = store._append_call(append)
    return sum(len(str(part)) + 12 for part in keys) + sum(
        len(bytes(str(part), "utf-8")) + 12 for part in arguments
    )


@contextlib.contextmanager
def _patience(store: RedisEventStore, patience: Patience) -> Iterator[None]:
    """Let a store wait for as long as this; what it waits for never comes."""
    usual, store._connections.patience = store._connections.patience, patience
    yield
    store._connections.patience = usual


async def _noticed(store: RedisEventStore) -> None:
    """Wait until the store's connections know that they were closed."""
    assert isinstance(store._connections, Connections)
    shared = store._connections._sharing.connection
    assert shared is not None
    while shared.is_open:
        await asyncio.sleep(0.001)
    for connection in store._connections._pool._available_connections:
        reader = connection._reader
        assert reader is None or await reader.read() == b""


async def _once(straight: RedisEventStore, journal: Journal, append: Append) -> None:
    """Check that the append is in the log exactly once, and move on."""
    journal.take(append)
    assert await journal.matches(straight)


@pytest.mark.parametrize("direction", ["forwarded", "returned"])
async def test_a_line_cut_at_any_point_is_resolved_at_once(line, store, straight, direction):
    ada = Journal()
    await ada.write(store, 2, due=5)
    length, step = (_request_length(store, ada.command(2)), 9) if direction == "forwarded" else (29, 1)
    for point in _points(length, step):
        append = ada.command(2, due=point)
        line.fail(Fault(forwarded=point) if direction == "forwarded" else Fault(returned=point))
        answer = await store.append(append)
        line.heal()
        if direction == "returned" and point < 20:
            assert answer == Duplicate(ada.version + 1, ada.version + 2)
        assert answer in _success(ada, 2)
        await _once(straight, ada, append)
    assert line.cuts > 20


@pytest.mark.parametrize(
    ("fault", "stored"),
    [
        ({"forwarded": 0}, False),
        ({"forwarded": 100}, False),
        ({"returned": 0}, True),
        ({"returned": 5}, True),
        ({"forwarded": 0, "silent": True}, False),
        ({"returned": 0, "silent": True}, True),
    ],
)
async def test_while_every_reply_is_lost_the_outcome_is_unknown(line, store, straight, fault, stored):
    ada = Journal()
    await ada.write(store, 2)
    append = ada.command(2)

    line.fail(Fault(**fault, again=True))
    with _patience(store, HASTY), pytest.raises(OutcomeUnknown):
        await store.append(append)
    assert (await straight.meta("m")).version == (4 if stored else 2)

    line.heal()
    expected = Duplicate if stored else Appended
    assert await store.append(append) == expected(3, 4)
    await _once(straight, ada, append)


async def test_a_first_sending_that_arrives_after_the_second_has_no_effect(line, store, straight):
    ada = Journal()
    await ada.write(store)
    append = ada.command(2)

    held = line.hold()
    with _patience(store, TENACIOUS):
        assert await store.append(append) == Appended(2, 3)
    ada.take(append)
    await ada.write(straight)
    held.released.set()
    await held.delivered.wait()

    assert await store.append(append) == Duplicate(2, 3)
    assert await ada.matches(straight)


async def test_a_first_sending_that_arrives_after_a_conflict_has_no_effect(line, store, straight):
    ada = Journal()
    await ada.write(store)
    append = ada.command(2, actor="p_slow")

    first, second = line.hold(), line.hold()
    with _patience(store, TENACIOUS):
        sending = asyncio.create_task(store.append(append))
        await second.arrived.wait()
        await ada.write(straight)
        second.released.set()
        assert await sending == Conflict(2, ada.head)
    first.released.set()
    await first.delivered.wait()

    assert await ada.matches(straight)


async def test_what_never_left_is_unavailable_and_not_unknown(line, store, straight):
    ada = Journal()
    await ada.write(store)
    await line.close()
    await _noticed(store)
    append = ada.command()
    for call in (
        lambda: store.append(append),
        lambda: store.read("m"),
        lambda: store.meta("m"),
        lambda: store.command("m", "p", "c"),
        lambda: anext(store.matches()),
        lambda: store.feed({0: 0}, 1, 0.01),
        store.positions,
        lambda: store.checkpoint("lobby", 0),
        lambda: store.advance("lobby", 0, None, 0),
        lambda: store.trim_feed(0),
        lambda: store.due(1, 1),
        lambda: store.set_due("m", 1, 1),
        lambda: store.scheduled("m"),
        store.next_due,
        lambda: store.record_refusal("m", b"{}"),
        lambda: store.refusals("m"),
        lambda: store.write_tombstone("m", ada.head),
        lambda: RedisEventStore.open(line.url),
    ):
        with pytest.raises(StoreUnavailable):
            await call()
    assert await ada.matches(straight)
    await line.listen_again()
    assert await store.append(append) == Appended(2, 2)


async def test_a_read_goes_over_a_new_connection_when_the_old_one_is_dead(line, store):
    ada = Journal()
    await ada.write(store, 3)
    for point in range(0, 60, 4):
        line.fail(Fault(returned=point))
        assert await ada.matches(store)
    assert line.cuts > 10


async def test_a_frozen_server_leaves_the_outcome_unknown_and_the_answer_to_the_next_sending(
    server, store, straight
):
    ada = Journal()
    await ada.write(store)
    append = ada.command()
    os.kill(server.pid, signal.SIGSTOP)
    try:
        with _patience(store, HASTY):
            with pytest.raises(OutcomeUnknown):
                await store.append(append)
            with pytest.raises(StoreUnavailable):
                await store.meta("m")
    finally:
        os.kill(server.pid, signal.SIGCONT)
    assert await straight.append(append) == Duplicate(2, 2)
    await _once(straight, ada, append)


async def test_no_acknowledged_command_is_lost_or_doubled_when_the_server_is_killed(server, straight):
    store = await RedisEventStore.open(server.url(), None, Patience(connect=20, reply=20, resolve=0.02))
    journals = [Journal(f"m{number}") for number in range(6)]
    acknowledged, stop = asyncio.Event(), asyncio.Event()

    async def play(journal: Journal) -> None:
        while not stop.is_set():
            append = journal.command(2)
            assert await _sent_until_answered(store, append) in _success(journal, 2)
            journal.take(append)
            acknowledged.set()

    async def kill_three_times() -> None:
        for _ in range(3):
            enough = sum(journal.version for journal in journals) + 60
            while sum(journal.version for journal in journals) < enough:
                acknowledged.clear()
                await acknowledged.wait()
            server.kill()
            # So that some find the server gone before they have sent anything.
            await asyncio.sleep(0.03)
            await asyncio.to_thread(server.start)
        stop.set()

    await asyncio.gather(kill_three_times(), *map(play, journals))
    for journal in journals:
        assert await journal.matches(straight)
    await store.close()


async def _sent_until_answered(store: RedisEventStore, append: Append) -> Answer:
    while True:
        try:
            return await store.append(append)
        except (OutcomeUnknown, StoreUnavailable):
            await asyncio.sleep(0.005)


def _success(journal: Journal, events: int) -> set[Answer]:
    first, last = journal.version + 1, journal.version + events
    return {Appended(first, last), Duplicate(first, last)}
