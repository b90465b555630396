"""Where things stand on a screen, measured: what a turn needs is on it, and nothing of it lies under something else."""

from typing import Any

from playwright.async_api import Page

PHONE, DESKTOP, SMALL = (360, 740), (1366, 768), (320, 568)

Box = dict[str, Any]

_BOXES = """selector => [...document.querySelectorAll(selector)].map((one) => {
    const { x, y, right, bottom, width, height } = one.getBoundingClientRect()
    return { x, y, right, bottom, width, height, name: `${one.id || one.className.baseVal || one.className}` }
})"""


async def boxes(page: Page, selector: str) -> list[Box]:
    """Return where all that is shown of a selector stands."""
    found: list[Box] = await page.evaluate(_BOXES, selector)
    return [box for box in found if box["width"] and box["height"]]


def is_within(box: Box, size: tuple[int, int]) -> bool:
    """Tell whether all of it is on a screen of a size; half a pixel may be lost to rounding."""
    width, height = size
    return bool(
        box["x"] >= -0.5
        and box["y"] >= -0.5
        and box["right"] <= width + 0.5
        and box["bottom"] <= height + 0.5
    )


def overlap(one: Box, other: Box) -> bool:
    """Tell whether two things lie over each other by more than a pixel."""
    return bool(
        one["x"] < other["right"] - 1
        and other["x"] < one["right"] - 1
        and one["y"] < other["bottom"] - 1
        and other["y"] < one["bottom"] - 1
    )


_CUT = """() => [...document.querySelectorAll(".felt *, .bar *")].filter((one) => {
    const { overflowX, clipPath } = getComputedStyle(one)
    const { width, left, right } = one.getBoundingClientRect()
    if (one.closest("svg, .unseen") || !one.checkVisibility() || width < 2 || clipPath !== "none") return false
    const hides = ["hidden", "clip"].includes(overflowX) && one.scrollWidth > one.clientWidth + 1
    return hides || left < -1 || right > document.documentElement.clientWidth + 1
}).map((one) => `${one.className.baseVal ?? one.className}: ${one.textContent.trim().slice(0, 40)}`)"""


async def cut_off(page: Page) -> list[str]:
    """Return what of a table is cut at its own edge, or lies beside the screen."""
    found: list[str] = await page.evaluate(_CUT)
    return found


async def set_type(page: Page, size: int) -> None:
    """Let all letters be so many hundredths of what they are."""
    await page.evaluate("size => { document.documentElement.style.fontSize = `${size}%` }", size)
