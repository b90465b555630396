"""The due index: who needs somebody, and when."""

import pytest

from domain.errors import Malformed
from services.log.event_store.contract import Status
from services.log.event_store.keys import shard_of
from tests.conformance.journal import Journal

NOW = 1_796_000_000_000


async def test_due_matches_come_earliest_first(store):
    for number in (3, 1, 2):
        await Journal(f"m{number}").write(store, due=NOW + number)
    assert await store.due(NOW + 2, 10) == [("m1", NOW + 1), ("m2", NOW + 2)]
    assert await store.due(NOW, 10) == []
    assert await store.next_due() == NOW + 1


async def test_equal_instants_come_in_the_order_of_ids(store):
    for match in ("b", "a", "c"):
        await Journal(match).write(store, due=NOW)
    assert await store.due(NOW, 10) == [("a", NOW), ("b", NOW), ("c", NOW)]


async def test_at_most_so_many_come_from_each_shard(store, shards):
    dues = {f"m{number:02}": NOW + number for number in range(20)}
    for match, due in dues.items():
        await Journal(match).write(store, due=due)
    expected = []
    for shard in range(shards):
        expected += [one for one in dues.items() if shard_of(one[0], shards) == shard][:2]
    assert await store.due(NOW + 100, 2) == sorted(expected, key=lambda one: one[1])


async def test_each_command_says_anew_when_the_match_is_due(store):
    ada = Journal()
    await ada.write(store, due=NOW)
    await ada.write(store, due=NOW - 5)
    assert await store.due(NOW, 10) == [("m", NOW - 5)]
    await ada.write(store, due=None)
    assert await store.due(NOW, 10) == []
    assert (await store.meta("m")).due is None
    await ada.write(store, due=0)
    assert await store.due(NOW, 10) == [("m", 0)]


async def test_the_instant_is_set_if_the_version_is_still_the_same(store):
    ada = Journal()
    await ada.write(store, 9)
    assert await store.set_due("m", 9, NOW)
    assert await store.next_due() == NOW
    assert (await store.meta("m")).due == NOW
    await ada.write(store, due=NOW + 1)
    assert not await store.set_due("m", 9, NOW + 2)
    assert not await store.set_due("m", 11, NOW + 2)
    assert await store.next_due() == NOW + 1
    assert await store.set_due("m", 10, None)
    assert await store.next_due() is None
    assert (await store.meta("m")).due is None


async def test_a_match_that_does_not_exist_is_never_due(store):
    assert not await store.set_due("m", 0, NOW)
    assert await store.next_due() is None
    assert await store.meta("m") is None


async def test_a_match_is_asked_for_its_own_instant(store):
    ada = Journal("ada")
    await ada.write(store, due=NOW)
    await Journal("eve").write(store, due=NOW + 1)
    await Journal("never").write(store, due=None)
    assert [await store.scheduled(match) for match in ("ada", "eve", "never")] == [NOW, NOW + 1, None]
    assert await store.scheduled("nobody") is None
    assert await store.set_due("ada", ada.version, NOW + 2)
    assert await store.scheduled("ada") == NOW + 2
    await ada.write(store, status=Status.CLOSED, due=NOW)
    assert await store.scheduled("ada") is None


async def test_only_an_id_is_asked_for(store):
    with pytest.raises(Malformed, match=r"match\.id_malformed"):
        await store.scheduled("no id")


@pytest.mark.parametrize("due", [0, 1, NOW, 2**53 - 1])
async def test_instants_are_exact_to_the_millisecond(store, due):
    await Journal().write(store, due=due)
    assert await store.next_due() == due
    assert await store.due(due, 1) == [("m", due)]
    assert await store.scheduled("m") == due
