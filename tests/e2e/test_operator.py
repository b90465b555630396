"""The operator's pages in a browser: the way in, the keys, what changes while one looks, and access for everybody."""

import subprocess
import sys

import pytest
from playwright.async_api import expect

from tests.e2e.looks import assert_accessible
from tests.kit.environment import without_settings

pytestmark = pytest.mark.asyncio(loop_scope="session")

PAGES = ("/ops", "/ops?game=odin&state=finished", "/ops/queues", "/ops/keys", "/ops/no/such/page")


@pytest.fixture
def link(service):
    """Makes a link as an operator does, at the command line."""

    def made() -> str:
        command = [sys.executable, "-m", "api.command_line.main", "operator-link"]
        environment = without_settings()
        told = subprocess.run(
            [*command, "--data", str(service._folder / "data")],
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        )
        return told.stdout.strip()

    return made


async def enter(visitor, link):
    await visitor.page.goto(link())
    await visitor.page.locator("main button").click()
    await visitor.page.wait_for_url("**/ops")


@pytest.mark.parametrize(("language", "theme"), [("en", "light"), ("fr", "dark")])
async def test_axe_finds_nothing_and_nothing_is_cut_off(visitors, link, language, theme):
    anna = await visitors.new(language=language, theme=theme, phone=theme == "dark")
    page = anna.page
    await page.goto("/ops/queues")
    await assert_accessible(anna)
    await page.goto(link())
    await assert_accessible(anna)
    await page.locator("main button").click()
    await page.wait_for_url("**/ops")
    match = await anna.make_table("lama", ("me", "bot"))
    await page.goto("/ops")
    await expect(page.locator("#list")).to_contain_text(match)
    for address in PAGES:
        await page.goto(address)
        await assert_accessible(anna)
        for width, size in ((320, "100%"), (640, "200%")):
            await page.set_viewport_size({"width": width, "height": 740})
            await page.evaluate("size => document.documentElement.style.setProperty('font-size', size)", size)
            wide = await page.evaluate(
                "document.documentElement.scrollWidth - document.documentElement.clientWidth"
            )
            assert wide <= 0, (address, width)


async def test_without_scripts_everything_works(visitors, link):
    anna = await visitors.new(script=False)
    await enter(anna, link)
    page = anna.page
    await page.locator("summary").click()
    await page.select_option("select[name=game]", "odin")
    await page.locator(".filters button").click()
    await page.wait_for_url("**game=odin**")
    await page.goto("/ops/queues")
    await page.get_by_role("button", name="Rebuild").click()
    await expect(page.locator("main")).to_contain_text("The rebuild is asked for.")
    await page.get_by_role("button", name="Leave").click()
    await page.goto("/ops")
    await expect(page.locator("h1")).to_have_text("For operators only")


async def test_keys_move_through_the_rows_and_leave_fields_alone(visitors, link):
    anna = await visitors.new()
    await enter(anna, link)
    page = anna.page
    first, second = await anna.make_table("lama", ("me", "bot")), await anna.make_table("odin", ("me", "bot"))
    await page.goto("/ops")
    await expect(page.locator("#list")).to_contain_text(second)
    await page.reload()
    focused = "document.activeElement.getAttribute('href')"
    await page.keyboard.press("j")
    assert await page.evaluate(focused) == f"/ops/m/{second}"
    await page.keyboard.press("j")
    assert await page.evaluate(focused) == f"/ops/m/{first}"
    await page.keyboard.press("k")
    assert await page.evaluate(focused) == f"/ops/m/{second}"
    await page.keyboard.press("/")
    await page.keyboard.type("j?k/")
    await expect(page.locator("[data-search]")).to_have_value("j?k/")
    await page.keyboard.press("Escape")
    await page.keyboard.press("?")
    await page.wait_for_url("**/ops/keys")


async def test_the_list_changes_while_one_looks_and_the_focus_stays(visitors, link):
    anna, bert = await visitors.new(), await visitors.new("Bert")
    await enter(anna, link)
    await anna.page.keyboard.press("/")
    match = await bert.make_table("skyjo", ("me", "bot"))
    await expect(anna.page.locator("#list")).to_contain_text(match)
    await expect(anna.page.locator("#list")).to_contain_text("Bert")
    assert await anna.page.evaluate("document.activeElement.name") == "match"
