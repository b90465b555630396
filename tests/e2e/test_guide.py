"""A newcomer's first minute: from an empty page to a first move, with a guide that points and is never in the way."""

import asyncio
import re

import pytest
from playwright.async_api import expect

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desktop"])
async def test_a_newcomer_is_shown_around_and_makes_a_first_move(visitors, phone: bool):
    anna = await visitors.new("Anna", phone=phone, guided=False)
    page = anna.page
    await page.goto("/")
    await page.locator("button[value=lama]").click()
    guide = page.locator("#guide")
    await expect(guide).to_be_visible()
    await anna.expect_turn()
    steps = await guide.locator("li").count()
    # Without scripts it is a list, and for a moment before they run.
    await expect(guide.locator("li:visible")).to_have_count(1)
    kept = asyncio.ensure_future(
        page.wait_for_event("response", lambda answer: answer.url.endswith("/guide"))
    )
    for step in range(steps):
        await expect(guide.locator("li:visible")).to_have_text(re.compile(f"{step + 1}/{steps}$"))
        pointed = await page.locator(".pointed").bounding_box()
        box = await guide.bounding_box()
        assert pointed is not None
        assert box is not None
        lower, upper = sorted((pointed, box), key=lambda one: -one["y"])
        covered = upper["y"] + upper["height"] - lower["y"]
        is_beside = box["x"] >= pointed["x"] + pointed["width"]
        assert is_beside or covered <= pointed["height"] / 2, f"step {step + 1} covers what it points at"
        await guide.locator("[data-last]:visible").press("Enter")
    await expect(guide).to_have_count(0)
    await expect(page.locator(".pointed")).to_have_count(0)
    await kept
    await page.reload()
    await expect(page.locator("#guide")).to_have_count(0)
    anna.assert_calm()


async def test_escape_ends_the_guide_and_without_scripts_it_is_a_list(visitors):
    anna = await visitors.new("Anna", guided=False)
    await anna.page.goto("/")
    await anna.page.locator("button[value=odin]").click()
    await anna.page.locator("#guide [data-last]:visible").press("Escape")
    await expect(anna.page.locator("#guide")).to_have_count(0)
    bert = await visitors.new("Bert", script=False, guided=False)
    await bert.page.goto("/")
    await bert.page.locator("button[value=odin]").click()
    await expect(bert.page.locator("#guide li")).to_have_count(6)
    await bert.page.locator("#guide button", has_text="Skip").click()
    await expect(bert.page.locator("#guide")).to_have_count(0)
    await expect(bert.page.locator("#board")).to_be_visible()
