"""The games, by key and rules number. The one file that a new game touches."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Union, cast

from domain.games.contract import AnyGame, Move
from domain.games.lama.game import Lama, LamaSecond
from domain.games.odin.game import Odin
from domain.games.skyjo.game import Skyjo

# The cast erases a game's own types: the match hands a game only states, events and moves that came from that game.
_GAMES: tuple[AnyGame, ...] = (
    cast("AnyGame", Lama()),
    cast("AnyGame", LamaSecond()),
    cast("AnyGame", Odin()),
    cast("AnyGame", Skyjo()),
)

_CURRENT_NUMBERS: Mapping[str, int] = {"lama": 1, "odin": 1, "skyjo": 1}

GAMES: Mapping[tuple[str, int], AnyGame] = {(game.key, game.rules_number): game for game in _GAMES}

CURRENT: Mapping[str, AnyGame] = {key: GAMES[key, number] for key, number in _CURRENT_NUMBERS.items()}
"""The games under the rules number that a new match gets if it names none."""


def move_types(game: AnyGame) -> Mapping[str, type[Move]]:
    """Return the structs of a game's moves by their ``type`` on the wire."""
    return {str(kind.__struct_config__.tag): kind for kind in game.move_types}


@cache
def move_type(game: AnyGame) -> Any:
    """Return the union of a game's moves, as msgspec reads it."""
    return Union[game.move_types]  # noqa: UP007 - put together at run time
