"""A whole match in one answer, and the difference of two versions."""

from random import Random
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.games.registry import CURRENT
from domain.match.fold import beginning, positions
from domain.match.view import match_view, viewer_of
from domain.viewers import seat_viewer
from services.matches.changes import JsonValue, changes
from services.matches.replay import difference, plain_view, replay
from tests.kit.changes import apply
from tests.kit.games import every_key
from tests.kit.options import shortest
from tests.kit.play import Player
from tests.kit.table import Table, started

_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text("ab/~", max_size=3),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text("ab/~", max_size=2), inner, max_size=4)
    ),
    max_leaves=12,
)


@given(before=_JSON, after=_JSON)
def test_changes_turn_one_value_into_the_other(before, after):
    row = list(changes(before, after))

    assert msgspec.json.encode(apply(before, row), order="sorted") == msgspec.json.encode(
        after, order="sorted"
    )


@given(value=_JSON)
def test_nothing_changes_between_equal_values(value):
    assert not list(changes(value, value))


def test_what_is_gone_is_told_in_one_order_in_every_process():
    before: JsonValue = dict.fromkeys("pqrstuvwxyz", 1)

    assert list(changes(before, {})) == [[f"/{key}"] for key in "pqrstuvwxyz"]


def test_applying_changes_leaves_the_first_value_as_it_was():
    before: JsonValue = {"hand": ["1"]}

    assert apply(before, [["/hand/1", "2"]]) == {"hand": ["1", "2"]}
    assert before == {"hand": ["1"]}


def _over(game: str) -> Table:
    table = started(game, 3, options=shortest(CURRENT[game]), undo="practice")
    player = Player(table, Random(7))
    while player.is_on:
        player.random_move()
    return table


@every_key
@pytest.mark.parametrize("seat", [None, 1])
def test_the_steps_of_a_replay_lead_through_every_view(game, seat):
    table = _over(game)

    shown = replay("m1", table.entries, seat, table.state)

    view: Any = shown.start
    viewer = viewer_of(table.state, seat)
    rest = list(positions(beginning("m1"), table.entries))[1:]
    for step, position in zip(shown.steps, rest, strict=True):
        view = apply(view, step.changes)
        expected = plain_view(match_view(position, viewer))
        told_apart = {"version": step.version, "head": expected["head"], "at": step.at}
        assert {**view, **told_apart} == expected


def test_the_replay_of_a_running_match_shows_a_seat_nothing_but_its_own():
    table = started("lama", 3)
    table.move(table.to_act[0])

    shown = msgspec.to_builtins(replay("m1", table.entries, 0, table.state))

    dealt = next(step for step in shown["steps"] if step["type"] == "RoundStarted")
    assert isinstance(dealt["data"]["hands"][0], list)
    assert all(set(hand) == {"sealed"} for hand in dealt["data"]["hands"][1:])
    assert set(dealt["data"]["pile"]) == {"sealed"}


def test_the_difference_of_two_versions_leads_from_one_to_the_other_and_back():
    table = started("odin", 2)
    before = match_view(table.position, seat_viewer(0))
    table.move(table.to_act[0])
    after = match_view(table.position, seat_viewer(0))

    there, back = difference(before, after), difference(after, before)

    assert there
    assert apply(apply(plain_view(before), there), back) == plain_view(before) | {
        key: plain_view(before)[key] for key in ("version", "head", "at")
    }
