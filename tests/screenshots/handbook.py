"""The pictures of the guide: ``make screenshots ARGS=--handbook`` takes them all, in both languages.

They are written where the pages take them from, small. A picture that looks as before is left alone, so that a run
changes only what has changed.
"""

import argparse
import asyncio
import io
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from PIL import Image, ImageChops, ImageStat
from playwright.async_api import Browser, Page, async_playwright

from tests.e2e.service import CHROMIUM, FLAGS, Service
from tests.kit.checkout import ROOT
from tests.screenshots.handbook_house import House
from tests.screenshots.handbook_shots import SHOTS, Shot

FOLDER: Final = ROOT / "docs" / "handbook" / "pictures"

_SHARPNESS: Final = 1.4
"""Pixels of a picture for each of the page: legible on fine screens, and small."""

_QUALITY: Final = 40
_PACE: Final = 6
"""Slower paces win few bytes for many seconds."""

_ALIKE: Final = 1.5
"""Up to which mean difference of its channels, of 255, a picture looks as before."""

_FRAME: Final = """([selectors, space]) => {
    const found = selectors.flatMap((selector) => [...document.querySelectorAll(selector)])
        .filter((one) => one.checkVisibility())
    const boxes = found.map((one) => one.getBoundingClientRect())
    if (!boxes.length) throw new Error("nothing to be seen: " + selectors)
    const left = Math.max(0, Math.min(...boxes.map((box) => box.left)) - space)
    const top = Math.max(0, Math.min(...boxes.map((box) => box.top + scrollY)) - space)
    const right = Math.min(innerWidth, Math.max(...boxes.map((box) => box.right)) + space)
    const bottom = Math.max(...boxes.map((box) => box.bottom + scrollY)) + space
    return { x: left, y: top, width: right - left, height: bottom - top }
}"""

_MARK: Final = """(selectors) => selectors.forEach((selector, number) => {
    const part = [...document.querySelectorAll(selector)].find((one) => one.checkVisibility())
    if (!part) throw new Error("nothing to be marked: " + selector)
    const box = part.getBoundingClientRect()
    const mark = document.createElement("b")
    mark.className = "taken-mark"
    mark.textContent = number + 1
    Object.assign(mark.style, {
        position: "fixed", left: `${Math.max(2, box.left - 11)}px`, top: `${Math.max(2, box.top - 11)}px`,
        width: "24px", height: "24px", borderRadius: "50%", display: "grid", placeItems: "center", zIndex: 99,
        background: "#b3261e", color: "#fff", border: "2px solid #fff", font: "700 14px/1 system-ui, sans-serif",
        boxShadow: "0 1px 4px rgb(0 0 0 / 60%)",
    })
    const above = part.closest("[popover]")
    ;(above ?? document.body).append(mark)
})"""

_UNMARK: Final = "document.querySelectorAll('.taken-mark').forEach((one) => one.remove())"


async def take_shot(page: Page, shot: Shot, file: Path) -> None:
    """Take the picture of what a page shows."""
    await page.set_viewport_size(shot.size)
    frame = await page.evaluate(_FRAME, [list(shot.frame), shot.space])
    width, height = shot.size["width"], shot.size["height"]
    if frame["y"] + frame["height"] > height:
        # What lies on the screen's bottom stays there only if all of it is on the screen.
        await page.set_viewport_size({"width": width, "height": int(frame["y"] + frame["height"]) + 8})
        frame = await page.evaluate(_FRAME, [list(shot.frame), shot.space])
    await page.evaluate("scrollTo(0, 0)")
    await page.evaluate(_MARK, list(shot.marks))
    write(file, await page.screenshot(clip=frame, animations="disabled", caret="hide"))
    await page.evaluate(_UNMARK)
    await page.set_viewport_size(shot.size)


def write(file: Path, taken: bytes) -> None:
    """Write a picture, unless the one that is there looks the same."""
    picture = Image.open(io.BytesIO(taken)).convert("RGB")
    if file.exists():
        before = Image.open(file).convert("RGB")
        if before.size == picture.size:
            apart = ImageStat.Stat(ImageChops.difference(before, picture)).mean
            if sum(apart) / len(apart) < _ALIKE:
                return
    picture.save(file, "AVIF", quality=_QUALITY, speed=_PACE)


async def take_in(
    browser: Browser, service: Service, language: str, only: Sequence[str], folder: Path
) -> list[str]:
    """Take the pictures of one language; return what could not be taken."""
    house = House(browser, service, language, _SHARPNESS)
    missed = []
    for shot in SHOTS:
        if only and not any(shot.name.startswith(one) for one in only):
            continue
        try:
            await take_shot(await shot.come(house), shot, folder / f"{shot.name}.{language}.avif")
        except Exception as error:  # noqa: BLE001 - whatever kept one picture away keeps no other one away.
            missed.append(f"{shot.name}.{language}: {error}")
    await house.close()
    return missed


async def _take_all(service: Service, wanted: argparse.Namespace, folder: Path) -> list[str]:
    missed: list[str] = []
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for language in wanted.languages:
            missed += await take_in(browser, service, language, wanted.only, folder)
        await browser.close()
    return missed


def take_handbook(wanted: argparse.Namespace) -> list[str]:
    """Take the pictures of the guide that are wanted; remove those that are no more; return what was missed."""
    folder: Path = wanted.folder or FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as data:
        service = Service(Path(data))
        service.start()
        try:
            missed = asyncio.run(_take_all(service, wanted, folder))
        finally:
            service.stop()
    names = {shot.name for shot in SHOTS}
    for file in folder.glob("*.avif"):
        if file.name.partition(".")[0] not in names:
            file.unlink()
    return missed
