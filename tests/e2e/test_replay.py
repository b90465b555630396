"""The replay in a browser: controls in reach, the position in the address, eyes, jumps, and a table that goes on."""

import re

import pytest
from playwright.async_api import Page, expect

from tests.e2e.people import Visitor, seat_two

pytestmark = pytest.mark.asyncio(loop_scope="session")

_READY = "() => document.documentElement.dataset.ready !== undefined"


async def replayed(visitor: Visitor, match: str, query: str = "") -> Page:
    page = visitor.page
    await page.goto(f"/m/{match}/replay{query}")
    await page.wait_for_function(_READY)
    return page


async def finished_match(anna: Visitor) -> str:
    match = await anna.make_table("lama", ("me", "bot"), option_limit="single")
    await anna.quit_round()
    await expect(anna.page.locator(".ranking")).to_be_visible()
    return match


async def in_view(page: Page, selector: str) -> bool:
    box = await page.locator(selector).bounding_box()
    size = page.viewport_size
    assert box is not None
    assert size is not None
    return box["y"] >= 0 and box["y"] + box["height"] <= size["height"] + 1


async def test_on_a_phone_the_steps_are_in_reach_beside_the_board(visitors):
    anna = await visitors.new(phone=True)
    match = await finished_match(anna)
    page = anna.page
    await page.set_viewport_size({"width": 360, "height": 740})
    await replayed(anna, match)
    for selector in ("#line", "#on", "#back", "#slider", "#play"):
        assert await in_view(page, selector), selector
    await expect(page.locator("#board")).to_be_visible()
    assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth")


async def test_the_position_is_the_address_and_steps_mark_what_changed(visitors):
    anna = await visitors.new()
    match = await finished_match(anna)
    page = await replayed(anna, match)
    first = await page.locator("#at").text_content()
    await page.keyboard.press("ArrowRight")
    await expect(page.locator("#at")).not_to_have_text(first or "")
    at = await page.locator("#at").text_content()
    assert page.url.endswith(f"at={at}")
    assert (await page.locator("#address").input_value()).endswith(f"at={at}")
    assert await page.locator("input.at").first.input_value() == at
    changed = 0
    while await page.locator("#on").get_attribute("aria-disabled") != "true":
        changed += await page.locator(".changed").count()
        await page.keyboard.press("ArrowRight")
    assert changed > 0
    # A match that is over has no live table to go to.
    await page.keyboard.press("ArrowRight")
    assert "/replay" in page.url
    await page.locator("#steps summary").click()
    await page.locator("#steps [data-stop='0']").click()
    await expect(page.locator("#at")).to_have_text(first or "")
    assert await page.locator("#steps [aria-current]").count() == 1


async def test_after_the_end_a_match_is_seen_with_anybody_s_eyes(visitors):
    anna = await visitors.new()
    match = await finished_match(anna)
    page = await replayed(anna, match)
    every = await page.locator("#board .card:not(.back)").count()
    await page.select_option(".eyes select", "spectator")
    await page.locator(".eyes button").click()
    await page.wait_for_function(_READY)
    assert "as=spectator" in page.url
    assert await page.locator("#board .card:not(.back)").count() < every
    await page.keyboard.press("ArrowRight")
    assert "as=spectator" in page.url
    assert re.search(r"at=\d+", page.url)


async def test_a_table_that_goes_on_moves_no_reader_and_lies_behind_the_end(visitors):
    anna, bert = await visitors.new("Anna"), await visitors.new("Bert")
    await seat_two(anna, bert, "lama", option_first="0")
    await anna.expect_turn()
    match = anna.match
    await replayed(bert, match)
    before = bert.page.url
    await anna.page.click("#draw")
    await expect(anna.page.locator("#status")).to_contain_text("Waiting for Bert.")
    assert bert.page.url == before
    await bert.page.keyboard.press("End")
    await bert.page.keyboard.press("ArrowRight")
    await bert.page.wait_for_url(f"**/m/{match}")
    await bert.expect_turn()


