"""What every page owes its readers: no finding of axe, nothing cut off, nothing too small to be pressed."""

from typing import Final

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


WINDOWS: Final = ((320, "100%"), (640, "200%"), (1280, "200%"))
"""Widths in pixels, with sizes of text."""


async def assert_nothing_cut_off(page: Page, *addresses: str) -> None:
    """Open each address, in small windows and with large text: nothing is wider than the window."""
    for address in addresses:
        await page.goto(address)
        for width, zoom in WINDOWS:
            await page.set_viewport_size({"width": width, "height": 740})
            wide = await page.evaluate(
                """size => {
                    const root = document.documentElement
                    root.style.setProperty("font-size", size)
                    return root.scrollWidth - root.clientWidth
                }""",
                zoom,
            )
            assert wide <= 0, (address, width, zoom)


async def assert_targets_are_large(page: Page) -> None:
    """Whatever is pressed is at least 44 pixels high and wide."""
    small = await page.evaluate(
        """() => [...document.querySelectorAll("button, summary, select, .top a, .button, label.pick")]
            .filter(one => one.checkVisibility())
            .map(one => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
            .filter(([, box]) => box.height < 44 || box.width < 44).map(([html]) => html)"""
    )
    assert small == [], page.url
