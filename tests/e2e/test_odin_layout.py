"""Odin's table on a screen: nothing that a turn needs has to be scrolled to, or lies under the buttons."""

import pytest
from msgspec.structs import replace

from tests.e2e.layouts import DESKTOP, PHONE, boxes, is_within, overlap
from tests.e2e.odin_scenes import SCENES, scene_of
from tests.e2e.staged import show

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
@pytest.mark.parametrize("seats", [2, 6])
async def test_what_a_turn_needs_is_on_the_screen_without_scrolling(page, seats, size):
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    for name in SCENES:
        # French is the longer of the two languages.
        scene = scene_of(name, seats, "fr")
        await show(page, scene)
        hand, middle = await boxes(page, ".own .hand .card"), await boxes(page, ".middle .card")
        actions = (await boxes(page, ".actions"))[0]
        needed = await boxes(
            page, "#status .turn, .opponent, .middle figcaption, .actions .hint, #play, #pass"
        )
        assert len(hand) == scene.game.hand_sizes[scene.seat], name
        assert len(middle) == len(scene.game.centre), name
        for box in (*hand, *middle, *needed):
            assert is_within(box, size), (name, box)
        for box in (*hand, *middle):
            assert not overlap(box, actions), (name, box)
        for box in hand:
            assert not any(overlap(box, other) for other in middle), (name, box)


async def test_lifting_a_card_lifts_it_and_keeps_the_buttons_in_their_place(page):
    await page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    await show(page, scene_of("leading", 6))
    before, buttons = (await boxes(page, ".own .hand .card"))[0], await boxes(page, ".actions")
    await page.locator(".own .hand input").first.check(force=True)
    await page.wait_for_function(
        "top => document.querySelector('.own .hand .card').getBoundingClientRect().y < top - 8",
        arg=before["y"],
    )
    assert (await boxes(page, ".actions"))[0]["bottom"] == buttons[0]["bottom"]


@pytest.mark.parametrize("whose", ["mine", "another's", "three others'"])
async def test_while_a_bot_plays_for_somebody_nothing_lies_over_the_hand(page, whose):
    await page.set_viewport_size({"width": PHONE[0], "height": PHONE[1]})
    scene = scene_of("beating", 6, "fr")
    seat = scene.seat or 0
    away = {"mine": [seat], "another's": [seat - 1], "three others'": [seat - 1, seat - 2, seat - 3]}[whose]
    away = [one % 6 for one in away]
    seats = [replace(one, stand_in=number in away) for number, one in enumerate(scene.view.seats)]
    legal = None if whose == "mine" else scene.view.legal
    await show(page, replace(scene, view=replace(scene.view, seats=tuple(seats), legal=legal)))
    hand, actions = await boxes(page, ".own .hand .card"), await boxes(page, ".actions")
    assert len(hand) == 9
    for box in hand:
        assert is_within(box, PHONE), box
        assert not any(overlap(box, other) for other in actions), box
