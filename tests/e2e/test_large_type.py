"""Twice as large letters, on a phone and on a desk, and the smallest screens: all tables stay whole at a turn."""

from itertools import combinations

import pytest

from tests.e2e import lama_scenes, odin_scenes, skyjo_scenes
from tests.e2e.layouts import DESKTOP, PHONE, SMALL, boxes, cut_off, overlap, set_type
from tests.e2e.staged import show

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize(
    ("size", "type_size"), [(PHONE, 200), (DESKTOP, 200), (SMALL, 100)], ids=["phone", "desktop", "small"]
)
async def test_nothing_of_a_turn_is_cut_or_lies_over_another_thing(page, size, type_size):
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    for scene in (
        lama_scenes.scene_of("late", 4, "fr"),
        odin_scenes.scene_of("taking", 4, "fr"),
        skyjo_scenes.scene_of("turn", 4, "fr"),
    ):
        await show(page, scene)
        await set_type(page, type_size)
        game = scene.game_key
        assert await page.evaluate("document.documentElement.scrollWidth") <= size[0], game
        assert await cut_off(page) == [], game
        # At the end of the page, where what can be done lies over nothing any more.
        await page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
        parts = [
            await boxes(page, selector)
            for selector in (
                "#status .turn",
                ".opponents",
                ".since",
                ".middle figcaption, .middle .card, .piles",
                ".own .plate",
                ".own .slots, .own .fan, .own .hand",
                ".actions > *",
            )
        ]
        for some, others in combinations(parts, 2):
            for one in some:
                assert not any(overlap(one, other) for other in others), (game, one, others)
