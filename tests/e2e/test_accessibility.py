"""Every page for everybody: no finding of axe in both languages and both themes, nothing cut off, nothing too small."""

import pytest
from playwright.async_api import expect

from tests.e2e.looks import assert_accessible, assert_nothing_cut_off, assert_targets_are_large
from tests.e2e.people import seat_two
from tests.kit.games import GAME_KEYS

ABOUT_ME = (
    "/me",
    "/me/devices",
    "/me/matches",
    "/me/bookmarks",
    "/me/code",
    "/me/link",
    "/me/erase",
    "/me/notices",
    "/me/contacts",
    "/confirm/nothing",
    "/back",
    "/privacy",
    "/s/nothing",
)

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("fr", "dark")])
async def test_axe_finds_nothing(visitors, language, theme):
    anna = await visitors.new(language=language, theme=theme, phone=theme == "dark")
    page = anna.page
    plain = ("/", "/new", "/new?game=odin", "/rules", "/rules/skyjo", "/guide", "/guide/hosts", "/help/keys")
    for address in (*plain, "/no/such/page"):
        await page.goto(address)
        await assert_accessible(anna)
    for game in GAME_KEYS:
        await anna.make_table(game, ("me", "bot", "bot"))
        await anna.expect_turn_or_end()
        await anna.open_menu()
        await assert_accessible(anna)
        await page.goto(f"/m/{anna.match}/replay")
        await assert_accessible(anna)
        await page.goto(f"/m/{anna.match}/history")
        await assert_accessible(anna)
    for address in ("/", *ABOUT_ME):
        await page.goto(address)
        await assert_accessible(anna)
    for address in ("/me/code", "/me/link"):
        await page.goto(address)
        await page.click(f'form[action="{address}"] button')
        await assert_accessible(anna)


@pytest.mark.parametrize(("language", "theme"), [("fr", "light"), ("en", "dark")])
async def test_axe_finds_nothing_while_people_gather_and_at_the_end(visitors, language, theme):
    anna = await visitors.new("Anna", language=language, theme=theme)
    bert = await visitors.new("Bert", language=language, theme=theme)
    await seat_two(anna, bert, "lama", option_limit="single", option_first="0")
    stranger = await visitors.new("Clara", language=language, theme=theme)
    match = await stranger.make_table("skyjo", ("me", "person"))
    await assert_accessible(stranger)
    await bert.page.goto(f"/m/{match}/sit")
    await assert_accessible(bert)
    await stranger.page.goto(f"/m/{anna.match}")
    await assert_accessible(stranger)
    await anna.quit_round()
    await bert.page.goto(f"/m/{anna.match}")
    await bert.quit_round()
    await expect(anna.page.locator(".ranking")).to_be_visible()
    await assert_accessible(anna)


async def test_nothing_is_cut_off_at_320_pixels_and_with_text_of_twice_the_size(visitors):
    anna = await visitors.new(phone=True, language="fr")
    for game in GAME_KEYS:
        match = await anna.make_table(game, ("me", "bot", "bot", "bot"))
        await assert_nothing_cut_off(
            anna.page, f"/m/{match}", f"/new?game={game}", f"/m/{match}/replay", f"/rules/{game}"
        )
    await assert_nothing_cut_off(anna.page, "/", "/guide/players", *ABOUT_ME)


async def test_what_is_pressed_is_at_least_44_pixels_high(visitors):
    anna = await visitors.new(phone=True)
    page = anna.page
    for game in GAME_KEYS:
        await anna.make_table(game, ("me", "bot"))
        await anna.expect_turn_or_end()
        await anna.open_menu()
        await assert_targets_are_large(page)


async def test_the_focus_stays_in_its_part_when_its_button_goes(visitors):
    anna, bert = await visitors.new("Anna"), await visitors.new("Bert")
    await seat_two(anna, bert, "lama", option_first="0")
    await anna.expect_turn()
    await anna.page.focus("#draw")
    await anna.page.keyboard.press("Enter")
    await expect(anna.page.locator("#status")).to_contain_text("Waiting for Bert.")
    assert await anna.page.evaluate("document.activeElement.id") == "moves"
    await bert.page.click("#draw")
    await anna.expect_turn()
    assert await anna.page.evaluate("document.activeElement.id") == "moves"
