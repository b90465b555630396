"""Moves that can be written, legal or not, read off the types of a game's moves."""

from collections.abc import Iterator, Sequence
from itertools import islice, product
from random import Random
from typing import Any

import msgspec
from msgspec import inspect

from domain.games.contract import AnyGame, Move

_MOST_OF_A_TYPE = 300
"""If there are more moves of one type than this, so many are drawn at random."""

_NUMBERS = range(-1, 14)


def every_move(game: AnyGame, random: Random) -> Iterator[Move]:
    """Yield every move that can be written in the words of a game, or many of them."""
    for kind in game.move_types:
        described = inspect.type_info(kind)
        assert isinstance(described, inspect.StructType)
        values = {field.name: _values(game, field.type) for field in described.fields}
        found = product(*values.values())
        some = list(islice(found, _MOST_OF_A_TYPE + 1))
        if len(some) > _MOST_OF_A_TYPE:
            some = [tuple(map(random.choice, values.values())) for _ in range(_MOST_OF_A_TYPE)]
        for chosen in some:
            yield kind(**dict(zip(values, chosen, strict=True)))


def near_misses(game: AnyGame, legal: Sequence[Move], random: Random) -> Iterator[Move]:
    """Yield legal moves, each with one field changed, dropped or taken from another of them."""
    for move in random.sample(legal, min(len(legal), 12)):
        yield move
        described = inspect.type_info(type(move))
        assert isinstance(described, inspect.StructType)
        for field in described.fields:
            others = {getattr(other, field.name) for other in legal if type(other) is type(move)}
            for value in (*sorted(others, key=repr)[:6], random.choice(_values(game, field.type))):
                yield msgspec.structs.replace(move, **{field.name: value})


def _values(game: AnyGame, kind: inspect.Type) -> Sequence[Any]:
    found: Sequence[Any]
    match kind:
        case inspect.LiteralType(values):
            found = values
        case inspect.NoneType():
            found = (None,)
        case inspect.BoolType():
            found = (False, True)
        case inspect.IntType(ge=lowest, le=highest):
            found = [number for number in _NUMBERS if (lowest or -1) <= number <= (highest or 13)]
        case inspect.StrType():
            found = [card for card in dict.fromkeys(game.cards) if isinstance(card, str)]
        case inspect.Metadata(type=inner):
            found = _values(game, inner)
        case inspect.UnionType(types):
            found = [value for one in types for value in _values(game, one)]
        case inspect.VarTupleType(item_type=item, min_length=fewest):
            items = _values(game, item)
            found = [chosen for length in range(fewest or 0, 3) for chosen in product(items, repeat=length)]
            found.append(tuple(items[:3]))
        case _:
            raise NotImplementedError(f"moves with a field of type {kind} are not known to the tests yet")
    return found
