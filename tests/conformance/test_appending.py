"""What is appended is there, whole, as it was given, and in every index."""

import pytest

from domain.chain import genesis
from services.log.event_store.checks import MOST_ENTRIES
from services.log.event_store.contract import (
    Appended,
    Conflict,
    KnownCommand,
    LimitReached,
    Meta,
    Pointer,
    Status,
)
from services.log.event_store.keys import shard_of
from tests.conformance.journal import Journal, entries_after

pytestmark = pytest.mark.backends(shards=(16,))


async def test_a_new_match_starts_with_its_first_event(store):
    ada = Journal()
    append = ada.command(2, game="skyjo", rules=3, due=1_700_000_000_123, command_id="k-1", fingerprint="abc")

    assert await store.append(append) == Appended(1, 2)

    assert await store.read("m") == list(append.entries)
    assert await store.meta("m") == Meta(
        version=2, head=append.entries[-1].h, status=Status.OPEN, game="skyjo", rules=3, due=1_700_000_000_123
    )
    assert await store.command("m", "p_ada", "k-1") == KnownCommand("abc", 1, 2)
    assert [match async for match in store.matches()] == ["m"]


async def test_each_command_follows_on_the_last(store):
    ada = Journal()
    for events in (3, 1, 2, 1):
        await ada.write(store, events)
    assert ada.version == 7
    assert await ada.matches(store)


async def test_entries_come_back_byte_for_byte(store):
    ada = Journal()
    bodies = (b"{}", b'{"a":"\xc3\xa9\xe2\x80\x94"}', b"\x00\r\n$-1\r\n", bytes(range(256)), b"x" * 70_000)
    append = ada.command(len(bodies), entries=entries_after(0, genesis("m"), bodies))

    assert await store.append(append) == Appended(1, 5)

    assert await store.read("m") == list(append.entries)


async def test_a_command_of_the_greatest_size_is_taken_whole(store):
    ada = Journal()
    await ada.write(store)
    await ada.write(store, MOST_ENTRIES)
    assert await ada.matches(store)


@pytest.mark.parametrize(
    ("after", "last", "versions"),
    [
        (0, None, [1, 2, 3, 4, 5]),
        (2, None, [3, 4, 5]),
        (1, 3, [2, 3]),
        (4, 9, [5]),
        (5, None, []),
        (9, None, []),
        (0, 0, []),
    ],
)
async def test_reading_starts_behind_after_and_ends_with_last(store, after, last, versions):
    ada = Journal()
    await ada.write(store, 5)
    assert [entry.version for entry in await store.read("m", after, last)] == versions


async def test_how_far_several_matches_are_is_told_at_once(store):
    ada, other = Journal("m"), Journal("other")
    await ada.write(store, 5)
    await other.write(store, 2)
    assert await store.versions(["other", "nowhere", "m"]) == [2, 0, 5]
    assert await store.versions([]) == []


async def test_what_nobody_wrote_is_not_there(store):
    assert await store.read("m") == []
    assert await store.meta("m") is None
    assert await store.command("m", "p_ada", "c") is None
    assert list(await store.refusals("m")) == []
    assert [match async for match in store.matches()] == []
    assert await store.next_due() is None
    assert await store.due(2**53 - 1, 10) == []


async def test_matches_do_not_touch_each_other(store):
    journals = [Journal(f"m{number}") for number in range(20)]
    for _ in range(2):
        for journal in journals:
            await journal.write(store)
    for journal in journals:
        assert await journal.matches(store)
    assert sorted([match async for match in store.matches()]) == sorted(one.match for one in journals)


async def test_ids_that_hold_each_other_do_not_touch_each_other(store):
    for match in ("a", "ab", "a-b", "a_b", "A", "-", "_", "a" * 64):
        await Journal(match).write(store)
    assert sorted([match async for match in store.matches()]) == sorted(
        ["a", "ab", "a-b", "a_b", "A", "-", "_", "a" * 64]
    )


async def test_every_command_puts_one_pointer_on_its_shards_feed(store, shards):
    ada = Journal()
    await ada.write(store, 2, types=("MatchCreated", "SeatTaken"))
    await ada.write(store, 1, types=("CardPlayed",))
    shard = shard_of("m", shards)
    assert await store.feed({shard: 0}, 10, 0) == [
        Pointer(shard, 1, "m", 1, 2, ("MatchCreated", "SeatTaken")),
        Pointer(shard, 2, "m", 3, 3, ("CardPlayed",)),
    ]


@pytest.mark.parametrize("version", [1, 2, 7])
async def test_a_match_cannot_start_in_the_middle(store, version):
    ada = Journal()
    for _ in range(version):
        ada.take(ada.command())
    assert await store.append(ada.command()) == Conflict(0, genesis("m"))
    assert await store.meta("m") is None


async def test_a_match_cannot_start_twice(store):
    ada, eve = Journal(), Journal()
    await ada.write(store)
    assert await store.append(eve.command(text="other")) == Conflict(1, ada.head)
    assert await ada.matches(store)


async def test_the_chain_must_start_at_the_matchs_own_beginning(store):
    ada = Journal()
    entries = entries_after(0, genesis("other"), (b"{}",))
    foreign = ada.command(expected_head=genesis("other"), entries=entries)
    assert await store.append(foreign) == Conflict(0, genesis("m"))


async def test_the_same_version_with_another_head_is_a_conflict(store):
    ada, rewritten = Journal(), Journal()
    await ada.write(store)
    rewritten.take(rewritten.command(text="another history"))
    assert await store.append(rewritten.command()) == Conflict(1, ada.head)


@pytest.mark.parametrize("claimed", [0, 1, 2, 9, 11, 12, 100])
async def test_the_same_head_under_another_version_is_a_conflict(store, claimed):
    ada = Journal()
    await ada.write(store, 10)
    entries = entries_after(claimed, ada.head, (b"{}",))
    assert await store.append(ada.command(expected_version=claimed, entries=entries)) == Conflict(
        10, ada.head
    )
    assert await ada.matches(store)


async def test_versions_are_compared_as_numbers(store):
    ada, late = Journal(), Journal()
    await ada.write(store, 9)
    late.entries = ada.entries[:]
    await ada.write(store)
    assert await store.append(late.command()) == Conflict(10, ada.head)
    await ada.write(store)
    assert await ada.matches(store)


async def test_the_limit_may_be_reached_and_not_passed(store):
    ada = Journal()
    await ada.write(store, 9, limit=100)
    assert await store.append(ada.command(2, limit=10)) == LimitReached(9, 10)
    await ada.write(store, 1, limit=10)
    assert await store.append(ada.command(1, limit=10)) == LimitReached(10, 10)
    assert await ada.matches(store)


async def test_a_command_with_more_room_can_end_a_full_match(store):
    ada = Journal()
    await ada.write(store, 10, limit=10)
    await ada.write(store, 3, limit=74, status=Status.CLOSED)
    assert await ada.matches(store)
