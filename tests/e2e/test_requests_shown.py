"""What somebody asks of the others lies over the table, and moves nobody's cards."""

import pytest
from msgspec.structs import replace

from api.pages.offers import OpenRequest
from api.pages.scene import Scene
from domain.match.state import Request
from tests.e2e import lama_scenes, odin_scenes, skyjo_scenes
from tests.e2e.layouts import DESKTOP, PHONE, boxes, is_within
from tests.e2e.staged import show
from tests.integration.api.pages.scenes import NOW

pytestmark = pytest.mark.asyncio(loop_scope="session")

_MINE = ".own .card, .actions"


def scenes() -> list[Scene]:
    return [
        lama_scenes.scene_of("late", 6, "fr"),
        odin_scenes.scene_of("taking", 6, "fr"),
        skyjo_scenes.scene_of("turn", 6, "fr"),
    ]


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_a_request_moves_nobodys_cards_and_can_be_answered_and_folded(page, size):
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    for scene in scenes():
        await show(page, scene)
        before = await boxes(page, _MINE)
        asked = OpenRequest(Request("r1", "end", 0, NOW), is_mine=False, waits_for_me=True)
        await show(page, replace(scene, requests=(asked,), now=NOW))
        assert await boxes(page, _MINE) == before
        for box in await boxes(page, "#agree, #refuse, .request > summary"):
            assert is_within(box, size), box
        await page.locator(".request > summary").click()
        assert await page.locator("#agree").is_hidden()
        assert await boxes(page, _MINE) == before
