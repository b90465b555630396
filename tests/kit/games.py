"""Every game under every rules number, so that registering a new one tests it."""

import pytest

from domain.games.contract import AnyGame, Game
from domain.games.registry import CURRENT, GAMES
from services.process.games import load_games
from tests.kit.options import player_counts

# Suites that are no pytest take part with the games that the environment names, as the service does.
load_games()

EVERY_GAME: tuple[AnyGame, ...] = tuple(GAMES.values())

GAME_KEYS: tuple[str, ...] = tuple(sorted(CURRENT))
"""The games that a new match can name."""


def name_of(value: object) -> str:
    """Return how a test's name calls a game, or a number of players."""
    return f"{value.key}{value.rules_number}" if isinstance(value, Game) else str(value)


every_key = pytest.mark.parametrize("game", GAME_KEYS)

every_game = pytest.mark.parametrize("game", EVERY_GAME, ids=name_of)

every_game_played_by_turns = pytest.mark.parametrize(
    "game", [game for game in EVERY_GAME if type(game).may_act is Game.may_act], ids=name_of
)
"""Those in which, once all have begun, one seat at a time owes a move."""

every_game_and_number_of_players = pytest.mark.parametrize(
    ("game", "seats"), [(game, seats) for game in EVERY_GAME for seats in player_counts(game)], ids=name_of
)
