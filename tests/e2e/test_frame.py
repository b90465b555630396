"""The frame of a table: the sheet of a round's end, what others did, two steps, and how somebody wants their pages."""

import pytest
from playwright.async_api import Page, expect

from tests.e2e.looks import assert_accessible
from tests.e2e.people import Visitor, seat_two

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def end_a_round(first: Visitor, second: Visitor) -> None:
    """Let both quit their round of L.A.M.A."""
    await seat_two(first, second, "lama", option_first="0")
    await first.expect_turn()
    await first.quit_round()
    await second.expect_turn()
    await second.quit_round()


async def test_the_end_of_a_round_stays_until_one_goes_on(visitors):
    anna, bert = await visitors.new("Anna"), await visitors.new("Bert", phone=True, theme="dark")
    await end_a_round(anna, bert)
    for visitor in (anna, bert):
        page = visitor.page
        sheet = page.locator("#round-end")
        await expect(sheet).to_be_visible()
        await expect(sheet.locator("tbody tr")).to_have_count(2)
        await expect(page.locator("#go-on")).to_be_focused()
        await assert_accessible(visitor)
        # Nothing beneath it can be reached while it lies there, and a new page shows it again.
        assert await sheet.evaluate("one => one.matches(':modal')")
        await page.reload()
        await expect(sheet).to_be_visible()
    await anna.page.click("#go-on")
    await bert.page.keyboard.press("Escape")
    for visitor in (anna, bert):
        await expect(visitor.page.locator("#round-end")).to_have_count(0)
        await visitor.page.reload()
        await expect(visitor.page.locator("#board")).to_be_visible()
        await expect(visitor.page.locator("#round-end")).to_have_count(0)


async def test_without_scripts_the_end_of_a_round_stays_too(visitors):
    anna, bert = await visitors.new("Anna", script=False), await visitors.new("Bert")
    match = await anna.make_table("lama", ("me", "person"), option_first="0")
    await bert.sit(match)
    await bert.be_ready()
    await bert.expect_dealt()
    await anna.page.goto(f"/m/{match}")
    await anna.quit_round()
    await bert.expect_turn()
    await bert.quit_round()
    await expect(bert.page.locator("#round-end")).to_be_visible()
    await anna.page.goto(f"/m/{match}")
    await expect(anna.page.locator("#round-end")).to_be_visible()
    await anna.page.click("#go-on")
    await expect(anna.page.locator("#round-end")).to_have_count(0)
    assert anna.page.url.endswith(match)


async def test_what_others_did_since_ones_own_move_is_told_and_marked_and_can_be_folded(visitors):
    anna = await visitors.new("Anna", phone=True)
    await anna.make_table("lama", ("me", "bot", "bot", "bot"), option_first="0")
    await anna.expect_turn()
    await anna.page.click("#draw")
    await expect(anna.page.locator("#status")).to_contain_text("your turn", ignore_case=True)
    await anna.expect_turn()
    since = anna.page.locator(".since")
    await expect(since.locator("li")).to_have_count(3)
    await since.locator("summary").click()
    await expect(since.locator("li").first).to_be_hidden()


async def drawn_by(page: Page) -> int:
    return await page.locator("#history li", has_text="You draw").count()


async def test_a_move_takes_two_presses_for_whoever_wants_that(visitors):
    anna = await visitors.new("Anna")
    page = anna.page
    await page.goto("/me")
    await page.select_option("#display [name=confirm]", "always")
    await page.select_option("#display [name=theme]", "contrast")
    await page.select_option("#display [name=sound]", "on")
    await page.select_option("#display [name=motion]", "off")
    await page.click("#display button")
    await anna.make_table("lama", ("me", "bot"), option_first="0")
    await anna.expect_turn()
    await assert_accessible(anna)
    assert await page.get_attribute("html", "data-theme") == "contrast"
    script = await page.get_attribute("script[type=module]", "src") or ""
    assert "confirm" in script
    assert "sound" in script
    assert "motion" not in script
    await page.click("#draw")
    await expect(page.locator("#again")).to_contain_text("Press again")
    assert await drawn_by(page) == 0
    await page.click("#draw")
    await expect(page.locator("#history li", has_text="You draw")).to_have_count(1)


