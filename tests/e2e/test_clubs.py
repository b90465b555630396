"""A club in real browsers: made, shared, joined, and read by everybody."""

import re

import pytest
from playwright.async_api import expect

from tests.e2e.looks import assert_accessible, assert_nothing_cut_off, assert_targets_are_large
from tests.e2e.people import Visitor

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def make_club(visitor: Visitor, name: str) -> str:
    """Make a club; return its address."""
    page = visitor.page
    await page.goto("/c")
    await page.fill("input[name=club]", "Thursday players")
    await page.fill("form[action='/c'] input[name=name]", name)
    await page.click("form[action='/c'] button")
    await page.wait_for_url("**/c/c*")
    return page.url


@pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("fr", "dark")])
async def test_a_club_is_for_everybody(visitors, language, theme):
    hanna = await visitors.new("Hanna", language=language, theme=theme, phone=theme == "dark")
    page = hanna.page
    club = await make_club(hanna, "Hanna")
    await assert_accessible(hanna)
    await page.goto(f"{club}/settings")
    await page.click("form[action$='/invitations'] button")
    address = await page.input_value("#address")
    assert re.fullmatch(r"http\S+/i/[A-Za-z0-9_-]{43}", address)
    await expect(page.locator("svg.qr")).to_be_visible()
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    await assert_accessible(hanna)
    await assert_targets_are_large(page)
    max_ = await visitors.new("Max", language=language, theme=theme)
    await max_.page.goto(address)
    await assert_accessible(max_)
    await max_.page.fill("form[action^='/i/'] input[name=name]", "Max")
    await max_.page.click("form[action^='/i/'] button")
    await expect(max_.page.locator("h1")).to_have_text("Thursday players")
    await page.goto(club)
    await expect(page.locator("main")).to_contain_text("Max")
    await assert_nothing_cut_off(page, club, f"{club}/settings", "/c", address)


async def join_club(hanna: Visitor, club: str, other: Visitor, name: str) -> None:
    """Let somebody join by a new invitation."""
    await hanna.page.goto(f"{club}/settings")
    await hanna.page.click("form[action$='/invitations'] button")
    await other.page.goto(await hanna.page.input_value("#address"))
    await other.page.fill("form[action^='/i/'] input[name=name]", name)
    await other.page.click("form[action^='/i/'] button")


@pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("fr", "dark")])
async def test_a_league_is_for_everybody(visitors, language, theme):
    hanna = await visitors.new("Hanna", language=language, theme=theme, phone=theme == "dark")
    max_ = await visitors.new("Max", language=language, theme=theme)
    page = hanna.page
    club = await make_club(hanna, "Hanna")
    await join_club(hanna, club, max_, "Max")
    await page.goto(f"{club}/leagues/new")
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    await assert_accessible(hanna)
    await assert_targets_are_large(page)
    await page.fill("input[name=name]", "Winter")
    await page.check("input[name=member]")
    await page.click("form[action$='/leagues'] button.main")
    league = page.url
    await assert_accessible(hanna)
    await max_.page.goto(league)
    await assert_accessible(max_)
    await max_.page.click("form:has(input[value=sign_up]) button")
    await page.goto(league)
    await page.click("form:has(input[value=begin]) button")
    await expect(page.locator("li.mine a")).to_be_visible()
    await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    await assert_accessible(hanna)
    await assert_targets_are_large(page)
    await assert_nothing_cut_off(page, league, f"{club}/leagues/new")
    await max_.page.goto(league)
    await max_.page.click("li.mine a")
    await expect(max_.page).to_have_url(re.compile(r"/m/[^/]+/sit$"))


async def test_the_address_is_copied_where_the_browser_lets_us(visitors):
    hanna = await visitors.new("Hanna")
    page = hanna.page
    await page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    club = await make_club(hanna, "Hanna")
    await page.goto(f"{club}/settings")
    await page.click("form[action$='/invitations'] button")
    await page.click("[data-copies]")
    await expect(page.locator("[data-copies]")).to_have_text("Copied")
    assert await page.evaluate("navigator.clipboard.readText()") == await page.input_value("#address")
