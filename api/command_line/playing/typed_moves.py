"""Typed moves: ``play R8 R2 take B5``, ``swap 4``, in the words of the wire or of the player's language.

One grammar for all games: the move's type, then the values of its fields in their order; a field's name in front of a
value says where it belongs.
"""

import re
import unicodedata
from typing import Any

import msgspec
from msgspec import inspect

from api.command_line.playing.choosing import Move
from api.command_line.playing.tables import table_of
from domain.games.registry import CURRENT, move_types
from services.words.phrases import Words


def typed_move(text: str, game: str, words: Words) -> Move | None:
    """Return the move that somebody typed, in words of the wire or of their language; None if it is no move."""
    first, *rest = re.split(r"[\s,]+", text.strip()) or [""]
    dictionary = _dictionary(game, words)
    kind = move_types(CURRENT[game]).get(dictionary.get(folded(first), folded(first)))
    if kind is None:
        return None
    shape = inspect.type_info(kind)
    values = _by_field(shape, rest, dictionary) if isinstance(shape, inspect.StructType) else None
    if values is None:
        return None
    try:
        move = msgspec.convert({"type": kind.__struct_config__.tag, **values}, kind, strict=False)
    except msgspec.ValidationError:
        return None
    built: Move = msgspec.to_builtins(move)
    return built


def folded(word: str) -> str:
    """Return a word without case and accents, as people type it."""
    plain = unicodedata.normalize("NFKD", word.casefold())
    return "".join(character for character in plain if not unicodedata.combining(character))


def _dictionary(game: str, words: Words) -> dict[str, str]:
    """Return the word of the wire for each word that may be typed."""
    table = table_of(game)
    verbs = table.verbs
    cards = {folded(str(card)): str(card) for card in CURRENT[game].cards}
    own = {folded(words.say(text)): word for word, text in verbs.items()}
    return cards | own | {folded(word): word for word in verbs} | dict(table.values)


def _by_field(
    shape: inspect.StructType, given: list[str], dictionary: dict[str, str]
) -> dict[str, Any] | None:
    lists = {field.encode_name: _is_list(field.type) for field in shape.fields}
    names = list(lists)
    values: dict[str, Any] = {}
    field = names[0] if names else None
    for word in given:
        value = dictionary.get(folded(word), word)
        if value in lists and value not in values:
            field = value
            continue
        if field is not None and field in values and not lists[field]:
            # This one is full: the next value belongs to the next field.
            field = next((name for name in names[names.index(field) + 1 :] if name not in values), None)
        if field is None:
            return None
        if lists[field]:
            values.setdefault(field, []).append(value)
        else:
            values[field] = value
    return values


def _is_list(kind: inspect.Type) -> bool:
    inner = kind.type if isinstance(kind, inspect.Metadata) else kind
    return isinstance(inner, inspect.VarTupleType)
