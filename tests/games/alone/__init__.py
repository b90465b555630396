"""Alone at the Top: the example of docs/learn/new-game.md, a game that Tablée does not bring itself."""

from tests.games.alone.game import Alone

GAMES = (Alone(),)
