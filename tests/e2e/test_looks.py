"""What axe cannot see: colours that some cannot tell apart or that a system forces, weight, and standing still."""

from typing import Any

import pytest
from playwright.async_api import Page

from tests.e2e.people import seat_two
from tests.kit.games import every_key

pytestmark = pytest.mark.asyncio(loop_scope="session")

MOST_REQUESTS = 6
MOST_BYTES = 60_000
MOST_BYTES_OF_MODULES = 14_000

DEFICIENCIES = ("protanopia", "deuteranopia", "tritanopia", "achromatopsia")

_SHIFTS = """
window.shifted = 0
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shifted += entry.value
}).observe({ type: "layout-shift", buffered: true })
"""


async def loaded(page: Page, address: str) -> dict[str, int]:
    """Open an address for the first time; return by its kind how many bytes came, in how many requests."""
    client = await page.context.new_cdp_session(page)
    await client.send("Network.enable")
    kinds: dict[str, str] = {}
    sizes: dict[str, int] = {}
    client.on("Network.responseReceived", lambda event: kinds.update({event["requestId"]: event["type"]}))
    client.on(
        "Network.loadingFinished",
        lambda event: sizes.update({event["requestId"]: int(event["encodedDataLength"])}),
    )
    await page.goto(address)
    await page.wait_for_timeout(500)
    # What is fetched besides is news: bots move whenever they like.
    kinds = {request: kind for request, kind in kinds.items() if kind != "Fetch"}
    found: dict[str, int] = {"requests": len(kinds)}
    for request, kind in kinds.items():
        found[kind] = found.get(kind, 0) + sizes.get(request, 0)
    return found


@every_key
async def test_the_first_page_of_a_table_is_light_and_stands_still(visitors, game):
    anna = await visitors.new(phone=True)
    match = await anna.make_table(game, ("me", "bot", "bot"))
    await anna.expect_turn_or_end()
    cookies: Any = await anna.context.cookies()
    bert = await visitors.new(phone=True)
    await bert.context.add_cookies(cookies)
    await bert.page.add_init_script(_SHIFTS)
    found = await loaded(bert.page, f"/m/{match}")
    assert found.pop("requests") <= MOST_REQUESTS, found
    assert sum(found.values()) <= MOST_BYTES, found
    assert found["Script"] <= MOST_BYTES_OF_MODULES, found
    assert round(await bert.page.evaluate("window.shifted"), 2) == 0


async def test_a_table_stands_still_while_others_move(visitors):
    anna, bert = await visitors.new("Anna", phone=True), await visitors.new("Bert")
    await anna.page.add_init_script(_SHIFTS)
    await seat_two(anna, bert, "lama", option_first="1")
    await bert.expect_turn()
    await anna.page.reload()
    await bert.page.click("#draw")
    await anna.expect_turn()
    await anna.page.wait_for_timeout(300)
    assert await anna.page.evaluate("window.shifted") < 0.01


async def _colours(page: Page, selectors: list[str]) -> list[tuple[float, float, float]]:
    """Return the colours of backgrounds as somebody sees them."""
    boxes = []
    for selector in selectors:
        box = await page.locator(selector).first.bounding_box()
        assert box is not None, selector
        boxes.append(box)
    shot = await page.screenshot()
    found: list[tuple[float, float, float]] = await page.evaluate(
        """async ([bytes, boxes]) => {
            const image = await createImageBitmap(new Blob([new Uint8Array(bytes)], { type: "image/png" }))
            const canvas = new OffscreenCanvas(image.width, image.height)
            const paper = canvas.getContext("2d")
            paper.drawImage(image, 0, 0)
            return boxes.map(({ x, y, width }) => [...paper.getImageData(x + width / 2, y + 3, 1, 1).data].slice(0, 3))
        }""",
        [list(shot), boxes],
    )
    return found


@pytest.mark.parametrize("deficiency", DEFICIENCIES)
async def test_nothing_is_told_by_colour_alone(visitors, deficiency):
    """People have a monogram each, and cards a numeral each and a shape: colours may run together."""
    anna = await visitors.new()
    page = anna.page
    # A card on its way may lie over the very place whose colour is taken.
    await page.emulate_media(reduced_motion="reduce")
    await anna.make_table("lama", ("me", *("bot",) * 5))
    await anna.expect_turn_or_end()
    client = await page.context.new_cdp_session(page)
    await client.send("Emulation.setEmulatedVisionDeficiency", {"type": deficiency})
    signs = await page.locator(".opponents .plate .sign, .own .sign").all_inner_texts()
    assert len(signs) == len(set(signs)) == 6
    # What says "your turn" stands out from the felt in lightness, not only in hue.
    mine, felt = await _colours(page, ["#status .turn.mine", ".felt"])
    assert abs(_lightness(mine) - _lightness(felt)) > 0.3, (mine, felt)


def _lightness(colour: tuple[float, float, float]) -> float:
    red, green, blue = ((part / 255) ** 2.2 for part in colour)
    return float((0.2126 * red + 0.7152 * green + 0.0722 * blue) ** 0.5)


async def test_where_a_system_forces_its_colours_cards_and_signs_are_still_drawn(visitors):
    anna = await visitors.new()
    page = anna.page
    await page.emulate_media(forced_colors="active")
    await anna.make_table("lama", ("me", "bot", "bot"))
    await anna.expect_turn_or_end()
    for selector in (".middle .card", ".own .card", ".opponents .plate .sign"):
        border = await page.locator(selector).first.evaluate(
            "one => [getComputedStyle(one).borderTopStyle, getComputedStyle(one).borderTopWidth]"
        )
        assert border[0] == "solid", selector
        assert border[1] != "0px", selector
