"""The pages of each game. Adding a built-in game's means adding its files; its key finds them."""

from functools import cache
from typing import Final

from api.pages.games.contract import GamePage
from services.process.games import GamePart

_PAGE: Final = GamePart(__name__, "page", "PAGE", GamePage)


@cache
def page_of(game: str) -> GamePage:
    """Return a game's part of the pages.

    Raises:
        KeyError: There is no such game.
    """
    return _PAGE.of(game)
