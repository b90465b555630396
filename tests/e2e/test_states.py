"""Every state of a table, staged without a service: for everybody, in both languages, light, dark and with contrast."""

from collections.abc import Callable
from typing import Any

import pytest
from axe_playwright_python.async_playwright import Axe
from playwright.async_api import Page

from api.pages.scene import Scene
from api.pages.visits import Preferences
from domain.games.registry import CURRENT
from tests.e2e import lama_scenes, odin_scenes, skyjo_scenes
from tests.e2e.staged import show, staged
from tests.integration.api.pages.scenes import Played
from tests.integration.api.pages.test_golden import first_of
from tests.kit.games import every_key

pytestmark = pytest.mark.asyncio(loop_scope="session")

PHONE, DESKTOP = (360, 740), (1366, 768)

LOOKS = (
    ("fr", "dark", PHONE),
    ("en", "light", DESKTOP),
    ("en", "contrast", DESKTOP),
)


def gathering(game: str, language: str, **more: Any) -> Scene:
    return Played(game, seats=3).scene(1, language, is_host=True, **more)


def my_turn(game: str, language: str, **more: Any) -> Scene:
    played = Played(game, seats=3).begin().play(9)
    return staged(played, played.scene(None).view.to_act[0], language, **more)


def others_turn(game: str, language: str, **more: Any) -> Scene:
    played = Played(game, seats=3).begin().play(9)
    return staged(played, (played.scene(None).view.to_act[0] + 1) % 3, language, **more)


def watched(game: str, language: str, **more: Any) -> Scene:
    return staged(Played(game, seats=3).begin().play(9), None, language, **more)


def round_end(game: str, language: str, **more: Any) -> Scene:
    played = Played(game, seats=3).begin()
    for _ in range(2000):
        scene = staged(played, 0, language, **more)
        if scene.sheet is not None:
            return scene
        played.play(1, first_of("quit", "play", "swap", "flip", "draw"))
    raise AssertionError("no round ends")


def match_end(game: str, language: str, **more: Any) -> Scene:
    short = "limit" in CURRENT[game].options_type.__struct_fields__
    played = Played(game, seats=3, options={"limit": "single"} if short else {}).begin()
    played.play(4000, first_of("play", "quit", "swap", "flip", "draw"))
    assert played.is_over
    return staged(played, 0, language, **more)


STATES: tuple[Callable[..., Scene], ...] = (gathering, my_turn, others_turn, watched, round_end, match_end)


PHASES: dict[str, tuple[Callable[[str, int, str], Scene], int, tuple[str, ...]]] = {
    "lama": (lama_scenes.scene_of, 6, ("late", "chips")),
    "odin": (odin_scenes.scene_of, 6, ("beating", "taking", "passing")),
    "skyjo": (skyjo_scenes.scene_of, 8, ("reveal", "take", "drawn", "flip", "lap")),
}
"""What a turn can ask besides, by game: who shows it, at a table of how many, and its names."""


async def look_at(page: Page, scene: Scene, theme: str, size: tuple[int, int]) -> None:
    await page.set_viewport_size({"width": size[0], "height": size[1]})
    await page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
    await show(page, scene)


@every_key
@pytest.mark.parametrize(("language", "theme", "size"), LOOKS)
async def test_axe_finds_nothing_in_any_state(page, game, language, theme, size):
    preferences = Preferences(theme="contrast" if theme == "contrast" else "")
    scenes = [(state.__name__, state(game, language, preferences=preferences)) for state in STATES]
    if game in PHASES and theme != "contrast":
        scene_of, seats, names = PHASES[game]
        scenes += [(name, scene_of(name, seats, language)) for name in names]
    for name, scene in scenes:
        await look_at(page, scene, theme, size)
        found = await Axe().run(page)
        told = [
            (wrong["id"], [node["html"][:160] for node in wrong["nodes"]])
            for wrong in found.response["violations"]
        ]
        assert told == [], (name, theme, size)


@every_key
@pytest.mark.parametrize("size", [PHONE, DESKTOP], ids=["phone", "desktop"])
async def test_nothing_that_a_turn_needs_has_to_be_scrolled_to(page, game, size):
    most = CURRENT[game].seats[1]
    played = Played(game, seats=most).begin().play(2 * most)
    scene = staged(played, played.scene(None).view.to_act[0])
    await look_at(page, scene, "light", size)
    below = await page.evaluate(
        """() => [...document.querySelectorAll("#status .turn, .middle .card, #moves :is(.card, button, summary)")]
            .filter((one) => one.checkVisibility())
            .map((one) => [one.outerHTML.slice(0, 90), one.getBoundingClientRect()])
            .filter(([, { height, top, bottom }]) => height > 0 && (bottom > innerHeight + 1 || top < 0))
            .map(([html, { bottom }]) => [html, bottom])"""
    )
    assert below == []
