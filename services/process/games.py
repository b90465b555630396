"""Games from outside: loading them, and finding the parts of any game by its key.

A built-in game has its parts in the packages that need them, each in a module named after its key. A game from outside
has all of them beside it, in its own package.
"""

from collections.abc import Iterator
from importlib import import_module
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from typing import Final, Generic, TypeVar

import msgspec

from domain.games.registry import CURRENT, is_built_in, package_of, register
from services.process.settings import SettingsError, named_games

T = TypeVar("T")

_BESIDE: Final = ("words", "page", "terminal")
"""The modules with parts of a game from outside."""


class GamesNotLoaded(SettingsError):
    """A module that TABLEE_GAMES names cannot be used, or a game lacks one of its parts."""


def load_games(named: str | None = None) -> None:
    """Register the games that ``TABLEE_GAMES`` names, separated by commas. Every process calls this at its start.

    Raises:
        GamesNotLoaded: There is no such module, it has no games, or one of them lacks a part.
        GameUnfit: A game does not fit the contract.
    """
    for name in filter(None, map(str.strip, (named_games() if named is None else named).split(","))):
        try:
            games = import_module(name).GAMES
        except (ImportError, AttributeError, TypeError, ValueError) as error:
            # A TypeError is how Python says that a class still lacks methods of the contract.
            raise GamesNotLoaded(
                f"TABLEE_GAMES names {name}, which must be a module with GAMES, a tuple of games: {error}."
            ) from error
        for game in games:
            register(game)
            _require_parts(game.key)


def _require_parts(key: str) -> None:
    """Refuse a game that lacks a part: otherwise the first page or line of history would find out."""
    package, folder = package_of(CURRENT[key]), folder_of(key)
    templates = (f"templates/{key}.html", f"templates/{key}_moves.html")
    lacking = [f"{name}.py" for name in _BESIDE if find_spec(f"{package}.{name}") is None]
    lacking += [name for name in templates if not folder.joinpath(name).is_file()]
    if lacking:
        raise GamesNotLoaded(f"The game {key} lacks {', '.join(lacking)} in its package {package}.")


def games_from_outside() -> Iterator[str]:
    """Yield the keys of the games that Tablée does not bring itself."""
    return (key for key in CURRENT if not is_built_in(key))


def folder_of(key: str) -> Traversable:
    """Return the folder of a game from outside."""
    return files(package_of(CURRENT[key]))


class GamePart(msgspec.Struct, Generic[T], frozen=True):
    """A part that every game has, in a module of its own.

    Attributes:
        built_in: The package with one module for each built-in game.
        beside: The module's name in the package of a game from outside.
        constant: The part's name in the module.
    """

    built_in: str
    beside: str
    constant: str
    kind: type[T]

    def of(self, key: str) -> T:
        """Return a game's part.

        Raises:
            KeyError: There is no such game.
            GamesNotLoaded: The game lacks this part.
        """
        # Whatever a request asks for, only modules of games in the registry are ever imported.
        package = package_of(CURRENT[key])
        name = f"{self.built_in}.{key}" if is_built_in(key) else f"{package}.{self.beside}"
        try:
            found = getattr(import_module(name), self.constant)
        except (ModuleNotFoundError, AttributeError) as error:
            found = error
        if not isinstance(found, self.kind):
            raise GamesNotLoaded(
                f"The game {key} has no {name} with {self.constant}, an instance of {self.kind.__name__}."
            )
        return found
