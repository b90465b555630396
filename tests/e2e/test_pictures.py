"""Tables as pictures, compared with kept ones; small, and with room for other fonts.

After a wanted change: ``UPDATE_GOLDEN=1 make test ARGS="tests/e2e/test_pictures.py"``, and look at the pictures. The
frame is that of a game from outside, so that its pictures change with the frame and with nothing else.
"""

import base64
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Page

from api.pages.scene import Scene
from tests.e2e import lama_scenes, odin_scenes, skyjo_scenes
from tests.e2e.staged import show
from tests.e2e.test_states import DESKTOP, PHONE, gathering, match_end, my_turn, round_end

pytestmark = pytest.mark.asyncio(loop_scope="session")

KEPT = Path(__file__).parent / "pictures"
WIDTH = {PHONE: 90, DESKTOP: 180}

MOST_ON_AVERAGE = 6
"""How much a picture may differ in each channel of each pixel, of 255."""

MOST_ELSEWHERE = 0.04
"""Which share of the pixels may differ by more than a fifth: text runs otherwise in other fonts."""

_SMALL = """async ([bytes, width]) => {
    const image = await createImageBitmap(new Blob([Uint8Array.from(atob(bytes), (one) => one.charCodeAt())]))
    const height = Math.round(image.height * width / image.width)
    const canvas = new OffscreenCanvas(width, height)
    const paper = canvas.getContext("2d")
    paper.imageSmoothingQuality = "high"
    paper.drawImage(image, 0, 0, width, height)
    const whole = await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer()
    return btoa(String.fromCharCode(...new Uint8Array(whole)))
}"""

_DIFFERENCE = """async ([one, other]) => {
    const pixels = await Promise.all([one, other].map(async (bytes) => {
        const image = await createImageBitmap(new Blob([Uint8Array.from(atob(bytes), (one) => one.charCodeAt())]))
        const paper = new OffscreenCanvas(image.width, image.height).getContext("2d")
        paper.drawImage(image, 0, 0)
        return paper.getImageData(0, 0, image.width, image.height).data
    }))
    if (pixels[0].length !== pixels[1].length) return [255, 1]
    const apart = [...pixels[0]].map((value, at) => Math.abs(value - pixels[1][at]))
    const far = apart.filter((value) => value > 51).length
    return [apart.reduce((sum, value) => sum + value, 0) / apart.length, far / apart.length]
}"""


async def picture_of(page: Page, width: int) -> bytes:
    """Return a small picture of what a page shows."""
    whole = base64.b64encode(await page.screenshot()).decode()
    return base64.b64decode(await page.evaluate(_SMALL, [whole, width]))


PICTURES: dict[str, Callable[[], Scene]] = {
    "gathering": lambda: gathering("alone", "en"),
    "my_turn": lambda: my_turn("alone", "en"),
    "round_end": lambda: round_end("alone", "en"),
    "match_end": lambda: match_end("alone", "en"),
    "lama": lambda: lama_scenes.scene_of("turn", 4),
    "odin": lambda: odin_scenes.scene_of("taking", 4),
    "skyjo": lambda: skyjo_scenes.scene_of("gone", 4),
}


@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize(("size", "theme"), [(PHONE, "light"), (DESKTOP, "dark")], ids=["phone", "desktop"])
async def test_a_table_looks_as_it_did(browser, name, size, theme):
    viewport: Any = {"width": size[0], "height": size[1]}
    context = await browser.new_context(viewport=viewport, color_scheme=theme, reduced_motion="reduce")
    page = await context.new_page()
    await show(page, PICTURES[name]())
    found = await picture_of(page, WIDTH[size])
    kept = KEPT / f"{name}.{theme}.png"
    if os.environ.get("UPDATE_GOLDEN"):
        KEPT.mkdir(exist_ok=True)
        kept.write_bytes(found)
    both = [base64.b64encode(one).decode() for one in (found, kept.read_bytes())]
    apart, elsewhere = await page.evaluate(_DIFFERENCE, both)
    await context.close()
    assert apart < MOST_ON_AVERAGE, kept
    assert elsewhere < MOST_ELSEWHERE, kept
