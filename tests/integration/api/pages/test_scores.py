"""What the sheet of a round's end says agrees with what the chips and the result say."""

from msgspec.structs import replace

from api.pages.scene import Scene
from tests.integration.api.pages.scenes import Played


def after_a_chip_went_back() -> Scene:
    """Play rounds of L.A.M.A. until somebody who went out has returned a chip; look before the next move."""
    played = Played("lama", seats=2, options={"first": 0}).begin()
    for _ in range(400):
        scene = played.play(1, lambda moves: moves[0]).scene(0)
        if scene.settled:
            return scene
    raise AssertionError("nobody returned a chip")


def test_the_sheet_of_a_round_holds_the_chip_that_went_back_and_says_so():
    scene = after_a_chip_went_back()
    assert scene.scored is not None
    assert scene.scored.data["totals"] == list(scene.game.totals)
    counted = next(line for line in scene.lines if line.version == scene.scored.version)
    assert scene.scored.data["totals"] != counted.data["totals"]
    assert [line.type for line in scene.settled] == ["ChipReturned"]


def test_nothing_is_settled_where_no_chip_went_back():
    scene = after_a_chip_went_back()
    before = replace(scene, lines=tuple(line for line in scene.lines if not line.settles_score))
    assert before.settled == []
    assert before.scored is not None
    assert before.scored.data["totals"] != list(scene.game.totals)
