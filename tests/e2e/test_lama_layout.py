"""L.A.M.A.'s table on a screen: nothing that a turn needs has to be scrolled to, and what fits stands out."""

from itertools import pairwise

import pytest

from domain.games.lama.cards import points_of
from tests.e2e.lama_scenes import scene_of
from tests.e2e.layouts import DESKTOP, PHONE, SMALL, boxes, is_within, overlap
from tests.e2e.staged import show

pytestmark = pytest.mark.asyncio(loop_scope="session")


async def looked_at(page, name: str, seats: int, size: tuple[int, int], language: str = "fr") -> None:
    # French is the longer of the two languages.
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await show(page, scene_of(name, seats, language))


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("seats", [2, 6])
async def test_what_a_turn_needs_is_on_the_screen_without_scrolling(page, seats, size):
    for name in ("turn", "late", "many", "chips"):
        await looked_at(page, name, seats, size)
        hand, middle = await boxes(page, ".own .hand .card"), await boxes(page, ".middle .card")
        actions = (await boxes(page, ".actions"))[0]
        needed = await boxes(
            page, "#status .turn, .opponent, .middle figcaption, .actions .hint, .actions .row > *, .held"
        )
        for box in (*hand, *middle, *needed):
            assert is_within(box, size), (name, box)
        assert len(middle) == 2, name
        assert min(box["width"] for box in middle) >= 80, name
        for box in (*hand, *middle):
            assert not overlap(box, actions), (name, box)
        for box in hand:
            assert not any(overlap(box, other) for other in middle), (name, box)


async def test_the_hand_is_one_row_in_which_what_fits_is_raised(page):
    await looked_at(page, "many", 2, PHONE)
    fitting, others = await boxes(page, ".own button.pick .card"), await boxes(page, ".own span.pick .card")
    assert len(fitting) + len(others) >= 13
    assert len({round(box["y"]) for box in fitting}) == len({round(box["y"]) for box in others}) == 1
    assert fitting[0]["y"] < others[0]["y"] - 8
    # Each shows enough to be told and tapped; equal ones lie beside each other.
    lefts = sorted(box["x"] for box in (*fitting, *others))
    assert min(right - left for left, right in pairwise(lefts)) >= 18
    names = await page.locator(".own .hand .card").evaluate_all("all => all.map((one) => one.ariaLabel)")
    assert sum(one != other for one, other in pairwise(names)) == len(set(names)) - 1


async def test_chips_are_drawn_and_told_and_quitting_says_what_it_costs(page):
    await looked_at(page, "late", 6, PHONE, "en")
    total = int(await page.locator(".own .total .said").inner_text())
    chips = page.locator(".own .counters")
    assert await chips.locator(".black").count() * 10 + await chips.locator(".white").count() == total
    assert "white chip" in await page.locator(".own .chips").inner_text()
    assert await page.locator(".chip .left", has_text="has quit").count() >= 1
    summary = page.locator("#quit-first > summary")
    scene = scene_of("late", 6)
    assert f"Quit now: {points_of(scene.game.hands[scene.seat])} points" in await summary.inner_text()
    await summary.click()
    assert is_within((await boxes(page, "#quit"))[0], PHONE)


async def test_a_round_s_end_has_room_for_chips(page):
    await looked_at(page, "round_end", 6, SMALL)
    (table,) = await boxes(page, ".reckoning")
    chips = await boxes(page, ".reckoning .counters .card")
    assert chips
    assert max(chip["right"] for chip in chips) <= table["right"]
    # Four in a row: what does not fit into its column is cut off at the table's edge.
    assert min(cell["width"] for cell in await boxes(page, ".reckoning td:last-child")) >= 60


@pytest.mark.parametrize(("size", "type_size"), [(SMALL, 100), (PHONE, 200)])
async def test_small_screens_and_large_type_cut_nothing_off(page, size, type_size):
    for name in ("late", "many", "chips", "round_end"):
        await looked_at(page, name, 6, size)
        await page.evaluate("size => { document.documentElement.style.fontSize = `${size}%` }", type_size)
        assert await page.evaluate("document.documentElement.scrollWidth") <= size[0], name
        for box in await boxes(page, ".own .hand .card, .middle .card, .actions .row > *, .opponent, .held"):
            assert box["x"] >= 0, (name, box)
            assert box["right"] <= size[0] + 0.5, (name, box)
