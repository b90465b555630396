"""What Skyjo's table says: places by row and column, what drawing means, how the last lap stands."""

import re

import pytest

from api.pages.table import render_table
from tests.e2e.skyjo_scenes import last_lap, until
from tests.integration.api.pages.scenes import Played


def moves_of(played: Played, seat: int, **more: str) -> str:
    return str(render_table(played.scene(seat, **more))["moves"])


def at_a_turn(undo: str) -> tuple[Played, int]:
    played = Played("skyjo", seats=2, undo=undo).begin()
    while "draw" not in moves_of(played, seat := played.scene(None).view.to_act[0]):
        played.play(1, lambda moves: moves[0])
    return played, seat


@pytest.mark.parametrize(
    ("undo", "said"),
    [
        ("off", "Drawing cannot be taken back."),
        ("free", "Drawing cannot be taken back."),
        ("consent", "Drawing is taken back only if all others agree."),
        ("practice", ""),
    ],
)
def test_before_one_draws_it_is_said_whether_that_can_be_taken_back(undo, said):
    shown = moves_of(*at_a_turn(undo))
    assert ("taken back" in shown) == bool(said)
    assert said in shown
    assert ('aria-describedby="final"' in shown) == bool(said)


def test_slots_are_called_by_row_and_column_and_by_no_number():
    played, seat = at_a_turn("off")
    shown = moves_of(played, seat, choice="take")
    said = re.findall(r"Put it in (row \d, column \d):", shown)
    assert said == [f"row {row}, column {column}" for row in (1, 2, 3) for column in (1, 2, 3, 4)]
    assert re.search(r"slot \d", re.sub(r"<[^>]*>", "", shown)) is None


def test_the_last_lap_says_who_closed_for_how_much_and_who_still_plays():
    played, seat = until(last_lap, 3)
    view = played.scene(seat).game
    total = sum(cell for cell in view.boards[view.closer] if isinstance(cell, int))
    name = played.scene(seat).names[view.closer]
    assert total > 0
    shown = moves_of(played, seat)
    assert f"Last lap: {name} closed with {total}. You have one more turn." in shown
    assert f"Doubled if anybody else ends with {total} or less." in shown
    closer = moves_of(played, view.closer)
    assert f"Last lap: you closed with {total}. Doubled" in closer
    assert "one more turn" not in closer
