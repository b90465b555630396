"""The pages as an app: what a device keeps, and what it shows when there is no network."""

import pytest
from playwright.async_api import expect

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def test_without_a_network_an_honest_page_is_shown_and_nothing_of_a_table_is_kept(visitors):
    anna = await visitors.new("Anna")
    page = anna.page
    # Pages do this by themselves under HTTPS.
    await page.goto("/")
    await page.evaluate(
        "async () => { await navigator.serviceWorker.register('/sw.js'); await navigator.serviceWorker.ready }"
    )
    match = await anna.make_table("lama", ("me", "bot"), option_first="0")
    await anna.expect_turn()
    await page.reload()
    await anna.context.set_offline(True)
    await page.goto(f"/m/{match}")
    await expect(page.locator("h1")).to_have_text("There is no connection")
    kept = await page.evaluate(
        """async () => {
            const names = await caches.keys()
            const caught = await Promise.all(names.map(async (name) => (await caches.open(name)).keys()))
            return caught.flat().map((one) => new URL(one.url).pathname)
        }"""
    )
    assert "/offline" in kept
    assert any(path.startswith("/static/") for path in kept)
    assert all(path == "/offline" or path.startswith("/static/") for path in kept), kept
    await anna.context.set_offline(False)
    await page.click("a.main")
    await expect(page.locator("#tables a").first).to_have_attribute("href", f"/m/{match}")


async def test_a_device_is_told_how_to_keep_the_pages(visitors):
    anna = await visitors.new("Anna", language="fr")
    await anna.page.goto("/")
    address = await anna.page.get_attribute("link[rel=manifest]", "href")
    manifest = await anna.page.evaluate("async (address) => (await fetch(address)).json()", address)
    assert manifest["lang"] == "fr"
    assert manifest["start_url"] == manifest["scope"] == "/"
    for icon in manifest["icons"]:
        picture = await anna.context.request.get(icon["src"])
        assert picture.headers["content-type"] == "image/png"
        width = int.from_bytes((await picture.body())[16:20], "big")
        assert icon["sizes"] == f"{width}x{width}"
