"""Two people at one table, and what goes wrong on the way between a page and its table."""

import asyncio
import re

import pytest
from playwright.async_api import Route, expect

from domain.match.levels import DEFAULT_LEVEL
from tests.e2e.people import seat_two

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_two_browsers_see_each_other_move(visitors):
    anna, bert = await visitors.new("Anna"), await visitors.new("Bert", language="fr")
    await seat_two(anna, bert, "lama", option_first="0")
    await anna.expect_turn()
    assert "Your turn" in await anna.page.title()
    icon = await anna.page.get_attribute("#icon", "href")
    assert icon is not None
    assert "turn.svg" in icon
    await expect(bert.page.locator("#status")).to_contain_text("On attend Anna.")
    await anna.page.click("#draw")
    await expect(anna.page.locator("#status")).to_contain_text("Waiting for Bert.")
    await expect(bert.page.locator("#status")).to_contain_text("Anna pioche une carte.")
    await bert.expect_turn()
    await expect(bert.page).to_have_title(re.compile("^● À toi de jouer"))
    await bert.quit_round()
    await expect(anna.page.locator("#status")).to_contain_text("Bert quits the round.")
    await anna.expect_turn()


async def test_a_double_click_is_one_move_and_a_form_posted_twice_is_one_too(visitors):
    anna, bert = await visitors.new("Anna"), await visitors.new("Bert")
    await seat_two(anna, bert, "lama", option_first="0")
    await anna.expect_turn()
    form = await anna.page.locator("#moves form").first.evaluate(
        "form => new URLSearchParams([...new FormData(form), ['move', 'draw']]).toString()"
    )
    action = await anna.page.locator("#moves form").first.get_attribute("action")
    await anna.page.dblclick("#draw")
    await expect(anna.page.locator("#status")).to_contain_text("Waiting for Bert.")
    for _ in range(2):
        again = await anna.context.request.post(
            action or "",
            data=form,
            headers={"Content-Type": "application/x-www-form-urlencoded", "Origin": anna.address},
        )
        assert again.status == 200
    await anna.page.reload()
    await expect(anna.page.locator("#history li", has_text="You draw")).to_have_count(1)
    await expect(anna.page.locator("#moves .pick")).to_have_count(7)


async def test_a_stale_page_is_told_so_kindly_and_shows_how_it_stands(visitors):
    anna, bert = await visitors.new("Anna", script=False), await visitors.new("Bert")
    match = await anna.make_table("lama", ("me", "person"), option_first="0")
    await bert.sit(match)
    await bert.be_ready()
    await bert.expect_dealt()
    await anna.page.reload()
    old = await anna.context.new_page()
    await old.goto(f"/m/{match}")
    await anna.page.click("#draw")
    await bert.expect_turn()
    await old.locator("#quit-first > summary").click()
    await old.click("#quit")
    await expect(old.locator(".notice")).to_contain_text("nothing was done")
    await expect(old.locator("#status")).to_contain_text("Waiting for Bert.")
    await expect(old.locator("#history")).not_to_contain_text("You quit")
    await old.goto(f"/m/{match}/move")
    assert old.url.endswith(f"/m/{match}")


async def test_back_and_forward_show_how_things_stand(visitors):
    anna = await visitors.new()
    await anna.make_table("skyjo", ("me", "bot"))
    page = anna.page
    table = page.url
    await page.locator("#moves button.pick").first.click()
    await expect(page.locator("#moves button.pick")).to_have_count(11)
    await page.goto("/rules/skyjo")
    await page.go_back()
    await page.wait_for_url(table)
    await expect(page.locator("#moves button.pick")).to_have_count(11)
    await page.locator("#moves button.pick").first.click()
    while not await page.locator("#take").count():
        await anna.expect_turn()
        await page.wait_for_timeout(50)
    catching_up, take_pressed = asyncio.Event(), asyncio.Event()

    async def slow(route: Route) -> None:
        catching_up.set()
        await take_pressed.wait()
        await route.continue_()

    # What is pressed while the page catches up is shown all the same.
    await page.route("**/fragment?*", slow, times=1)
    await page.evaluate("new BroadcastChannel('tablee').postMessage({})")
    await catching_up.wait()
    await page.click("#take")
    take_pressed.set()
    await expect(page.locator("#back")).to_be_visible()
    await page.go_back()
    await expect(page.locator("#draw")).to_be_visible()
    assert page.url == table


