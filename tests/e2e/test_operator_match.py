"""One match as its operator sees it in a browser: access for everybody, a reason that the table reads, following."""

import os

import pytest
from playwright.async_api import expect

from tests.e2e.looks import assert_accessible
from tests.e2e.test_operator import enter, link

__all__ = ["link"]

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def assert_fits(page, address):
    for width, size in ((320, "100%"), (640, "200%")):
        await page.set_viewport_size({"width": width, "height": 740})
        await page.evaluate("size => document.documentElement.style.setProperty('font-size', size)", size)
        wide = await page.evaluate(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        )
        assert wide <= 0, (address, width)


@pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("fr", "dark")])
async def test_axe_finds_nothing_on_the_pages_of_a_match(visitors, link, language, theme):
    anna = await visitors.new(language=language, theme=theme, phone=theme == "dark")
    await enter(anna, link)
    page = anna.page
    match = await anna.make_table("lama", ("me", "bot", "bot"))
    await anna.expect_turn_or_end()
    size = page.viewport_size
    for address in ("", "/events?type=RoundStarted&hashes=1&json=1", "/e/8?eyes=seat0", "/tail"):
        await page.set_viewport_size(size)
        await page.goto(f"/ops/m/{match}{address}")
        for summary in await page.locator("main summary").all():
            await summary.click()
        await assert_accessible(anna)
        if shots := os.environ.get("SHOTS"):
            name = address.strip("/").replace("/", "-").partition("?")[0]
            await page.screenshot(path=f"{shots}/{language}-{name or 'head'}.png", full_page=True)
        await assert_fits(page, address)


async def test_the_table_reads_why_its_cards_were_looked_at(visitors, link):
    operator, anna = await visitors.new("Operator"), await visitors.new("Anna")
    await enter(operator, link)
    match = await anna.make_table("lama", ("me", "bot"))
    await anna.expect_turn_or_end()
    page = operator.page
    await page.goto(f"/ops/m/{match}/events?type=RoundStarted")
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await page.wait_for_url(f"**/ops/m/{match}/e/*")
    dealt = page.url.rpartition("/")[2]
    await page.goto(f"/ops/m/{match}/e/{dealt}?eyes=seat0")
    await expect(page.locator("#table")).to_contain_text("give a reason first")
    await page.fill("input[name=reason]", "a complaint about the first deal")
    await page.get_by_role("button", name="Unseal").click()
    await expect(page.locator("#changes")).to_contain_text("With all cards open.")
    await operator.context.grant_permissions(["clipboard-read", "clipboard-write"])
    await page.get_by_role("button", name="Copy").click()
    await expect(page.get_by_role("button", name="Copied")).to_be_visible()
    copied = await page.evaluate("navigator.clipboard.readText()")
    stored = await page.evaluate("async () => (await fetch(location.pathname + '/raw')).text()")
    assert copied == stored
    await page.get_by_role("link", name="Anna", exact=True).click()
    await expect(page.locator("#table .card").first).to_be_visible()
    await expect(anna.page.locator("#history")).to_contain_text("a complaint about the first deal")


async def test_new_events_appear_by_themselves_and_pausing_stops_them(visitors, link):
    operator, anna = await visitors.new("Operator"), await visitors.new("Anna", script=False)
    await enter(operator, link)
    match = await anna.make_table("lama", ("me", "person"))
    page = operator.page
    await page.goto(f"/ops/m/{match}/tail")
    shown = await page.locator("#rows tr").count()
    bert = await visitors.new("Bert")
    await bert.sit(match)
    await expect(page.locator("#rows tr")).to_have_count(shown + 1)
    await expect(page.locator("#news")).to_have_text("1 new event")
    await page.click("#pause")
    await bert.be_ready()
    await expect(bert.page.locator("#ready")).to_have_count(0)
    assert await page.locator("#rows tr").count() == shown + 1
    await page.click("#pause")
    await expect(page.locator("#rows tr").nth(shown + 1)).to_be_visible()
    await page.keyboard.press("j")
    await page.keyboard.press("Enter")
    await page.wait_for_url(f"**/ops/m/{match}/e/*")


async def test_without_scripts_one_looks_again_and_selects(visitors, link):
    operator, anna = await visitors.new("Operator", script=False), await visitors.new("Anna", script=False)
    await enter(operator, link)
    match = await anna.make_table("lama", ("me", "person"))
    page = operator.page
    await page.goto(f"/ops/m/{match}/tail")
    shown = await page.locator("#rows tr").count()
    await (await visitors.new("Bert")).sit(match)
    await page.get_by_role("link", name="Look again").click()
    await expect(page.locator("#rows tr")).to_have_count(shown + 1)
    await page.goto(f"/ops/m/{match}/e/1")
    await expect(page.locator("#stored")).to_contain_text('{"v":1,"type":"MatchCreated"')
    await expect(page.locator("[data-copy]")).to_be_hidden()
