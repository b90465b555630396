"""Alone at the Top under the cases of every game."""

from domain.games.registry import GAMES
from tests.kit.game_cases import GameCases


class TestAlone(GameCases):
    game = GAMES["alone", 1]
    positions = 15
    bot_wins = ((2, 10, 7),)