async def test_a_page_catches_up_after_the_service_was_away(visitors, service):
    anna, bert = await visitors.new("Anna"), await visitors.new("Bert")
    await seat_two(anna, bert, "lama", option_first="0")
    await anna.expect_turn()
    assert await asyncio.to_thread(service.stop) < 10
    await anna.page.click("#draw")
    await expect(anna.page.locator("#away")).to_contain_text("does not answer")
    await asyncio.to_thread(service.start)
    await anna.page.click("#draw")
    await expect(anna.page.locator("#status")).to_contain_text("Waiting for Bert.")
    await expect(bert.page.locator("#status")).to_contain_text("Anna draws a card.", timeout=20_000)


async def test_one_stream_serves_a_browser_and_hidden_tabs_hold_none(visitors):
    anna = await visitors.new("Anna")
    first = await anna.make_table("lama", ("me", "bot"))
    other = await anna.context.new_page()
    await other.goto("/")
    await expect(other.locator(".tables .mine, .tables li").first).to_be_visible()
    await other.wait_for_timeout(300)
    assert sum("/me/stream" in url for url in anna.requests) == 1
    await anna.page.bring_to_front()
    await anna.expect_turn()
    live = await other.evaluate("document.getElementById('main').dataset.live")
    # The other tab holds no stream and fetches its list anew all the same.
    async with other.expect_request(lambda request: request.url.split("?")[0].endswith(live)):
        await anna.quit_round()
    assert first in (await other.locator(".tables a").first.get_attribute("href") or "")


async def test_the_language_can_be_changed_in_mid_match(visitors):
    anna = await visitors.new()
    await anna.make_table("lama", ("me", "bot"))
    await anna.expect_turn()
    await anna.page.click("#draw")
    await anna.page.get_by_role("button", name="Français").click()
    await expect(anna.page.locator("#history")).to_contain_text("Tu pioches")
    assert await anna.page.get_attribute("html", "lang") == "fr"
    await anna.page.get_by_role("button", name="English").click()
    await expect(anna.page.locator("#history")).to_contain_text("You draw")


async def test_a_move_is_taken_back_and_played_again(visitors):
    anna = await visitors.new()
    await anna.make_table("lama", ("me", "bot"))
    await anna.expect_turn()
    await anna.page.click("#draw")
    await anna.expect_turn()
    await anna.page.click("#undo")
    await expect(anna.page.locator("#history")).to_contain_text("You take back your turn.")
    await expect(anna.page.locator("#moves .pick")).to_have_count(6)
    await anna.page.click("#redo")
    await expect(anna.page.locator("#history")).to_contain_text("You replay what was taken back.")


async def test_consent_is_asked_for_and_given(visitors):
    anna, bert = await visitors.new("Anna"), await visitors.new("Bert")
    await seat_two(anna, bert, "lama", option_first="0", undo="consent")
    await anna.expect_turn()
    await anna.page.click("#draw")
    await expect(anna.page.locator("#undo")).to_have_text("Ask to take back my move")
    await anna.page.click("#undo")
    await expect(anna.page.locator("#requests")).to_contain_text("You ask the others")
    await expect(bert.page.locator("#requests")).to_contain_text("Anna asks to take back a turn.")
    await bert.page.click("#agree")
    await anna.expect_turn()
    await expect(anna.page.locator("#moves .pick")).to_have_count(6)


