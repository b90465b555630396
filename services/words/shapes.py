"""What may stand somewhere in a body, in words: it follows from the body's type."""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from msgspec import inspect

from services.words.phrases import Phrase, Words, phrase

_LARGEST_TOLD: Final = 2**31
"""Bounds above this only keep numbers exact; nobody needs to hear of them."""

_TEXT = phrase("text")
_SHORT_TEXT = phrase("text of at most {most} characters")
_CARD = phrase("a card, such as {card}")
_BOOLEAN = phrase("true or false")
_NUMBER = phrase("a whole number")
_NUMBER_FROM = phrase("a whole number from {least} on")
_NUMBER_BETWEEN = phrase("a whole number from {least} to {most}")
_LIST = phrase("a list, each entry of which is {entry}")
_LIST_UP_TO = phrase("a list of at most {most} entries, each of which is {entry}")
_LIST_BETWEEN = phrase("a list of {least} to {most} entries, each of which is {entry}")
_OBJECT = phrase("an object")
_OBJECT_OF = phrase("an object, each value of which is {entry}")
_OBJECT_WITH = phrase("an object with {fields}")
_MOVE_WITH = phrase("`{type}` with {fields}")
_OPTIONAL_FIELD = phrase("`{name}` ({allowed}; may be left out)")

_PLAIN: Final[dict[type[inspect.Type], tuple[type, ...]]] = {
    inspect.StrType: (str,),
    inspect.IntType: (int,),
    inspect.BoolType: (bool,),
    inspect.LiteralType: (str, int),
    inspect.VarTupleType: (list,),
    inspect.DictType: (dict,),
    inspect.StructType: (dict,),
}


class _Bounds(NamedTuple):
    least: Any
    most: Any


