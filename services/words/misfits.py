"""What is wrong with a body that cannot be read: the field, what was given, what is allowed.

What is allowed follows from the type that the body should have, so a game's moves and their fields come from the
registry.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

import msgspec
from msgspec import inspect

from domain.errors import Malformed
from services.words.phrases import Phrase, phrase, words_in
from services.words.shapes import Shapes

_PLACE: Final = re.compile(r" - at `(?:\$|key in \$)([^`]*)`").search
_STEP: Final = re.compile(r"\.([^.\[\]]+)|\[(\d+)\]|(\[\.\.\.\])").finditer
_UNKNOWN: Final = re.compile(r"Object contains unknown field `([^`]*)`").match
_MISSING: Final = re.compile(r"Object missing required field `([^`]*)`").match
_NAME: Final = re.compile(r"[\w-]{1,64}").fullmatch

NOT_UTF8: Final = phrase("The body is not text in UTF-8.")
TOO_DEEP: Final = phrase("The body is nested too deeply.")
KEY_REPEATED: Final = phrase("A field occurs twice in the body: nobody can tell which value is meant.")
NUMBER_TOO_LARGE: Final = phrase("A number in the body is too large.")
_NOT_JSON = phrase("The body is not JSON.")
_CUT_OFF = phrase("The body is not whole: it ends in the middle of its JSON.")
_UNKNOWN_FIELD = phrase("There is no field {name} here. Allowed: {fields}.")
_NO_FIELDS = phrase("There is no field {name} here. None is needed.")
_SOME_FIELD = phrase("(its name is not readable)")
_MISSING_FIELD = phrase("The field {name} is missing. Allowed: {allowed}.")
_WRONG_BODY = phrase("The body cannot be {given}. Allowed: {allowed}.")
_WRONG_FIELD = phrase("The field {name} cannot be {given}. Allowed: {allowed}.")
_OUT_OF_RANGE = phrase("The field {name} has a value that it cannot have. Allowed: {allowed}.")

_KINDS: Final[Sequence[tuple[type, Phrase]]] = (
    (type(None), phrase("nothing (null)")),
    (bool, phrase("true or false")),
    (int, phrase("a whole number")),
    (float, phrase("a number with a fraction")),
    (str, phrase("text")),
    (list, phrase("a list")),
    (dict, phrase("an object")),
)


class Misfit(Malformed):
    """A body of the wrong shape.

    Attributes:
        text: What is wrong.
        name: The field it is in; empty for the body itself.
        given: The kind of value found there.
        shapes: What is allowed there.
    """

    def __init__(
        self,
        code: str,
        text: Phrase,
        name: str = "",
        given: Phrase | None = None,
        shapes: Shapes | None = None,
    ) -> None:
        """Name the cause, and what there is to say."""
        self.text, self.name, self.given, self.shapes = text, name, given, shapes
        super().__init__(code, self.say("en"))

    def say(self, language: str) -> str:
        """Return what is wrong and what would be right."""
        words = words_in(language)
        shapes = self.shapes
        return words.say(
            self.text,
            name=f"`{self.name}`" if self.name else words.say(_SOME_FIELD),
            given="" if self.given is None else words.say(self.given),
            allowed="" if shapes is None else shapes.allowed(words),
            fields="" if shapes is None else shapes.fields(words),
        )


def misfit_of(
    error: msgspec.MsgspecError, body: bytes | object, kind: Any, code: str, cards: Sequence[str | int] = ()
) -> Misfit:
    """Return what is wrong with a body."""
    told = str(error)
    try:
        value = msgspec.json.decode(body) if isinstance(body, bytes) else body
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as wrong:
        # What is wrong with its shape is told of a body that is JSON to its end.
        told = str(wrong)
        return Misfit(code, _CUT_OFF if "truncated" in told else NOT_UTF8 if "UTF-8" in told else _NOT_JSON)
    found = _PLACE(told)
    steps = list(_steps(found[1])) if found is not None else []
    shapes = Shapes((inspect.type_info(kind),), cards)
    for number, step in enumerate(steps):
        shapes = shapes.within(step, _value_at(value, steps[:number]))
    value = _value_at(value, steps)
    unknown, missing = _UNKNOWN(told), _MISSING(told)
    if unknown is not None:
        inside = shapes.chosen_by(value)
        name = _written([*steps, unknown[1]]) if _NAME(unknown[1]) else ""
        return Misfit(code, _UNKNOWN_FIELD if inside.has_fields else _NO_FIELDS, name, None, inside)
    if missing is not None:
        return Misfit(
            code, _MISSING_FIELD, _written([*steps, missing[1]]), None, shapes.within(missing[1], value)
        )
    given = _kind_of(value)
    if not steps:
        return Misfit(code, _WRONG_BODY, "", given, shapes)
    # Of the right kind, and yet not allowed: too long, too large, none of a few.
    text = _OUT_OF_RANGE if given is None or shapes.takes(value) else _WRONG_FIELD
    return Misfit(code, text, _written(steps), given, shapes)


_MISSING_VALUE: Final = object()


def _steps(path: str) -> Iterator[str | int]:
    for step in _STEP(path):
        yield int(step[2]) if step[2] else step[1] or step[3]


def _value_at(value: object, steps: Sequence[str | int]) -> object:
    for step in steps:
        try:
            value = value[step]  # type: ignore[index]  # JSON: what cannot be asked for that is not there
        except (TypeError, LookupError):
            return _MISSING_VALUE
    return value


def _written(steps: Sequence[str | int]) -> str:
    parts = (f"[{step}]" if isinstance(step, int) else f".{step}" for step in steps if step != "[...]")
    return "".join(parts).removeprefix(".")


def _kind_of(value: object) -> Phrase | None:
    return next((name for kind, name in _KINDS if isinstance(value, kind)), None)
