"""Whole matches, each game in another way: without JavaScript, by keyboard alone, with the mouse."""

import re

import pytest
from playwright.async_api import expect

from tests.e2e.people import Visitor

WON = re.compile(r"\bwins?\b|share the victory|\bgagnes?\b|partage(nt)? la victoire")
"""How the end of a match is told, in both languages; the end of a round tells totals only."""

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def is_over(visitor: Visitor) -> bool:
    return await visitor.page.locator(".ranking").count() > 0


async def test_a_match_of_lama_without_javascript(visitors):
    anna = await visitors.new(script=False)
    match = await anna.make_table("lama", ("me", "bot"))
    page = anna.page
    for _ in range(400):
        if await is_over(anna):
            break
        moves = page.locator("#moves form[action$=move] button")
        if not await moves.count():
            await page.goto(f"/m/{match}")
            continue
        playable = page.locator("#moves button.pick")
        draw = page.locator("#draw")
        if await playable.count() or await draw.count():
            await (playable if await playable.count() else draw).first.click()
        else:
            if await page.locator("#quit-first").count():
                await page.locator("#quit-first > summary").click()
            await moves.last.click()
        assert page.url.endswith(f"/m/{match}")
    assert await is_over(anna)
    await expect(page.locator("#status")).to_contain_text(WON)
    await page.get_by_role("link", name="Watch the replay").click()
    await page.get_by_role("link", name="To the end").click()
    await expect(page.locator("#line")).to_contain_text(WON)
    await page.get_by_role("link", name="Back one step").click()
    assert "at=" in page.url


async def press_until(visitor: Visitor, selector: str, key: str = "Tab", most: int = 80) -> None:
    """Press a key until the focus is on what a selector names."""
    for _ in range(most):
        if await visitor.page.evaluate("s => document.activeElement.matches(s)", selector):
            return
        await visitor.page.keyboard.press(key)
    raise AssertionError(f"the focus never comes to {selector}")


async def test_a_match_of_odin_by_keyboard_alone(visitors):
    anna = await visitors.new()
    page, keyboard = anna.page, anna.page.keyboard
    await page.goto("/new?game=odin")
    await press_until(anna, "#people")
    await press_until(anna, "#terms summary")
    await keyboard.press("Enter")
    await press_until(anna, "select[name=option-limit]")
    await keyboard.press("End")
    await press_until(anna, "button.main", "Shift+Tab")
    await keyboard.press("Enter")
    await page.wait_for_url("**/m/*")
    for _ in range(120):
        await anna.expect_turn_or_end()
        if await is_over(anna):
            break
        version = await anna.version_shown()
        await press_until(anna, "#moves [name=card]:not(:disabled), #pass")
        if await page.evaluate("document.activeElement.name") == "card":
            await keyboard.press("Space")
            if await page.locator("fieldset[data-take]").count():
                # It lies in the middle, in front of the hand.
                await press_until(anna, "[name=take]", "Shift+Tab")
                await keyboard.press("Space")
            play = await page.locator("#play").is_enabled()
            await press_until(anna, "#play" if play else "#pass")
        await keyboard.press("Enter")
        await anna.expect_newer(version)
    assert await is_over(anna)
    assert await page.evaluate("document.activeElement !== document.body")


async def test_a_match_of_skyjo_with_the_mouse(visitors):
    anna = await visitors.new(phone=True, language="fr")
    await anna.make_table("skyjo", ("me", "bot", "bot"), option_limit="single")
    page = anna.page
    for turn in range(300):
        await anna.expect_turn_or_end()
        if await is_over(anna):
            break
        version = await anna.version_shown()
        if await page.locator("#take").count():
            if turn % 3:
                await page.click("#draw")
            else:
                await page.click("#take")
                assert "choice=take" in page.url
                await page.locator("#moves button.pick").nth(turn % 5).click()
        elif await page.locator("#flip").count() and turn % 4 == 0:
            await page.click("#flip")
            await expect(page.locator("#back")).to_be_visible()
            await page.locator("#moves button.pick").first.click()
        else:
            # The hidden ones first, so that the round comes to an end.
            hidden = page.locator("#moves button.pick:has(.back)")
            await (hidden if await hidden.count() else page.locator("#moves button.pick")).first.click()
        await anna.expect_newer(version)
    assert await is_over(anna)
    await expect(page.locator("#status")).to_contain_text(WON)
    assert page.url.endswith(anna.match)
