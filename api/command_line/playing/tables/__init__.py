"""The table of each game as text. Adding a game's means adding its file here; its key finds it."""

from functools import cache
from importlib import import_module

from api.command_line.playing.tables.contract import TableText
from domain.games.registry import CURRENT


@cache
def table_of(game: str) -> TableText:
    """Return how a game's table is written.

    Raises:
        LookupError: There is no such game.
    """
    # Only keys of the registry are ever imported, whatever an answer says.
    if game not in CURRENT:
        raise LookupError(game)
    found: TableText = import_module(f"{__name__}.{game}").TABLE
    return found
