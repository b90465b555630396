"""What holds for every level of every built-in game: honest, repeatable, and never at a loss."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from domain.chance import Chance
from domain.games.contract import Allowance, AnyGame, Level
from domain.games.registry import CURRENT, is_built_in
from domain.match.levels import FORMER, KNOWN, LEVELS, allowance_of, pace_of
from domain.viewers import seat_viewer

CHANCE = Chance("1e" * 32)
BOTS_CHANCE = Chance("b0" * 32)

every_level = pytest.mark.parametrize("level", LEVELS)
every_built_in_game = pytest.mark.parametrize("key", [key for key in CURRENT if is_built_in(key)])


def position(game: AnyGame, seats: int, moves: int) -> Any:
    """Return a state after some random moves."""
    random = Random(moves)
    state = game.initial(game.options_type(), seats)
    for event in game.start(state, CHANCE):
        state = game.evolve(state, event)
    for _ in range(moves):
        seat = game.to_act(state)[0]
        legal = game.legal_moves(state, seat)
        assert legal is not None
        for event in game.decide(state, seat, random.choice(list(game.expand(legal))), CHANCE):
            state = game.evolve(state, event)
        if game.is_over(state):
            return position(game, seats, moves - 1)
    return state


def chosen(game: AnyGame, state: Any, level: Level, **changes: Any) -> Any:
    seat = game.to_act(state)[0]
    legal = game.legal_moves(state, seat)
    assert legal is not None
    allowance = Allowance(min(120, allowance_of(level).playouts), level)
    view = replace(game.view(state, seat_viewer(seat)), **changes)
    return game.choose(view, legal, seat, BOTS_CHANCE, allowance)


@every_level
@every_built_in_game
def test_hidden_cards_do_not_change_a_move_and_neither_does_a_second_time(key: str, level: Level) -> None:
    game = CURRENT[key]
    for moves in range(6, 40, 4):
        state = position(game, 2 + moves % 3, moves)
        seat = game.to_act(state)[0]
        other = game.redeal(state, seat, Chance(f"{moves:02x}" * 32))
        assert chosen(game, state, level) == chosen(game, other, level) == chosen(game, state, level)


IMPOSSIBLE: dict[str, dict[str, Any]] = {
    "lama": {"hand_sizes": (60, 60), "pile_size": 200, "discard": ("1",) * 30},
    "odin": {"hand_sizes": (50, 50), "discard": ("R1",) * 60},
    "skyjo": {"discard": (12,) * 150, "pile_size": 0},
}


@every_level
@every_built_in_game
def test_a_view_that_cannot_be_leaves_no_bot_at_a_loss(key: str, level: Level) -> None:
    game = CURRENT[key]
    state = position(game, 2, 14)
    legal = game.legal_moves(state, game.to_act(state)[0])
    assert legal is not None

    move = chosen(game, state, level, **IMPOSSIBLE[key])

    assert type(move) in {type(each) for each in game.expand(legal)}


def test_every_known_level_judges_and_has_a_pace() -> None:
    assert {allowance_of(level).level for level in KNOWN} == set(LEVELS)
    assert allowance_of("steady").level == FORMER["steady"]
    assert allowance_of("").level == "normal"
    assert all(0 < pace_of(level) <= 1 for level in KNOWN)