async def test_a_position_that_one_stepped_to_can_be_kept(visitors):
    anna = await visitors.new("Anna", phone=True)
    match = await anna.make_table("lama", ("me", "bot"), option_first="0")
    await anna.expect_turn()
    await anna.page.click("#draw")
    await anna.expect_turn_or_end()
    await anna.page.goto(f"/m/{match}/replay")
    await expect(anna.page.locator("html[data-ready]")).to_have_count(1)
    await anna.page.keyboard.press("ArrowRight")
    at = await anna.page.locator("#at").inner_text()
    await anna.page.click(".bar .menu")
    await anna.page.click("#keep a")
    await expect(anna.page.locator("#bookmark textarea")).to_be_visible()
    await expect(anna.page.locator("#at")).to_have_text(at)
    anna.assert_calm()


async def test_a_card_that_is_pressed_leads_to_where_it_moved_and_the_pile_is_foretold_on_demand(visitors):
    anna = await visitors.new()
    match = await anna.make_table("lama", ("me", "bot"), option_limit="single", option_first="0")
    await anna.expect_turn()
    await anna.page.click("#draw")
    await expect(anna.page.locator("#history li", has_text="You draw")).to_have_count(1)
    await anna.quit_round()
    await expect(anna.page.locator(".ranking")).to_be_visible()
    page = await replayed(anna, match)
    coming = page.locator("#coming")
    await expect(coming.locator("svg").first).to_be_hidden()
    await coming.locator("summary").click()
    await expect(coming.locator("svg").first).to_be_visible()
    first = await coming.locator("div").inner_html()
    await page.focus("#slider")
    await page.keyboard.press("End")
    await expect(coming.locator("div")).not_to_have_js_property("innerHTML", first)
    drawing = page.locator("#board .middle svg.card:not(.back)").first
    label = await drawing.get_attribute("aria-label")
    await drawing.click()
    await page.wait_for_url(f"**/m/{match}/cards?*")
    chosen = page.locator(".choose-card a[aria-current]")
    await expect(chosen).to_have_attribute("aria-label", re.compile(f"^{label}:"))
    # That one may have lain there from the beginning, and never moved; the one that she drew has.
    await page.locator(".choose-card a:not([aria-label$=': 0 steps'])").first.click()
    await page.locator("#moved li a").first.click()
    await page.wait_for_function(_READY)
    assert "/replay?at=" in page.url
    anna.assert_calm()


_HELD = """async (keys) => {
  for (const key of keys) {
    document.body.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, repeat: true }))
    await new Promise((done) => setTimeout(done))
  }
}"""
"""Keys that are held, faster than any keyboard repeats them."""


async def test_held_keys_ask_for_nothing_and_the_address_says_where_one_arrives(visitors):
    anna = await visitors.new()
    match = await anna.make_table("skyjo", ("bot", "bot"), option_limit="single")
    if await anna.page.locator("#start").count():
        await anna.page.click("#start")
    await anna.page.locator(".ranking").wait_for()
    asked: list[str] = []
    anna.page.on("request", lambda request: asked.append(request.url))
    page = await replayed(anna, match)
    assert sum("/changes" in url for url in asked) == 1
    asked.clear()
    # There, back and there again: more often than a browser lets an address be written.
    keys = ["ArrowRight"] * 150 + ["ArrowLeft"] * 145 + ["ArrowRight"] * 12
    await page.evaluate(_HELD, keys)
    at = await page.locator("#at").text_content()
    await page.wait_for_url(f"**/m/{match}/replay?at={at}")
    assert (await page.locator("#address").input_value()).endswith(f"at={at}")
    board = await page.locator("#board").inner_text()
    # With each new address Chromium looks for the page's icon, which it has.
    assert [url for url in asked if "/static/" not in url] == []
    # Whoever opens that address sees the same.
    await page.reload()
    await page.wait_for_function(_READY)
    assert await page.locator("#at").text_content() == at
    assert await page.locator("#board").inner_text() == board
    # A phone has room for boards alone, and says whose they are.
    await page.set_viewport_size({"width": 360, "height": 740})
    for number in (0, 1):
        await expect(page.locator(".opponent .seat .sign").nth(number)).to_be_visible()
        await expect(page.locator(".opponent .seat .total").nth(number)).to_be_visible()
    anna.assert_calm()
