"""Whole matches: without JavaScript, by keyboard alone, and by touch on a phone."""

import re
from collections.abc import Awaitable, Callable
from itertools import pairwise

import pytest
from playwright.async_api import Page, expect

from tests.e2e.hands import LISTEN, Hands, Keys, Thumb
from tests.e2e.people import Visitor

WON = re.compile(r"\bwins?\b|share the victory|\bgagnes?\b|partage(nt|z)? la victoire")
"""How the end of a match is told, in both languages; the end of a round tells totals only."""

_MOST_TURNS = 120

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def is_over(visitor: Visitor) -> bool:
    return await visitor.page.locator(".ranking").count() > 0


async def test_a_match_of_lama_without_javascript(visitors):
    anna = await visitors.new(script=False)
    match = await anna.make_table("lama", ("me", "bot"), option_limit="single")
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


async def turn_of_lama(page: Page, hands: Hands, _turn: int) -> None:
    """Play what can be played, else quit the round, which takes two steps."""
    for selector in ("#moves button.pick", "[id^=return-]", "#quit-first > summary", "#draw"):
        if await page.locator(selector).count():
            await hands.press(selector)
            if "quit" in selector:
                await hands.press("#quit")
            return


async def turn_of_odin(page: Page, hands: Hands, _turn: int) -> None:
    """Lay the first card if it is high enough, and pass if it is not."""
    if not await page.locator("#play").count():
        await hands.press("#pass")
        return
    await hands.press("#moves [name=card]")
    if await page.locator("fieldset[data-take]").count():
        await hands.press("[name=take]")
    await hands.press("#play" if await page.locator("#play").is_enabled() else "#pass")


async def turn_of_skyjo(page: Page, hands: Hands, turn: int) -> None:
    """Draw or take, and put it on a hidden card, so that the round comes to an end; now and then discard it."""
    if await page.locator("#draw").count():
        if turn % 3 == 0:
            await hands.press("#draw")
            return
        await hands.press("#take")
        await expect(page.locator("#back")).to_be_visible()
    elif turn % 2 and await page.locator("#flip").count():
        await hands.press("#flip")
        await expect(page.locator("#back")).to_be_visible()
    await hands.press("#moves button.pick:has(.back)")


TURNS: dict[str, Callable[[Page, Hands, int], Awaitable[None]]] = {
    "lama": turn_of_lama,
    "odin": turn_of_odin,
    "skyjo": turn_of_skyjo,
}


async def play(visitor: Visitor, game: str, hands: Hands) -> None:
    """Play to the end of a match; the status is said once for each change, and the focus is never lost."""
    page = visitor.page
    for turn in range(_MOST_TURNS):
        await visitor.expect_turn_or_end()
        if await is_over(visitor):
            break
        version = await visitor.version_shown()
        await TURNS[game](page, hands, turn)
        await visitor.expect_newer(version)
        assert await page.evaluate("document.activeElement !== document.body"), turn
        # What a turn needs is on the screen: nothing had to be scrolled to.
        assert await page.evaluate("scrollY") == 0
    await expect(page.locator("#status")).to_contain_text(WON)
    said, shown = await page.evaluate("[said, shown]")
    assert len(said) <= shown
    assert [now for before, now in pairwise(said) if before == now] == []


@pytest.mark.parametrize("game", TURNS)
async def test_a_match_by_keyboard_alone(visitors, game):
    anna = await visitors.new()
    page, keyboard = anna.page, anna.page.keyboard
    keys = Keys(page)
    await page.add_init_script(LISTEN)
    await page.goto(f"/new?game={game}")
    await keys.reach("#terms summary")
    await keyboard.press("Enter")
    await keys.reach("select[name=option-limit]")
    await keyboard.press("End")
    await keys.press("button.main")
    await page.wait_for_url("**/m/*")
    await play(anna, game, keys)
    await keys.press("a[href$=replay]")
    await page.wait_for_url("**/replay")


@pytest.mark.parametrize("game", TURNS)
async def test_a_match_by_touch_on_a_phone(visitors, game):
    anna = await visitors.new(touch=True, language="fr")
    await anna.page.add_init_script(LISTEN)
    await anna.make_table(game, ("me", "bot", "bot"), option_limit="single")
    await play(anna, game, Thumb(anna.page))
    assert anna.page.url.endswith(anna.match)
