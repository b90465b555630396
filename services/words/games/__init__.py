"""The words of each game. To add a built-in game's words, add its file here; its key finds it."""

from functools import cache
from typing import Final

from domain.games.registry import CURRENT
from services.process.games import GamePart
from services.words.contract import GameWords

_WORDS: Final = GamePart(__name__, "words", "WORDS", GameWords)


@cache
def words_of(game: str) -> GameWords | None:
    """Return a game's words; None if there is no such game."""
    return _WORDS.of(game) if game in CURRENT else None
