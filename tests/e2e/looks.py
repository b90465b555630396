"""What every page owes its readers: no finding of axe, nothing cut off, nothing too small to be pressed."""

from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page

from tests.e2e.people import Visitor


async def assert_accessible(visitor: Visitor, page: Page | None = None) -> None:
    shown = page or visitor.page
    found = await Axe().run(shown)
    told = [
        (violation["id"], [node["html"][:200] for node in violation["nodes"]])
        for violation in found.response["violations"]
    ]
    assert told == [], shown.url


async def assert_nothing_cut_off(page: Page, address: str, zoom: str = "100%") -> None:
    """Open an address with text of a size, in the window as it is."""
    await page.goto(address)
    await page.evaluate("size => document.documentElement.style.setProperty('font-size', size)", zoom)
    wide = await page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, (address, page.viewport_size, zoom)


async def assert_targets_are_large(page: Page) -> None:
    """Whatever is pressed is at least 44 pixels high and wide."""
    small = await page.evaluate(
        """() => [...document.querySelectorAll("button, summary, select, .top a, .button, label.pick")]
            .filter(one => one.checkVisibility())
            .map(one => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
            .filter(([, box]) => box.height < 44 || box.width < 44).map(([html]) => html)"""
    )
    assert small == [], page.url
