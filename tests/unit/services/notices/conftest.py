"""A house whose people are told."""

from collections.abc import AsyncIterator

import pytest
from fakeredis import FakeAsyncRedis

from tests.kit.house import House
from tests.kit.told import Told


@pytest.fixture
async def told() -> AsyncIterator[Told]:
    async with FakeAsyncRedis() as client:
        told = Told(House(), client)
        await told.loop.step()
        yield told
