"""Several processes share the shards, duty by duty; whose process ends, loses them to the others."""

import asyncio
import subprocess
import sys
from collections.abc import Iterable

import pytest

from services.errors import StoreUnavailable
from services.log import leases
from services.log.event_store.keys import shard_of
from services.log.leases import LEASE_SECONDS, ShardLeases, member_name
from services.log.subscription import Subscription
from tests.kit.house import House, TroubledStore

DUTIES, SINGLE = ("feed", "clock"), ("digests",)


@pytest.fixture
def store() -> TroubledStore:
    return TroubledStore()


def process(store, name) -> ShardLeases:
    return ShardLeases(store, DUTIES, SINGLE, name)


async def settle(some: Iterable[ShardLeases]) -> None:
    """Let each look as often as it takes until nothing moves: give back, then take."""
    for _ in range(3):
        for one in some:
            await one.step()


def held(some: Iterable[ShardLeases], duty: str) -> list[int]:
    """Return the shards of which somebody holds a duty, once for each holder."""
    return sorted(shard for one in some for shard in one.shards(duty))


async def test_one_alone_does_everything_from_its_first_look_on(store):
    alone = process(store, "one")
    assert alone.shards("feed") == frozenset()
    await alone.step()
    assert [held([alone], duty) for duty in DUTIES] == [list(range(16))] * 2
    assert alone.shards("digests") == {0}


async def test_several_share_it_without_a_gap_or_an_overlap(store):
    some = [process(store, f"p{number}") for number in range(3)]
    await settle(some)
    for duty in DUTIES:
        assert held(some, duty) == list(range(16))
    assert held(some, "digests") == [0]
    assert all(len(one.shards("feed")) + len(one.shards("clock")) >= 4 for one in some)


async def test_what_one_gives_back_the_others_have_at_their_next_look(store):
    one, other = some = [process(store, "p1"), process(store, "p2")]
    await settle(some)
    await one.give_back()
    assert held([one], "feed") == []
    await other.step()
    assert held([other], "feed") == list(range(16))


async def test_who_is_silent_loses_all_when_the_leases_end(store, monkeypatch):
    monkeypatch.setattr(leases, "LEASE_SECONDS", 0.3)
    monkeypatch.setattr(leases, "_MARGIN_SECONDS", 0.1)
    frozen, other = some = [process(store, "p1"), process(store, "p2")]
    await settle(some)
    assert frozen.shards("feed")
    fences = {shard: frozen.of("feed").fence(shard) for shard in frozen.shards("feed")}
    await asyncio.sleep(0.35)
    # It knows by itself, without asking anybody.
    assert frozen.shards("feed") == frozenset()
    await settle([other])
    assert held([other], "feed") == list(range(16))
    for shard, fence in fences.items():
        assert other.of("feed").fence(shard).number == fence.number + 1


async def test_a_killed_process_of_this_machine_is_not_waited_for(store):
    killed = await asyncio.create_subprocess_exec(sys.executable, "-c", "input()", stdin=subprocess.PIPE)
    try:
        machine, began = member_name().partition("|")[0], leases._began(killed.pid)
        dead, other = process(store, f"{machine}|{killed.pid}|{began}"), process(store, member_name())
        await settle([dead, other])
        assert 0 < len(other.shards("feed")) < 16
    finally:
        killed.kill()
        await killed.wait()
    await other.step()
    assert held([other], "feed") == list(range(16))


async def test_while_the_store_is_away_nothing_is_held_for_longer_than_the_leases(store, monkeypatch):
    now = 0.0
    alone = ShardLeases(store, DUTIES, SINGLE, "p1", clock=lambda: now)
    await alone.step()

    async def away(*_):
        raise StoreUnavailable("away")

    monkeypatch.setattr(store, "join", away)
    for now in (1.0, LEASE_SECONDS - 1.5):  # noqa: B007 - the clock above reads it
        with pytest.raises(StoreUnavailable):
            await alone.step()
        assert alone.shards("feed")
    now = LEASE_SECONDS
    assert not alone.shards("feed")


async def test_a_consumer_follows_what_its_process_holds_and_the_other_takes_over(store):
    some = [process(store, "p1"), process(store, "p2")]
    await settle(some)
    one, other = (Subscription(store, "bots", holding=each.of("feed")) for each in some)
    for subscription in (one, other):
        await subscription.commit(await subscription.next(100, 0))
    matches = [f"m{number}" for number in range(32)]
    for match in matches:
        await House(store).begin(match=match)

    async def read(subscription: Subscription) -> set[str]:
        batch = await subscription.next(1000, 0)
        await subscription.commit(batch)
        return {pointer.match for pointer in batch.pointers}

    seen = await read(one)
    assert {shard_of(match, 16) for match in seen} <= some[0].shards("feed")
    await some[0].give_back()
    await some[1].step()
    assert await read(one) == set()
    assert seen | await read(other) == set(matches)
    assert await read(other) == set()
