"""A clock of seconds counts down on the page, and no screen reader is told each of them."""

import re

import pytest
from playwright.async_api import expect

from tests.e2e.people import seat_two

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_the_time_that_is_left_counts_down(visitors):
    anna, bert = await visitors.new("Anna"), await visitors.new("Bert")
    await seat_two(anna, bert, "lama", clock="300", option_first="0")
    counted = anna.page.locator(".countdown")
    await expect(counted).to_have_text(re.compile(r"^[45]:\d\d$"))
    before = await counted.inner_text()
    await expect(counted).not_to_have_text(before)
    assert await counted.get_attribute("aria-hidden") == "true"
    assert await anna.page.locator("[aria-live] .countdown, [role=status] .countdown").count() == 0
