"""The words of each game. To add a game's words, add its file here; its key finds it."""

from functools import cache
from importlib import import_module

from domain.games.registry import CURRENT
from services.words.contract import GameWords


@cache
def words_of(game: str) -> GameWords | None:
    """Return a game's words; None if there is no such game."""
    # Whatever a request asks for, only the registry's keys are ever imported.
    if game not in CURRENT:
        return None
    found = import_module(f"{__name__}.{game}").WORDS
    return found if isinstance(found, GameWords) else None
