"""A match that somebody took along is opened from a file, where no service is, and replays there."""

from pathlib import Path

import pytest
from playwright.async_api import expect

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_a_page_that_was_taken_along_replays_without_a_service(visitors, tmp_path: Path):
    anna = await visitors.new("Anna", phone=True)
    match = await anna.make_table("lama", ("me", "bot"), option_first="0")
    await anna.expect_turn()
    await anna.page.click("#draw")
    await anna.expect_turn_or_end()
    async with anna.page.expect_download() as coming:
        await anna.page.goto(f"/m/{match}/replay")
        await anna.page.click(".bar .menu")
        await anna.page.click(f"a[href='/m/{match}/keepsake']")
    file = tmp_path / (await coming.value).suggested_filename
    await (await coming.value).save_as(file)
    assert file.name == f"{match}.html"
    assert file.stat().st_size < 200_000

    browser = anna.context.browser
    assert browser is not None
    elsewhere = await browser.new_context(viewport={"width": 360, "height": 740})
    page = await elsewhere.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    await page.goto(file.as_uri())
    await expect(page.locator("html[data-ready]")).to_have_count(1)
    first = await page.locator("#at").inner_text()
    for _ in range(2):
        await page.keyboard.press("ArrowRight")
    await expect(page.locator("#at")).not_to_have_text(first)
    await page.keyboard.press("End")
    await expect(page.locator("#last")).to_have_attribute("aria-disabled", "true")
    await page.click("#first")
    await expect(page.locator("#at")).to_have_text(first)
    # The shapes of the cards are in the page: a card is drawn, not an empty frame.
    drawn = page.locator(".middle .card use").first
    assert await drawn.evaluate("one => one.getBBox().width > 0")
    assert await page.evaluate("document.documentElement.scrollWidth") <= 360
    assert asked == [file.as_uri()]
    await elsewhere.close()
    anna.assert_calm()
