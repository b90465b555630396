"""How far people have seen their tables."""

from collections.abc import AsyncIterator

import pytest
from fakeredis import FakeAsyncRedis

from services.people.looks import Looks


@pytest.fixture
async def client() -> AsyncIterator[FakeAsyncRedis]:
    async with FakeAsyncRedis() as one:
        yield one


async def test_the_last_look_counts_until_the_end_was_seen(client: FakeAsyncRedis):
    looks = Looks(client)
    await looks.note("anna", "m1", 3, over=False)
    await looks.note("anna", "m2", 5, over=False)
    await looks.note("anna", "m1", 4, over=False)
    await looks.note("bert", "m1", 1, over=False)
    assert await looks.of("anna") == {"m1": 4, "m2": 5}
    await looks.note("anna", "m1", 9, over=True)
    assert await looks.of("anna") == {"m2": 5}
    await looks.erase("anna")
    assert await looks.of("anna") == {}
    assert await looks.of("bert") == {"m1": 1}


async def test_a_look_at_what_was_seen_asks_nothing_of_the_store(client: FakeAsyncRedis):
    looks = Looks(client)
    await looks.note("anna", "m1", 3, over=False)
    await client.flushall()
    await looks.note("anna", "m1", 3, over=False)
    assert await looks.of("anna") == {}
