"""The pages of each game. Adding a game's means adding its files; its key finds them."""

from functools import cache
from importlib import import_module

from api.pages.games.contract import GamePage
from domain.games.registry import CURRENT


@cache
def page_of(game: str) -> GamePage:
    """Return a game's part of the pages.

    Raises:
        KeyError: There is no such game.
    """
    if game not in CURRENT:
        raise KeyError(game)
    found = import_module(f"{__name__}.{game}").PAGE
    if not isinstance(found, GamePage):
        raise TypeError(game)
    return found
