"""The words of each game. Adding a game's means adding its file here; its key finds it."""

from functools import cache
from importlib import import_module

from domain.games.registry import CURRENT
from services.words.contract import GameWords


@cache
def words_of(game: str) -> GameWords | None:
    """Return a game's words; None if there is no such game."""
    # Only keys of the registry are ever imported, whatever a request asks for.
    if game not in CURRENT:
        return None
    found = import_module(f"{__name__}.{game}").WORDS
    return found if isinstance(found, GameWords) else None
