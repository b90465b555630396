"""What comes between a page and its table: sleep, an upgrade; and the one sound that calls somebody back."""

import pytest
from playwright.async_api import Page, Route, expect

from api.pages.static_files import stamp
from tests.e2e.people import Visitor, seat_two

pytestmark = pytest.mark.asyncio(loop_scope="session")

_EARLIER = "0123456789ab"
"""What stood for the static files of an earlier release."""

_COUNT_TONES = """
window.contexts = window.tones = 0
const Real = AudioContext
window.AudioContext = class extends Real {
  constructor() { super(); window.contexts++ }
  createOscillator() { window.tones++; return super.createOscillator() }
}
"""


async def drawn(page: Page) -> int:
    return await page.locator("#history li", has_text="You draw").count()


async def test_a_page_wakes_with_its_machine(visitors):
    """Timers stood still, and of the stream nothing comes any more, not even its end."""
    anna, bert = await visitors.new("Anna"), await visitors.new("Bert")
    await seat_two(anna, bert, "lama", option_first="0")
    await anna.expect_turn()
    streams: list[Route] = []

    async def keep_silent(route: Route) -> None:
        streams.append(route)
        if len(streams) > 1:
            await route.continue_()

    await anna.page.route("**/me/stream*", keep_silent)
    await anna.page.clock.install()
    await anna.page.reload()
    await anna.page.click("#draw")
    await bert.expect_turn()
    await bert.page.click("#draw")
    await expect(bert.page.locator("#status")).to_contain_text("Waiting for Anna.")
    await expect(anna.page.locator("#status")).to_contain_text("Waiting for Bert.")
    assert len(streams) == 1
    await anna.page.clock.fast_forward("08:00:00")
    await anna.expect_turn()
    assert await drawn(anna.page) == 1
    await anna.page.click("#draw")
    await expect(bert.page.locator("#status")).to_contain_text("Anna draws a card.")
    # One answer gets lost: the page asks again though nothing else happens.
    await anna.page.route("**/fragment?*", lambda route: route.abort(), times=1)
    async with anna.page.expect_event("requestfailed"):
        await bert.page.click("#draw")
    await anna.page.clock.fast_forward("00:05")
    await anna.expect_turn()
    assert await drawn(anna.page) == 2


async def from_earlier_release(visitor: Visitor) -> None:
    """Load a page as a release before this one would have sent it."""

    async def answer(route: Route) -> None:
        sent = await route.fetch()
        await route.fulfill(response=sent, body=(await sent.text()).replace(stamp(), _EARLIER))

    await visitor.page.route(f"**/m/{visitor.match}", answer, times=1)
    await visitor.page.reload()


async def test_a_page_goes_on_when_the_house_is_upgraded_under_it(visitors):
    anna, bert = await visitors.new("Anna"), await visitors.new("Bert")
    await seat_two(anna, bert, "lama", option_first="0")
    await anna.expect_turn()
    for visitor in (anna, bert):
        await from_earlier_release(visitor)
        assert _EARLIER in (await visitor.page.get_attribute("#icon", "href") or "")
    await bert.page.click("#talk-fold > summary")
    await bert.page.fill("#say", "half said")
    await anna.page.click("#draw")
    # Anna's page was loaded anew with her move. Bert's waits until he has said what he is about to say.
    await expect(anna.page.locator("#icon")).to_have_attribute("data-calm", f"/static/{stamp()}/icon.svg")
    await expect(anna.page.locator("#status")).to_contain_text("Waiting for Bert.")
    assert await drawn(anna.page) == 1
    await bert.expect_turn()
    await expect(bert.page.locator("#say")).to_have_value("half said")
    await bert.page.press("#say", "Enter")
    await expect(bert.page.locator("#talk .lines")).to_contain_text("half said")
    await bert.page.click("#draw")
    await expect(bert.page.locator("#icon")).to_have_attribute("data-calm", f"/static/{stamp()}/icon.svg")
    await expect(bert.page.locator("#talk-fold")).to_contain_text("(1)")
    await anna.expect_turn()
    await anna.page.click("#draw")
    await expect(anna.page.locator("#history li", has_text="You draw")).to_have_count(2)


async def test_a_sound_means_that_it_is_ones_turn_and_is_off_unless_wished_for(visitors):
    anna, bert = await visitors.new("Anna"), await visitors.new("Bert")
    for visitor in (anna, bert):
        await visitor.page.add_init_script(_COUNT_TONES)
    await anna.page.goto("/me")
    await anna.page.select_option("#display [name=sound]", "on")
    await anna.page.click("#display button")
    await seat_two(anna, bert, "lama", option_first="0")
    for turn in (1, 2):
        for visitor in (anna, bert):
            await visitor.expect_turn()
            await visitor.page.click("#draw")
            await expect(visitor.page.locator("#history li", has_text="You draw")).to_have_count(turn)
    await anna.expect_turn()
    # Twice Bert's move made it Anna's turn: two tones each, and nothing for what she did herself.
    assert await anna.page.evaluate("[contexts, tones]") == [1, 4]
    assert await bert.page.evaluate("[contexts, tones]") == [0, 0]
