"""Leases: one holder at a time, a number that rises with each, and no checkpoint for who has lost one."""

import asyncio

import pytest

from services.log.event_store.leasing import Fence
from tests.conformance.backends import Backend
from tests.conformance.journal import Journal

LONG, SHORT = 60.0, 0.05

pytestmark = pytest.mark.backends(*Backend, shards=(4,))


async def test_those_who_share_the_work_know_each_other_until_one_leaves_or_is_silent(store):
    assert await store.join("ada", LONG) == ["ada"]
    assert sorted(await store.join("bob", LONG)) == ["ada", "bob"]
    await store.join("eve", SHORT)
    await asyncio.sleep(2 * SHORT)
    assert sorted(await store.join("ada", LONG)) == ["ada", "bob"]
    await store.leave("ada")
    assert await store.join("bob", LONG) == ["bob"]
    await store.join("ada", LONG)
    assert await store.join("ada", LONG, ["bob"]) == ["ada"]


async def test_a_lease_has_one_holder_until_it_is_given_back(store):
    assert await store.lease("ada", LONG, {0: ["feed", "clock"], 2: ["feed"]}) == {
        0: {"feed": 1, "clock": 1},
        1: {},
        2: {"feed": 1},
        3: {},
    }
    assert (await store.lease("bob", LONG, {0: ["feed"], 1: ["feed"]}))[0] == {}
    # Renewed, it keeps its number; what is not wanted any more is free.
    assert (await store.lease("ada", LONG, {0: ["clock"]}))[0] == {"clock": 1}
    assert await store.lease("bob", LONG, {0: ["feed"], 2: ["feed"]}) == {
        0: {"feed": 2},
        1: {},
        2: {"feed": 2},
        3: {},
    }
    assert (await store.lease("ada", LONG, {0: ["feed"]}))[0] == {}


async def test_a_lease_ends_by_itself_and_with_its_holder(store):
    await store.lease("ada", SHORT, {0: ["feed"]})
    await asyncio.sleep(2 * SHORT)
    assert (await store.lease("bob", LONG, {0: ["feed"]}))[0] == {"feed": 2}
    assert (await store.lease("ada", LONG, {0: ["feed"]}))[0] == {}
    assert (await store.lease("ada", LONG, {0: ["feed"]}, ["bob"]))[0] == {"feed": 3}


async def test_who_has_lost_a_lease_moves_no_checkpoint(store):
    journal = Journal()
    for _ in range(3):
        await journal.write(store)
    await store.advance("bots", 0, None, 0)
    (number,) = (await store.lease("ada", SHORT, {0: ["feed"]}))[0].values()
    assert await store.advance("bots", 0, 0, 1, Fence("feed", number))
    await asyncio.sleep(2 * SHORT)
    # Late, but nobody came between.
    assert await store.advance("bots", 0, 1, 2, Fence("feed", number))
    await store.lease("bob", LONG, {0: ["feed"]})
    assert not await store.advance("bots", 0, 2, 3, Fence("feed", number))
    assert not await store.advance("bots", 0, 2, 3, Fence("never-leased", 0))
    assert await store.advance("bots", 0, 2, 3, Fence("feed", number + 1))
    assert await store.checkpoint("bots", 0) == 3
