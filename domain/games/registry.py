"""The games, by key and rules number: those that Tablée brings, and those that were registered from outside."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, Union, cast

from domain.games.contract import AnyGame, Game, Move
from domain.games.demands import GameUnfit, check_game
from domain.games.lama.game import Lama, LamaSecond
from domain.games.odin.game import Odin
from domain.games.skyjo.game import Skyjo

_GAMES: Final[dict[tuple[str, int], AnyGame]] = {}
_CURRENT: Final[dict[str, AnyGame]] = {}

GAMES: Final[Mapping[tuple[str, int], AnyGame]] = _GAMES

CURRENT: Final[Mapping[str, AnyGame]] = _CURRENT
"""The games under the rules number that a new match gets if it names none: the one registered first."""


def register(game: Game[Any, Any, Any, Any, Any, Any]) -> None:
    """Add a game from outside. Every process does so at its start; a second time changes nothing.

    Raises:
        GameUnfit: It does not fit the contract, or another game has its key and rules number.
    """
    check_game(game)
    known = _GAMES.get((game.key, game.rules_number))
    if known is not None and type(known) is not type(game):
        raise GameUnfit(
            game.key, [f"{type(known).__name__} has its key and rules number {game.rules_number}"]
        )
    current = _CURRENT.get(game.key)
    if current is not None and package_of(current) != package_of(game):
        raise GameUnfit(game.key, [f"the package {package_of(current)} has a game with its key"])
    _add(game)


def _add(game: Game[Any, Any, Any, Any, Any, Any]) -> None:
    # The cast erases a game's own types: the match hands a game only what came from that game.
    erased = _GAMES.setdefault((game.key, game.rules_number), cast("AnyGame", game))
    _CURRENT.setdefault(game.key, erased)


def package_of(game: AnyGame) -> str:
    """Return the package in which a game lives; one from outside has all its parts there."""
    return type(game).__module__.rpartition(".")[0]


def is_built_in(key: str) -> bool:
    """Tell whether Tablée itself brings a game."""
    return package_of(CURRENT[key]) == f"{__package__}.{key}"


# A new built-in game adds its line here. Under several rules numbers, the one for new matches comes first.
for _game in (Lama(), LamaSecond(), Odin(), Skyjo()):
    _add(_game)

EXAMPLE: Final = next(iter(_CURRENT))
"""The key of the game that examples show."""


def move_types(game: AnyGame) -> Mapping[str, type[Move]]:
    """Return the structs of a game's moves by their ``type`` on the wire."""
    return {str(kind.__struct_config__.tag): kind for kind in game.move_types}


@cache
def move_type(game: AnyGame) -> Any:
    """Return the union of a game's moves, as msgspec reads it."""
    return Union[game.move_types]  # noqa: UP007 - put together at run time
