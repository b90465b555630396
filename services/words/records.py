"""What records of clubs are called, and how their numbers are read."""

from collections.abc import Mapping
from typing import Final

from services.words.moments import question_name
from services.words.phrases import Phrase, counted, phrase, words_in
from services.words.times import duration

_NAMES: Final[Mapping[str, Phrase]] = {
    "rounds": phrase("The most rounds"),
    "time": phrase("The longest match"),
    "margin": phrase("The widest win"),
}

_VALUES: Final[Mapping[str, Phrase]] = {
    "rounds": counted("{value} round", "{value} rounds", "value"),
    "margin": counted("{value} point ahead", "{value} points ahead", "value"),
}


def record_name(game: str, name: str, language: str) -> str:
    """Return what a record is of."""
    found = _NAMES.get(name)
    return question_name(game, name, language) if found is None else words_in(language).say(found)


def record_value(name: str, value: int, language: str) -> str:
    """Return a record's number as people read it."""
    if name == "time":
        return duration(value, language)
    found = _VALUES.get(name)
    return str(value) if found is None else words_in(language).say(found, value=value)
