"""What people and programs must know about the games in order to play them."""

from functools import cache
from typing import Any, Union

import msgspec

from domain.games.contract import AnyGame
from domain.games.recorded_chance import CardName
from domain.games.registry import CURRENT, move_type
from domain.match.levels import DEFAULT_LEVEL, LEVELS


class SeatRange(msgspec.Struct, frozen=True):
    """How many seats a table may have."""

    fewest: int
    most: int


class OptionDescription(msgspec.Struct, frozen=True):
    """One choice that a table makes.

    Attributes:
        name: Its name on the wire.
        default: The value when it is left out.
        allowed: All values.
    """

    name: str
    default: str | int
    allowed: tuple[str | int, ...]


class BotLevels(msgspec.Struct, frozen=True):
    """The levels at which bots play.

    Attributes:
        default: The level of bots for which none was chosen.
        allowed: All levels, weakest first.
    """

    default: str
    allowed: tuple[str, ...]


class GameDescription(msgspec.Struct, frozen=True):
    """A game, as a client's writer must know it.

    Attributes:
        key: Its name on the wire.
        rules: The rules number that new matches get.
        seats: How many seats a table may have.
        cards: The names of all cards, in card-list order, with repetitions.
        options: The choices that a table has.
        bots: The levels at which bots play.
        moves: JSON Schema of the moves, told apart by ``type``.
        legal: JSON Schema of what a seat may do, as it stands in views and refusals.
        view: JSON Schema of the game's part of a view.
        plans: JSON Schema of the plans that people may make; empty if the game has none.
    """

    key: str
    rules: int
    seats: SeatRange
    cards: tuple[CardName, ...]
    options: tuple[OptionDescription, ...]
    bots: BotLevels
    moves: dict[str, Any]
    legal: dict[str, Any]
    view: dict[str, Any]
    plans: dict[str, Any] = {}


class Catalogue(msgspec.Struct, frozen=True):
    """All games."""

    games: tuple[GameDescription, ...]


@cache
def catalogue() -> Catalogue:
    """Return all games, by key."""
    return Catalogue(tuple(describe(CURRENT[key]) for key in sorted(CURRENT)))


@cache
def describe(game: AnyGame) -> GameDescription:
    """Return a game's description."""
    fewest, most = game.seats
    return GameDescription(
        key=game.key,
        rules=game.rules_number,
        seats=SeatRange(fewest, most),
        cards=game.cards,
        options=_options(game),
        bots=BotLevels(DEFAULT_LEVEL, LEVELS),
        moves=msgspec.json.schema(move_type(game)),
        legal=msgspec.json.schema(game.legal_type),
        view=msgspec.json.schema(game.view_type),
        plans=msgspec.json.schema(Union[game.plan_types]) if game.plan_types else {},  # noqa: UP007 - made of a list
    )


def _options(game: AnyGame) -> tuple[OptionDescription, ...]:
    (schema,) = msgspec.json.schema_components([game.options_type])[1].values()
    return tuple(
        OptionDescription(name, option["default"], _allowed(option, option["default"], game.seats[1]))
        for name, option in schema["properties"].items()
    )


def _allowed(schema: dict[str, Any], default: str | int, most_seats: int) -> tuple[str | int, ...]:
    """Return all values that a schema allows, the default first."""
    values: list[str | int] = []
    for part in schema.get("anyOf", [schema]):
        if "enum" in part:
            values += part["enum"]
        elif part.get("type") == "integer":
            # The only open range among the options of any game is that of seats.
            values += range(part.get("minimum", 0), part.get("exclusiveMaximum", most_seats))
    return default, *(value for value in values if value != default)
