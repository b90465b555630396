"""The table of each game as text. Adding a built-in game's means adding its file here; its key finds it."""

from functools import cache
from typing import Final

from api.command_line.playing.tables.contract import TableText
from services.process.games import GamePart

_TABLE: Final = GamePart(__name__, "terminal", "TABLE", TableText)


@cache
def table_of(game: str) -> TableText:
    """Return how a game's table is written.

    Raises:
        LookupError: There is no such game.
    """
    return _TABLE.of(game)
