"""Texts as written in the code, and as said in a language."""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from services.words.catalogues import translations_of

KEYWORDS: dict[str, tuple[int, ...] | None] = {
    "phrase": None,
    "counted": (1, 2),
    # In the templates of pages.
    "_": None,
    "_n": (1, 2),
}
"""The calls that mark texts for extraction, with the positions of singular and plural among the arguments."""


class Phrase(NamedTuple):
    """A text to be translated, with its places for arguments in braces.

    Attributes:
        text: The English text, which is its key in the catalogues; the singular if there is a plural.
        plural: The English text for other numbers.
        counts: The name of the argument that decides between them.
    """

    text: str
    plural: str = ""
    counts: str = ""


def phrase(text: str) -> Phrase:
    """Mark a text for translation."""
    return Phrase(text)


def counted(one: str, many: str, counts: str) -> Phrase:
    """Mark a text that depends on a number, the argument named ``counts``."""
    return Phrase(one, many, counts)


_AND = phrase("{others} and {last}")
_OR = phrase("{others} or {last}")


class Words:
    """Says texts in one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self._translations = translations_of(language)

    def say(self, text: Phrase, **arguments: object) -> str:
        """Return a text in this language."""
        if text.plural:
            number = arguments[text.counts]
            # A total below zero takes the form of its size: minus one point, minus two points.
            size = abs(number) if isinstance(number, int) else 0
            translated = self._translations.ngettext(text.text, text.plural, size)
        else:
            # In a catalogue the empty key is the header.
            translated = self._translations.gettext(text.text) if text.text else ""
        for name, value in arguments.items():
            if str(value).endswith("."):
                # A name such as "Zoé B." brings the full stop along.
                translated = translated.replace(f"{{{name}}}.", f"{{{name}}}")
        return translated.format(**{name: _shown(value) for name, value in arguments.items()})

    def all_of(self, items: Iterable[object]) -> str:
        """Return a list with "and" before the last item."""
        return self._joined(items, _AND)

    def any_of(self, items: Iterable[object]) -> str:
        """Return a list with "or" before the last item."""
        return self._joined(items, _OR)

    def _joined(self, items: Iterable[object], joint: Phrase) -> str:
        *others, last = [str(item) for item in items] or [""]
        return self.say(joint, others=", ".join(others), last=last) if others else last


def whole(number: object) -> str:
    """Return a whole number as it is written in a text: below zero with a minus sign, not a hyphen."""
    return str(number).replace("-", "\N{MINUS SIGN}")


def _shown(value: object) -> object:
    return whole(value) if isinstance(value, int) and value < 0 else value


@cache
def words_in(language: str) -> Words:
    """Return the words of a language; English if there is no such language."""
    return Words(language)