async def test_the_menu_hands_over_comes_back_gives_up_and_ends(visitors):
    anna, bert = await visitors.new("Anna"), await visitors.new("Bert")
    await seat_two(anna, bert, "lama", bots=1)
    page = anna.page
    await anna.open_menu()
    await page.click("#hand-to-bot")
    await expect(page.locator("#history")).to_contain_text("A bot plays for you from now on")
    await page.click("#reclaim")
    await expect(page.locator("#history")).to_contain_text("You are back and play for yourself again.")
    await bert.open_menu()
    await bert.page.locator("#giving-up > summary").click()
    await bert.page.click("#resign")
    await expect(page.locator("#history")).to_contain_text("Bert gives up")
    await anna.open_menu()
    await page.locator("#ending > summary").click()
    await page.click("#abandon")
    await expect(page.locator("#status")).to_contain_text("The host ends the match without a result.")
    await page.get_by_role("link", name="Make a similar table").click()
    await expect(page.locator("#people")).to_have_value("2")
    await expect(page.locator(f"#bots-{DEFAULT_LEVEL}")).to_have_value("1")
    # Enter in a field makes the table; it is not a press of the first step.
    await page.press("input[name=name]", "Enter")
    await page.wait_for_url("**/m/*")


async def test_one_plays_against_bots_with_one_press(visitors):
    anna = await visitors.new("Anna")
    await anna.page.goto("/")
    await anna.page.locator("form[action='/play'] button").first.click()
    await anna.page.wait_for_url("**/m/*")
    await expect(anna.page.locator("#moves, #status").first).to_be_visible()
    await anna.expect_turn_or_end()


async def test_after_a_change_of_seats_everybody_promises_a_new_word_and_the_match_says_whose_there_are(
    visitors,
):
    anna, bert, cleo = [await visitors.new(name) for name in ("Anna", "Bert", "Cleo")]
    match = await anna.make_table("lama", ("me", "person"))
    await bert.sit(match)
    # Anna is ready, as she made the table: her browser shows her word when all sit.
    await expect(anna.page.locator("#history")).to_contain_text("You show the random word")
    await bert.open_menu()
    await bert.page.click("#leave")
    await expect(anna.page.locator("#history")).to_contain_text("the random words that were shown are void")
    await expect(anna.page.locator("#history li", has_text="You announce a random word")).to_have_count(2)
    await cleo.sit(match)
    await expect(anna.page.locator("#history li", has_text="You show the random word")).to_have_count(2)
    await cleo.be_ready()
    await expect(anna.page.locator("#history")).to_contain_text("the random words of 2 seats")


async def test_whoever_looks_at_a_result_is_told_that_it_is_played_again(visitors):
    anna, bert = await visitors.new("Anna"), await visitors.new("Bert")
    await seat_two(anna, bert, "lama", option_limit="single", option_first="0")
    for visitor in (anna, bert):
        await visitor.expect_turn()
        await visitor.quit_round()
    for visitor in (anna, bert):
        await expect(visitor.page.locator(".result")).to_be_visible()
    # From when a match is over it is watched whether it is played again; a page that comes then knows it is over.
    await bert.page.reload()
    await anna.page.get_by_role("button", name="Play again").click()
    await expect(bert.page.locator(".result .hint")).to_contain_text("a seat is kept for you")


async def test_a_press_is_not_lost_when_news_arrives_before_it_is_let_go(visitors):
    anna, bert = await visitors.new("Anna"), await visitors.new("Bert")
    match = await anna.make_table("lama", ("me", "person", "person"))
    await bert.sit(match)
    clara = await visitors.new("Clara")
    await clara.page.goto(f"/m/{match}/sit")
    await clara.page.fill("input[name=name]", "Clara")
    ready = bert.page.locator("#ready")
    await ready.hover()
    async with bert.page.expect_response("**/fragment?*"):
        await bert.page.mouse.down()
        await clara.page.locator("#sitting button").last.click(no_wait_after=True)
    await bert.page.mouse.up()
    await expect(ready).to_have_count(0)
