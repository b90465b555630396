"""A position as bytes, and back: whatever shares something shares it again, and however long its past is.

The bytes are for a cache, never for the log: they name the structs of this very code, and only whoever made them may be
believed. Every object stands in them once, after all that it is made of; so no chain is too long.
"""

import sys
from collections.abc import Iterable, Iterator
from typing import Any, Final

import msgspec

from domain.games.registry import GAMES, package_of
from domain.match.fold import Position

_ATOMS: Final = (str, int, float, bool, bytes, type(None))
_TUPLE, _LIST, _DICT = range(3)
_FIRST_STRUCT: Final = 3


class Unpackable(ValueError):
    """Something in a position is not made of structs, tuples, lists, mappings, texts and numbers."""


class NotPacked(ValueError):
    """Bytes are not those of a position."""


class _Packed(msgspec.Struct, frozen=True, array_like=True):
    """A position.

    Attributes:
        kinds: The structs in it, by module and name.
        atoms: Texts, numbers and the like, each once.
        rows: Every other object: its kind, then the numbers of what it is made of, atoms counting first.
    """

    kinds: list[tuple[str, str]]
    atoms: list[Any]
    rows: list[list[int]]


_DECODER: Final = msgspec.msgpack.Decoder(_Packed)


def packed(position: Position, most: int | None = None) -> bytes:
    """Return a position as bytes; its size is how many objects it is made of.

    Raises:
        Unpackable: It holds what cannot be packed, or more than so many objects.
    """
    kinds: dict[type, int] = {}
    numbers: dict[tuple[type, object], int] = {}
    objects = _in_order(position, most)
    for one in objects:
        for part in _parts(one):
            if isinstance(part, _ATOMS):
                numbers.setdefault((type(part), part), len(numbers))
    atoms = [value for _, value in numbers]
    places = {id(one): len(atoms) + place for place, one in enumerate(objects)}
    rows = []
    for one in objects:
        parts = [
            numbers[type(part), part] if isinstance(part, _ATOMS) else places[id(part)]
            for part in _parts(one)
        ]
        rows.append([_kind(one, kinds), *parts])
    named = [(kind.__module__, kind.__qualname__) for kind in kinds]
    return msgspec.msgpack.encode(_Packed(named, atoms, rows))


def unpacked(content: bytes) -> Position:
    """Return a position from its bytes.

    Raises:
        NotPacked: They are not those of a position that this release packs.
    """
    try:
        found = _DECODER.decode(content)
        kinds = [_struct(module, name) for module, name in found.kinds]
        made: list[Any] = found.atoms
        take = made.__getitem__
        for kind, *parts in found.rows:
            if kind >= _FIRST_STRUCT:
                made.append(kinds[kind - _FIRST_STRUCT](*map(take, parts)))
            elif kind == _TUPLE:
                made.append(tuple(map(take, parts)))
            elif kind == _LIST:
                made.append(list(map(take, parts)))
            else:
                made.append(dict(zip(map(take, parts[::2]), map(take, parts[1::2]), strict=True)))
    except (msgspec.DecodeError, LookupError, TypeError, ValueError) as error:
        raise NotPacked(type(error).__name__) from error
    if not made or not isinstance(made[-1], Position):
        raise NotPacked("no position")
    return made[-1]


def _in_order(root: object, most: int | None) -> list[Any]:
    """Return every object once, after all that it is made of."""
    found: list[Any] = []
    seen: set[int] = set()
    waiting: list[tuple[Any, Iterator[Any]]] = [(root, iter(_parts(root)))]
    seen.add(id(root))
    while waiting:
        one, parts = waiting[-1]
        for part in parts:
            if not isinstance(part, _ATOMS) and id(part) not in seen:
                seen.add(id(part))
                waiting.append((part, iter(_parts(part))))
                break
        else:
            waiting.pop()
            found.append(one)
            if most is not None and len(found) > most:
                raise Unpackable(f"more than {most} objects")
    return found


def _parts(one: Any) -> Iterable[Any]:
    if isinstance(one, msgspec.Struct):
        return [getattr(one, name) for name in one.__struct_fields__]
    if type(one) is tuple or type(one) is list:
        return one
    if type(one) is dict:
        return [part for pair in one.items() for part in pair]
    raise Unpackable(type(one).__name__)


def _kind(one: Any, kinds: dict[type, int]) -> int:
    if isinstance(one, msgspec.Struct):
        return _FIRST_STRUCT + kinds.setdefault(type(one), len(kinds))
    if type(one) is tuple:
        return _TUPLE
    return _LIST if type(one) is list else _DICT


def _struct(module: str, name: str) -> type[msgspec.Struct]:
    """Return a struct of the domain or of a registered game.

    Raises:
        LookupError: There is none of that name.
    """
    own = (__name__.partition(".")[0], *map(package_of, GAMES.values()))
    found = vars(sys.modules[module]).get(name) if any(_is_in(module, package) for package in own) else None
    if isinstance(found, type) and issubclass(found, msgspec.Struct):
        return found
    raise LookupError(name)


def _is_in(module: str, package: str) -> bool:
    return module == package or module.startswith(f"{package}.")
