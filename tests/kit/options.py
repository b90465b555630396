"""Every combination of options that a game offers a number of seats, read from its options' type."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import product

import msgspec
from msgspec import inspect

from domain.chance import Chance
from domain.errors import Refused
from domain.games.contract import AnyGame

Choice = Mapping[str, str | int]

_HIGHEST_NUMBER = 8
"""Numbers of options at or above this are meaningless: there are never more seats."""


def choices(game: AnyGame, seats: int) -> tuple[Choice, ...]:
    """Return all combinations of options that a table with so many seats may choose."""
    described = inspect.type_info(game.options_type)
    assert isinstance(described, inspect.StructType)
    names = [field.encode_name for field in described.fields]
    values = [tuple(_values(field.type)) for field in described.fields]
    found = (dict(zip(names, chosen, strict=True)) for chosen in product(*values))
    return tuple(choice for choice in found if _fits(game, choice, seats))


def _values(described: inspect.Type) -> Iterator[str | int]:
    match described:
        case inspect.LiteralType(values):
            yield from (value for value in values if value is not None)
        case inspect.IntType(ge=lowest):
            yield from range(lowest or 0, _HIGHEST_NUMBER)
        case inspect.BoolType():
            yield from (False, True)
        case inspect.UnionType(types):
            for one in types:
                yield from _values(one)
        case _:
            raise NotImplementedError(f"options of type {described} are not known to the tests yet")


def _fits(game: AnyGame, choice: Choice, seats: int) -> bool:
    try:
        game.initial(msgspec.convert(choice, game.options_type), seats)
    except (Refused, msgspec.ValidationError):
        return False
    return True


def player_counts(game: AnyGame) -> Sequence[int]:
    """Return all numbers of seats that a game allows."""
    fewest, most = game.seats
    return range(fewest, most + 1)


@cache
def shortest(game: AnyGame) -> Choice:
    """Return the options of the shortest match, such as one of a single round: only what differs from the usual."""
    seats = game.seats[0]
    usual = game.options_type()
    changes: list[Choice] = [
        {name: value}
        for choice in choices(game, seats)
        for name, value in choice.items()
        if getattr(usual, name) != value
    ]
    # Where nobody thinks, one round may happen to end a whole match: then the other choice is the one that is meant.
    return min((*changes, {}), key=lambda change: _moves(game, change))


def _moves(game: AnyGame, choice: Choice) -> int:
    """Return how many moves a match takes in which nobody thinks."""
    chance = Chance("5e" * 32)
    state = game.initial(msgspec.convert(choice, game.options_type), game.seats[0])
    events, moves = game.start(state, chance), 0
    while True:
        for event in events:
            state = game.evolve(state, event)
        if game.is_over(state):
            return moves
        seat = game.to_act(state)[0]
        events, moves = game.decide(state, seat, game.fallback(state, seat), chance), moves + 1