async def test_a_lost_connection_is_told_and_the_page_goes_on_by_itself(visitors):
    anna = await visitors.new("Anna")
    await anna.make_table("lama", ("me", "bot"), option_first="0")
    await anna.expect_turn()
    await anna.context.set_offline(True)
    await expect(anna.page.locator("#away")).to_contain_text("No connection")
    await assert_accessible(anna)
    await anna.context.set_offline(False)
    await expect(anna.page.locator("#away")).to_be_empty()
    await anna.page.click("#draw")
    await expect(anna.page.locator("#history li", has_text="You draw")).to_have_count(1)


async def test_the_status_is_said_once(visitors):
    """Only the status line speaks: what moves around it, the strip and the history, is read when one wants to."""
    anna = await visitors.new("Anna")
    await anna.make_table("lama", ("me", "bot"), option_first="0")
    await anna.expect_turn()
    speaking = await anna.page.evaluate(
        """() => [...document.querySelectorAll("[role=status], [role=alert], [aria-live]")]
            .filter((one) => one.checkVisibility() && one.textContent.trim()).map((one) => one.id)"""
    )
    assert speaking == ["status"]
    said = await anna.page.locator("#status").inner_text()
    assert said.count("turn") == 1


async def test_cards_move_and_any_press_ends_that(visitors):
    anna = await visitors.new("Anna")
    page = anna.page
    await page.add_init_script(
        """window.moved = 0
        const animate = Element.prototype.animate
        Element.prototype.animate = function (...all) { window.moved++; return animate.apply(this, all) }"""
    )
    # With several bots somebody is left to play with: who is alone in a round may not draw.
    await anna.make_table("lama", ("me", "bot", "bot", "bot"), option_first="0")
    await anna.expect_turn()
    await page.click("#draw")
    await expect(page.locator("#history li", has_text="You draw")).to_have_count(1)
    assert await page.evaluate("window.moved") > 0
    # Looked at in the same breath: the bots' moves may come at any time.
    moving = await page.evaluate(
        """async () => {
            document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "Shift", bubbles: true }))
            for (let turn = 0; turn < 9; turn++) await null
            const isMoving = (one) => one.playState === "running" && one.effect.target.matches(".card")
            return document.getAnimations().filter(isMoving).length + document.querySelectorAll(".ghost").length
        }"""
    )
    assert moving == 0
    await page.emulate_media(reduced_motion="reduce")
    await anna.expect_turn()
    moved = await page.evaluate("window.moved")
    await page.locator("#draw").click()
    await expect(page.locator("#history li", has_text="You draw")).to_have_count(2)
    assert await page.evaluate("window.moved") == moved


@pytest.mark.parametrize("visibility", ["public", "private"])
async def test_whoever_is_known_no_more_finds_a_way_on(visitors, visibility):
    anna = await visitors.new("Anna")
    match = await anna.make_table("lama", ("me", "bot"), option_first="0", visibility=visibility)
    await anna.expect_turn()
    # It is the press that finds out, and not the page on its own.
    await anna.page.route("**/fragment?*", lambda route: route.abort())
    await anna.context.clear_cookies()
    await anna.page.click("#draw")
    back = anna.page.locator(f"main a[href='/back?table={match}']")
    await expect(back).to_be_visible()
    await assert_accessible(anna)


async def test_two_tabs_show_the_same_table_and_make_one_move(visitors):
    anna = await visitors.new("Anna")
    match = await anna.make_table("lama", ("me", "bot"), option_first="0")
    await anna.expect_turn()
    other = await anna.context.new_page()
    await other.goto(f"/m/{match}")
    await anna.page.click("#draw")
    await anna.page.bring_to_front()
    await expect(anna.page.locator("#history li", has_text="You draw")).to_have_count(1)
    await other.bring_to_front()
    await expect(other.locator("#history li", has_text="You draw")).to_have_count(1)
    for page in (anna.page, other):
        await expect(page.locator(".turn.mine")).to_be_visible()
        await expect(page.locator("#moves .pick")).to_have_count(7)
