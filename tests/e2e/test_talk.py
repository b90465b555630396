"""Talk at a table and the way to the next one, in browsers."""

import re

import pytest
from playwright.async_api import expect

from tests.e2e.people import seat_two

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_what_is_said_appears_in_the_others_browser_and_nothing_half_written_is_lost(visitors):
    anna, bert = await visitors.new("Anna"), await visitors.new("Bert", language="fr")
    await seat_two(anna, bert, "lama", option_first="0")
    for one in (anna, bert):
        await one.page.click("#talk-fold > summary")
    await bert.page.fill("#say", "à moitié")
    await anna.page.fill("#say", "<i>Hello</i>")
    await anna.page.press("#say", "Enter")
    await expect(anna.page.locator("#talk .lines")).to_contain_text("you: <i>Hello</i>")
    await expect(anna.page.locator("#say")).to_have_value("")
    await expect(bert.page.locator("#talk .lines")).to_contain_text("Anna\u00a0: <i>Hello</i>")
    await expect(bert.page.locator("#say")).to_have_value("à moitié")
    await anna.page.click("#react-thanks")
    await expect(bert.page.locator("#talk .lines")).to_contain_text("Merci")
    anna.assert_calm()
    bert.assert_calm()


async def test_the_button_to_the_next_table_appears_when_another_one_waits(visitors):
    anna, bert = await visitors.new("Anna"), await visitors.new("Bert")
    await seat_two(anna, bert, "lama", option_first="1")
    first = anna.match
    second = await anna.context.new_page()
    await second.goto("/")
    await expect(anna.page.locator("#next-table")).to_have_count(0)
    await second.close()
    await seat_two(anna, bert, "lama", option_first="1")
    await expect(anna.page.locator("#next-table")).to_have_count(0)
    # Bert moves at the first table, which then waits for Anna while she looks at the second.
    await bert.page.goto(f"/m/{first}")
    await bert.quit_round()
    await expect(anna.page.locator("#next-table")).to_have_text("Next table (1)")
    await anna.page.click("#next-table")
    await anna.page.wait_for_url(re.compile(f"/m/{first}$"))
    anna.assert_calm()
