"""A newcomer's first minute: from an empty page to a first move, with a guide that points and is never in the way."""

import asyncio
import re

import pytest
from playwright.async_api import expect

from tests.e2e.layouts import boxes, overlap

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize(
    ("game", "phone"),
    [("lama", True), ("odin", True), ("skyjo", True), ("lama", False)],
    ids=["lama-phone", "odin-phone", "skyjo-phone", "lama-desktop"],
)
async def test_a_newcomer_is_shown_around_and_makes_a_first_move(visitors, game: str, phone: bool):
    # French is the longer of the two languages.
    anna = await visitors.new("Anna", language="fr", phone=phone, guided=False)
    page = anna.page
    await page.goto("/")
    await page.locator(f"button[value={game}]").click()
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
        pointed, others = [(await boxes(page, part))[0] for part in (".pointed", ".opponents")]
        (box,) = await boxes(page, "#guide")
        assert not overlap(box, pointed), f"step {step + 1} covers what it points at"
        hidden = min(box["bottom"], others["bottom"]) - max(box["y"], others["y"])
        is_beside = box["x"] >= others["right"]
        assert is_beside or hidden <= others["height"] / 10, f"step {step + 1} covers the others"
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
