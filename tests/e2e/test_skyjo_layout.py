"""Skyjo's table on a screen: nothing that a turn needs has to be scrolled to, and cards are large enough to be read."""

import pytest
from axe_playwright_python.async_playwright import Axe
from msgspec.structs import replace
from playwright.async_api import Page

from api.pages.offers import Offers
from tests.e2e.layouts import DESKTOP, PHONE, SMALL, boxes, overlap
from tests.e2e.skyjo_scenes import scene_of, watched
from tests.e2e.staged import show

pytestmark = pytest.mark.asyncio(loop_scope="session")

ZOOMED = (683, 384)
TURNS = ("reveal", "take", "drawn", "lap")
LEAST = {PHONE: 57, DESKTOP: 90}
"""How wide one's own cards are at least, in pixels."""


async def looked_at(page: Page, name: str, seats: int, size: tuple[int, int], language: str = "en") -> None:
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await show(page, scene_of(name, seats, language))


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("seats", [2, 4, 8])
async def test_what_a_turn_needs_is_on_the_screen_without_scrolling(page, seats, size):
    for name in TURNS:
        # French is the longer of the two languages.
        await looked_at(page, name, seats, size, "fr")
        needed = await boxes(
            page,
            "#status .turn, .own .slot, .own .sums, .piles .card, .piles .caption, .actions > *, .opponent",
        )
        for box in needed:
            assert 0 <= box["x"] <= box["right"] <= size[0], (name, box)
            assert 0 <= box["y"] <= box["bottom"] <= size[1], (name, box)
        own = await boxes(page, ".own .slot")
        assert len(own) == 12
        assert min(box["width"] for box in own) >= LEAST[size]
        # What sticks to the bottom hides no card, and the piles lie beside the board.
        board, piles = (await boxes(page, ".own .board"))[0], (await boxes(page, ".piles"))[0]
        actions = (await boxes(page, ".actions"))[0]
        assert not overlap(board, actions), name
        assert not overlap(piles, actions), name
        assert not overlap(board, piles), name


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_a_table_stays_where_it_is_while_a_turn_goes_on(page, size):
    places = []
    for name in ("turn", "take"):
        await looked_at(page, name, 4, size)
        places.append([(box["x"], box["y"]) for box in await boxes(page, ".own .slot, .piles .card")])
    assert places[0] == places[1]


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_numerals_are_large_and_stay_on_their_cards(page, size):
    await looked_at(page, "gone", 4, size)
    cards = await page.evaluate(
        """() => [...document.querySelectorAll(".own .card:has(text), .piles .card:has(text)")].map((card) => {
            const outer = card.getBoundingClientRect(), text = card.querySelector("text")
            const inner = text.getBoundingClientRect()
            const size = parseFloat(getComputedStyle(text).fontSize) / 84
            return { wide: inner.width / outer.width, left: inner.x - outer.x, right: outer.right - inner.right, size }
        })"""
    )
    assert cards
    for card in cards:
        # A digit is 0.7 of its type's size.
        assert card["size"] * 0.7 >= 0.4, card
        assert card["left"] >= 0, card
        assert card["right"] >= 0, card


async def test_others_boards_have_all_their_numbers_and_can_be_opened_on_a_phone(page):
    await looked_at(page, "turn", 8, PHONE)
    chips = await boxes(page, ".chip")
    assert len(chips) == 7
    # Each lies small on its chip, all of it, below the sign and the points.
    for chip, slots, total in zip(
        chips, await boxes(page, ".opponent .slots"), await boxes(page, ".chip .total"), strict=True
    ):
        assert total["bottom"] <= slots["y"], (total, slots)
        assert chip["x"] <= slots["x"] < slots["right"] <= chip["right"], (chip, slots)
        assert slots["bottom"] <= chip["bottom"], (chip, slots)
    assert min(box["width"] for box in chips) >= 44
    await page.locator(".chip").first.click()
    board = page.locator(".seat:popover-open")
    assert min(box["width"] for box in await boxes(page, ".seat:popover-open .slots .cards")) >= 44
    assert await board.locator(".slots .cards").count() == 12
    told = await board.locator(".shown > .unseen").inner_text()
    assert told.startswith("Row 1: \N{MINUS SIGN}2, hidden, hidden, hidden. Row 2: ")


@pytest.mark.parametrize(("size", "type_size"), [(SMALL, 100), (PHONE, 200), (ZOOMED, 100)])
async def test_small_screens_and_large_type_cut_nothing_off(page, size, type_size):
    for name in ("drawn", "lap", "over"):
        await looked_at(page, name, 8, size)
        await page.evaluate("size => { document.documentElement.style.fontSize = `${size}%` }", type_size)
        assert await page.evaluate("document.documentElement.scrollWidth") <= size[0], name
        for box in await boxes(page, ".own .slot, .piles, .actions > *, .chip"):
            assert box["x"] >= 0, (name, box)
            assert box["right"] <= size[0], (name, box)


async def test_the_keyboard_goes_through_a_turn_in_the_order_of_the_eye(page):
    async def tabbed(times: int) -> list[str]:
        found = []
        for _ in range(times):
            await page.keyboard.press("Tab")
            found.append(await page.evaluate("document.activeElement.id"))
        return found

    await looked_at(page, "turn", 2, DESKTOP)
    assert [one for one in await tabbed(12) if one in {"draw", "take"}] == ["draw", "take"]
    await looked_at(page, "reveal", 2, DESKTOP)
    reached = list(dict.fromkeys(one for one in await tabbed(30) if one.startswith("slot-")))
    rows = [[f"slot-{column * 3 + row}" for column in range(4)] for row in range(3)]
    assert reached == [slot for row in rows for slot in row]


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_a_move_can_be_taken_back_without_hiding_a_card(page, size):
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await show(page, replace(scene_of("turn", 4), offers=Offers(undo="free", undo_to=1)))
    undo = (await boxes(page, "#undo"))[0]
    assert undo["height"] >= 36
    for box in await boxes(page, ".own .slot, .piles .card, .actions > *, .own .name"):
        assert not overlap(undo, box), box
    found = await Axe().run(page)
    assert [violation["id"] for violation in found.response["violations"]] == []


async def test_a_spectator_sees_the_piles_in_the_middle_and_nothing_to_press(page):
    await page.set_viewport_size({"width": DESKTOP[0], "height": DESKTOP[1]})
    await show(page, watched("turn", 4))
    assert len(await boxes(page, ".middle .pile .card")) == 2
    assert await page.locator("#moves [name=move]").count() == 0
