"""What the contract demands of a game, checked when it is registered: every fault is named, all at once."""

import inspect
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final, cast

import msgspec
from msgspec.structs import fields

from domain.errors import TableeError
from domain.games.contract import Game, GameState, GameView, LegalMoves, Move, Options
from domain.games.recorded_chance import GameEvent
from domain.match.events import MATCH_EVENTS
from domain.sealing import Audience

_KEY: Final = re.compile(r"[a-z][a-z0-9]{1,31}").fullmatch
_MOST_SEATS: Final = 8

_PARTS: Final[Mapping[str, type[msgspec.Struct]]] = {
    "options_type": Options,
    "state_type": GameState,
    "view_type": GameView,
    "legal_type": LegalMoves,
}
_LISTS: Final[Mapping[str, type[msgspec.Struct]]] = {"move_types": Move, "event_types": GameEvent}
_PLAIN: Final = ("key", "rules_number", "seats", "cards")

_Fitting = Game[Any, Any, Any, Any, Any, Any]


class GameUnfit(TableeError):
    """A game cannot be registered.

    Attributes:
        faults: What is wrong with it.
    """

    code = "game.unfit"

    def __init__(self, name: str, faults: list[str]) -> None:
        self.faults = tuple(faults)
        super().__init__(f"The game {name} cannot be registered: {'; '.join(faults)}.")


def check_game(game: object) -> None:
    """Check that a game fits the contract.

    Raises:
        GameUnfit: It does not.
    """
    name = type(game).__name__
    if not isinstance(game, Game):
        raise GameUnfit(name, ["it is no instance of a subclass of domain.games.contract.Game"])
    # What is missing would make all other checks fail.
    faults = list(_missing(game)) or [*_plain(game), *_moves(game), *_events(game)] or list(_beginning(game))
    if faults:
        raise GameUnfit(getattr(game, "key", name), faults)


def _missing(game: _Fitting) -> Iterator[str]:
    for name in (*_PLAIN, *_PARTS, *_LISTS):
        if not hasattr(game, name):
            yield f"`{name}` is missing"
    for name, base in _PARTS.items():
        if hasattr(game, name) and not _is_struct(getattr(game, name), base):
            yield f"`{name}` is no subclass of {base.__name__}"
    for name, base in _LISTS.items():
        for kind in getattr(game, name, ()):
            if not _is_struct(kind, base):
                yield f"`{name}`: {getattr(kind, '__name__', kind)} is no subclass of {base.__name__}"


def _is_struct(kind: object, base: type[msgspec.Struct]) -> bool:
    return inspect.isclass(kind) and issubclass(kind, base) and kind is not base


def _plain(game: _Fitting) -> Iterator[str]:
    if not _KEY(game.key):
        yield "`key` takes 2 to 32 small letters and digits, a letter first"
    if game.rules_number < 1:
        yield "`rules_number` counts from 1"
    fewest, most = game.seats
    if not 1 <= fewest <= most <= _MOST_SEATS:
        yield f"`seats` is a pair, fewest and most, between 1 and {_MOST_SEATS}"
    if not game.cards or len(set(map(type, game.cards))) > 1 or type(game.cards[0]) not in {str, int}:
        yield "`cards` lists all cards, either texts or numbers"
    for field in fields(game.options_type):
        if field.required:
            yield f"the option `{field.name}` has no default"


def _moves(game: _Fitting) -> Iterator[str]:
    tags = [str(kind.__struct_config__.tag) for kind in game.move_types]
    if not tags:
        yield "`move_types` is empty"
    yield from (f"several moves are called `{tag}`" for tag in _repeated(tags))


def _events(game: _Fitting) -> Iterator[str]:
    kinds = cast("tuple[type[GameEvent], ...]", game.event_types)
    names = [kind.__name__ for kind in kinds]
    yield from (f"several events are called {name}" for name in _repeated(names))
    taken = {kind.__name__ for kind in MATCH_EVENTS}
    yield from (f"the event {name} has the name of one of the match" for name in names if name in taken)
    if not any(kind.STARTS_ROUND for kind in kinds):
        yield "no event has STARTS_ROUND"
    if not any(kind.SCORES_ROUND for kind in kinds):
        yield "no event has SCORES_ROUND"
    for kind in kinds:
        lacking = dict.fromkeys(name for name in _needed(kind) if name not in kind.__struct_fields__)
        yield from (f"the event {kind.__name__} has no field `{name}`" for name in lacking)


def _needed(kind: type[GameEvent]) -> Iterator[str]:
    """Yield the fields that an event type must have because of what it declares."""
    if kind.SHUFFLE is not None:
        yield from (*kind.SHUFFLE.cards, kind.SHUFFLE.round, kind.SHUFFLE.number)
    if kind.PICK is not None:
        yield from (kind.PICK.value, kind.PICK.below)
    if kind.SCORES_ROUND:
        yield from ("round", "points", "totals")
    if kind.SETTLES_SCORE:
        yield from ("seat", "total")
    yield from kind.SEALED
    yield from kind.CARDS
    if Audience.SEAT in kind.SEALED.values():
        yield "seat"


def _beginning(game: _Fitting) -> Iterator[str]:
    """Try what every match does first, and what forks rely on."""
    try:
        state = game.initial(game.options_type(), game.seats[0])
        stored = msgspec.json.decode(msgspec.json.encode(state), type=game.state_type)
    except Exception as error:  # noqa: BLE001 - whatever a game from outside raises
        yield f"`initial` cannot be used: {type(error).__name__}: {error}"
        return
    if stored != state:
        yield "`state_type` does not survive being written as JSON and read again"
    if game.to_act(state):
        yield "`to_act` is not empty before the start"


def _repeated(names: list[str]) -> list[str]:
    return [name for name in dict.fromkeys(names) if names.count(name) > 1]
