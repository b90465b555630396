"""A few tables, letter by letter.

After a wanted change: ``UPDATE_GOLDEN=1 make test ARGS="tests/integration/api/pages/test_golden.py"``, and look at the
difference.
"""

import os
import re
from pathlib import Path

import pytest

from api.pages.scene import Scene
from api.pages.table import render_fragment
from tests.integration.api.pages.scenes import Played

GOLDEN = Path(__file__).parent / "golden"


def first_of(*kinds: str):
    """Choose the first legal move of the first kind that there is."""

    def choose(moves):
        for kind in kinds:
            for move in moves:
                if type(move).__name__.lower() == kind:
                    return move
        return moves[0]

    return choose


def lama_to_move() -> Scene:
    played = Played("lama", options={"first": 0}).begin().play(3, first_of("play", "draw"))
    return played.scene(0)


def lama_scored() -> Scene:
    played = Played("lama", options={"first": 0}).begin().play(3, first_of("quit"))
    return played.scene(1, "fr")


def odin_spectated() -> Scene:
    return Played("odin", options={"first": 1}).begin().play(2, first_of("play")).scene(None)


def odin_to_take() -> Scene:
    played = Played("odin", seats=2, options={"first": 1}).begin()
    return played.play(1, first_of("play")).scene(0, "fr")


def skyjo_drawn() -> Scene:
    played = Played("skyjo", seats=2).begin().play(2, lambda moves: moves[-1]).play(1, first_of("draw"))
    seat = played.scene(None).view.to_act[0]
    return played.scene(seat, choice="flip")


def gathering() -> Scene:
    return Played("skyjo", seats=2).scene(1, "fr", is_host=True)


def finished() -> Scene:
    return (
        Played("lama", seats=2, options={"limit": "single", "first": 0})
        .begin()
        .play(2, first_of("quit"))
        .scene(0)
    )


SCENES = (lama_to_move, lama_scored, odin_spectated, odin_to_take, skyjo_drawn, gathering, finished)


@pytest.mark.parametrize("scene", SCENES, ids=lambda scene: scene.__name__)
def test_a_table_looks_as_it_did(scene):
    html = re.sub(r"/static/[0-9a-f]+/", "/static/STAMP/", str(render_fragment(scene()))) + "\n"
    file = GOLDEN / f"{scene.__name__}.html"
    if os.environ.get("UPDATE_GOLDEN"):
        file.write_text(html)
    assert html == file.read_text()
