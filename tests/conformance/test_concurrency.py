"""Writers at the same time, proven by counts: one wins, all others are told, nothing is lost or doubled."""

import asyncio
from collections import Counter

import msgspec

from services.log.event_store.contract import Appended, Conflict, Duplicate
from tests.conformance.journal import Journal, everything, retried

ROUNDS, WRITERS = 12, 8


async def _connections(open_store):
    return [await open_store() for _ in range(WRITERS)]


async def test_of_several_writers_on_one_version_exactly_one_wins(open_store):
    stores = await _connections(open_store)
    ada = Journal()
    for _ in range(ROUNDS):
        appends = [
            ada.command(number + 1, text=f"w{number}", actor=f"p_{number}") for number in range(WRITERS)
        ]

        answers = await asyncio.gather(
            *(one.append(append) for one, append in zip(stores, appends, strict=True))
        )

        assert Counter(map(type, answers)) == {Appended: 1, Conflict: WRITERS - 1}
        winner = next(number for number, answer in enumerate(answers) if isinstance(answer, Appended))
        ada.take(appends[winner])
        # Everybody else is told what is there now, or at least what was there when he was refused.
        assert {answer for answer in answers if isinstance(answer, Conflict)} == {
            Conflict(ada.version, ada.head)
        }
    assert await ada.matches(stores[0])


async def test_writers_that_decide_again_all_get_through_once(open_store):
    stores = await _connections(open_store)

    async def write(number):
        own = Journal()
        return [
            await retried(
                stores[number], own, actor=f"p_{number}", command_id=f"c-{turn}", text=f"{number}-{turn}"
            )
            for turn in range(ROUNDS)
        ]

    answers = [one for row in await asyncio.gather(*map(write, range(WRITERS))) for one in row]

    assert sorted(answer.first for answer in answers) == list(range(1, WRITERS * ROUNDS + 1))
    entries = await stores[0].read("m")
    said = Counter(msgspec.json.decode(entry.e)["text"] for entry in entries)
    assert said == {f"{number}-{turn}": 1 for number in range(WRITERS) for turn in range(ROUNDS)}


async def test_one_command_sent_many_times_at_once_has_one_effect(open_store):
    stores = await _connections(open_store)
    ada = Journal()
    for _ in range(ROUNDS):
        append = ada.command(2)

        answers = await asyncio.gather(*(one.append(append) for one in stores))

        first, last = append.entries[0].version, append.entries[-1].version
        assert Counter(answers) == {Appended(first, last): 1, Duplicate(first, last): WRITERS - 1}
        ada.take(append)
    assert await ada.matches(stores[0])


async def test_many_matches_at_once_leave_every_feed_dense_and_in_order(open_store, shards):
    stores = await _connections(open_store)
    journals = [Journal(f"m{number}") for number in range(3 * WRITERS)]

    async def play(journal, store):
        for turn in range(ROUNDS // 2):
            await journal.write(store, 1 + turn % 2)

    await asyncio.gather(*(play(one, stores[number % WRITERS]) for number, one in enumerate(journals)))

    pointers = await stores[0].feed(dict.fromkeys(range(shards), 0), 1000, 0)
    positions = await stores[0].positions()
    for shard in range(shards):
        own = [pointer for pointer in pointers if pointer.shard == shard]
        assert [pointer.position for pointer in own] == list(range(1, positions[shard] + 1))
    for journal in journals:
        own = [pointer for pointer in pointers if pointer.match == journal.match]
        told = [version for pointer in own for version in range(pointer.first, pointer.last + 1)]
        assert told == list(range(1, journal.version + 1))
        assert await journal.matches(stores[1])


async def test_of_several_that_move_one_checkpoint_exactly_one_does(open_store):
    stores = await _connections(open_store)
    old = None
    for new in range(ROUNDS):
        moved = await asyncio.gather(*(store.advance("lobby", 0, old, new) for store in stores))
        assert moved.count(True) == 1
        old = new


async def test_a_due_instant_computed_from_an_older_version_never_wins(open_store):
    stores = await _connections(open_store)
    ada = Journal()
    await ada.write(stores[0], due=1)
    for turn in range(ROUNDS):
        append = ada.command(due=1_000_000 + turn)
        clock = (store.set_due("m", ada.version, turn) for store in stores[1:])
        await asyncio.gather(stores[0].append(append), *clock)
        ada.take(append)
        assert await stores[0].due(2**53 - 1, 1) == [("m", 1_000_000 + turn)]


async def test_two_stores_on_the_same_data_show_the_same(open_store):
    one, other = await open_store(), await open_store()
    await Journal("a").write(one, 3, due=9)
    await Journal("b").write(other, 2)
    assert await everything(one) == await everything(other)
