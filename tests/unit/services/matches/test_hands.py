"""How a piece of work waits until it is time."""

import time

import pytest

from services.matches.hands import Hands


@pytest.mark.parametrize("milliseconds", [-1.0, 0.3, 1.1, 4.7])
async def test_nobody_acts_before_their_time(milliseconds):
    begun = time.monotonic()
    await Hands().wait(milliseconds / 1000)
    assert time.monotonic() - begun >= milliseconds / 1000
