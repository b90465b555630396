"""How people press: with the keys alone, in the order in which the focus really goes, or with a thumb."""

from typing import Protocol

from playwright.async_api import Page

LISTEN = """
window.said = []
window.shown = 1
addEventListener("shown", () => window.shown++)
addEventListener("DOMContentLoaded", () => {
  const status = document.getElementById("status")
  if (!status) return
  const say = new MutationObserver(() => said.push(status.innerText.trim()))
  say.observe(status, { childList: true, subtree: true, characterData: true })
})
"""
"""Notes from a page's beginning what a screen reader would say of the status, and how often parts are shown."""

_MOST_KEYS = 80

_WAY = """(selector) => {
  const { activeElement: here } = document
  if (here.matches(selector)) return ""
  const there = [...document.querySelectorAll(selector)].find((one) => one.checkVisibility() && !one.disabled)
  if (!there) return "nothing"
  return here.compareDocumentPosition(there) & Node.DOCUMENT_POSITION_PRECEDING ? "Shift+Tab" : "Tab"
}"""
"""Tells which key leads to the next thing that a selector names."""


class Hands(Protocol):
    """What presses things on a page."""

    async def press(self, selector: str) -> None:
        """Press the first thing that a selector names and that can be pressed."""


class Keys:
    """Tab, Enter and the space bar."""

    def __init__(self, page: Page) -> None:
        self._page = page

    async def reach(self, selector: str) -> None:
        """Press Tab until the focus is on something that a selector names."""
        for _ in range(_MOST_KEYS):
            key = await self._page.evaluate(_WAY, selector)
            if not key:
                return
            if key == "nothing":
                break
            await self._page.keyboard.press(key)
        raise AssertionError(f"the focus never comes to {selector}")

    async def press(self, selector: str) -> None:
        await self.reach(selector)
        ticks = await self._page.evaluate("['checkbox', 'radio'].includes(document.activeElement.type)")
        await self._page.keyboard.press("Space" if ticks else "Enter")


class Thumb:
    """Taps on what one sees: a field that is ticked is tapped on its card."""

    def __init__(self, page: Page) -> None:
        self._page = page

    async def press(self, selector: str) -> None:
        found = self._page.locator(f":is({selector}):not(:disabled)").first
        label = self._page.locator("label.pick").filter(has=found)
        await (label.first if await label.count() else found).tap()