class Shapes(NamedTuple):
    """The types that may stand in one place.

    Attributes:
        kinds: One or several.
        cards: The names of the game's cards, of which one serves as an example.
    """

    kinds: tuple[inspect.Type, ...]
    cards: Sequence[str | int] = ()

    @property
    def has_fields(self) -> bool:
        """Whether one of them is an object with fields."""
        return any(kind.fields or kind.tag_field for kind in self._structs())

    def within(self, step: str | int, value: object) -> "Shapes":
        """Return what may stand at a step further in."""
        found = []
        for kind in self._plain():
            if isinstance(kind, inspect.VarTupleType):
                found.append(kind.item_type)
            elif isinstance(kind, inspect.DictType):
                found.append(kind.value_type)
        chosen = self.chosen_by(value)
        for struct in (kind for kind in chosen.kinds if isinstance(kind, inspect.StructType)):
            if step == struct.tag_field:
                # Which type it is cannot be told apart from what else it has.
                return self
            found += [field.type for field in struct.fields if field.encode_name == step]
        return Shapes(tuple(found), self.cards)

    def chosen_by(self, value: object) -> "Shapes":
        """Return the objects that a value means by its tag; all of them if it means none."""
        tags = value if isinstance(value, dict) else {}
        chosen = [kind for kind in self._structs() if kind.tag_field and tags.get(kind.tag_field) == kind.tag]
        return Shapes(tuple(chosen or self._structs()), self.cards)

    def takes(self, value: object) -> bool:
        """Tell whether a value is of a kind that may stand here."""
        tagged = isinstance(value, str) and any(kind.tag_field for kind in self._structs())
        return tagged or any(type(value) in _PLAIN.get(type(kind), ()) for kind in self._plain())

    def allowed(self, words: Words) -> str:
        """Return what may stand here."""
        return words.any_of(dict.fromkeys(self._said(words)))

    def fields(self, words: Words) -> str:
        """Return the fields that may stand here, each with what it takes."""
        return words.all_of(self._told(words, self._structs()))

    def _said(self, words: Words) -> Iterator[str]:
        for kind in self._all(self.kinds):
            if isinstance(kind, inspect.Metadata):
                yield self._annotated(kind, words)
            else:
                yield from self._one(kind, words, {})

    def _annotated(self, kind: inspect.Metadata, words: Words) -> str:
        takes = (kind.extra or {}).get("takes")
        if isinstance(takes, Phrase):
            return words.say(takes)
        return words.any_of(self._one(kind.type, words, kind.extra_json_schema or {}))

    def _one(self, kind: inspect.Type, words: Words, told: dict[str, Any]) -> Iterator[str]:
        match kind:
            case inspect.LiteralType():
                yield from map(str, kind.values)
            case inspect.StrType():
                yield self._text(kind, words)
            case inspect.IntType():
                yield _number(_Bounds(told.get("minimum", kind.ge), told.get("maximum", kind.le)), words)
            case inspect.BoolType():
                yield words.say(_BOOLEAN)
            case inspect.VarTupleType():
                bounds = _Bounds(told.get("minItems", kind.min_length), told.get("maxItems", kind.max_length))
                yield self._list(bounds, kind.item_type, words)
            case inspect.DictType():
                yield words.say(_OBJECT_OF, entry=self._of(kind.value_type).allowed(words))
            case inspect.StructType():
                yield self._object(kind, words)

    def _text(self, kind: inspect.StrType, words: Words) -> str:
        if kind.pattern is not None:
            for card in self.cards:
                if re.search(kind.pattern, str(card)):
                    return words.say(_CARD, card=card)
        return words.say(_TEXT) if kind.max_length is None else words.say(_SHORT_TEXT, most=kind.max_length)

    def _list(self, bounds: _Bounds, item: inspect.Type, words: Words) -> str:
        text = _LIST if bounds.most is None else _LIST_BETWEEN if bounds.least else _LIST_UP_TO
        entry = self._of(item).allowed(words)
        return words.say(text, entry=entry, least=bounds.least, most=bounds.most)

    def _object(self, kind: inspect.StructType, words: Words) -> str:
        fields = words.all_of(self._told(words, (kind,), tagged=False))
        if kind.tag_field:
            return words.say(_MOVE_WITH, type=kind.tag, fields=fields) if fields else f"`{kind.tag}`"
        return words.say(_OBJECT_WITH if fields else _OBJECT, fields=fields)

    def _told(
        self, words: Words, structs: Iterable[inspect.StructType], *, tagged: bool = True
    ) -> Iterator[str]:
        for struct in structs:
            if tagged and struct.tag_field:
                yield f"`{struct.tag_field}` ({struct.tag})"
            for field in struct.fields:
                if not struct.tag_field:
                    yield f"`{field.encode_name}`"
                    continue
                allowed = self._of(field.type).allowed(words)
                if field.required:
                    yield f"`{field.encode_name}` ({allowed})"
                else:
                    yield words.say(_OPTIONAL_FIELD, name=field.encode_name, allowed=allowed)

    def _of(self, kind: inspect.Type) -> "Shapes":
        return Shapes((kind,), self.cards)

    def _plain(self) -> Iterator[inspect.Type]:
        for kind in self._all(self.kinds):
            yield kind.type if isinstance(kind, inspect.Metadata) else kind

    def _structs(self) -> Iterator[inspect.StructType]:
        return (kind for kind in self._plain() if isinstance(kind, inspect.StructType))

    def _all(self, kinds: Iterable[inspect.Type]) -> Iterator[inspect.Type]:
        """Return the types without unions, and without null, which means the same as leaving a field out."""
        for kind in kinds:
            if isinstance(kind, inspect.UnionType):
                yield from self._all(kind.types)
            elif not isinstance(kind, inspect.NoneType):
                yield kind


def _number(bounds: _Bounds, words: Words) -> str:
    if bounds.least is None or abs(bounds.least) > _LARGEST_TOLD:
        return words.say(_NUMBER)
    if bounds.most is None:
        return words.say(_NUMBER_FROM, least=bounds.least)
    return words.say(_NUMBER_BETWEEN, least=bounds.least, most=bounds.most)
