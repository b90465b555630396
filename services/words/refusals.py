"""Why something was refused: what was wrong, which rule says so, what would be right."""

from collections.abc import Mapping
from string import Formatter
from typing import Any, NamedTuple

from services.words.games import words_of
from services.words.phrases import Phrase, Words, phrase, words_in
from services.words.table_refusals import TABLE_REFUSALS, table_arguments

_UNKNOWN = phrase("This cannot be done ({code}).")


class Refusal(NamedTuple):
    """A refusal in words. Parts may be empty.

    Attributes:
        wrong: What was wrong.
        rule: The rule, in a sentence.
        right: What would be right.
    """

    wrong: str
    rule: str = ""
    right: str = ""

    def __str__(self) -> str:
        """Return all parts as one text."""
        return " ".join(filter(None, self))


def refusal_text(
    code: str, rule: str, arguments: Mapping[str, Any], language: str, *, game: str = ""
) -> Refusal:
    """Return the sentences of a refusal or of a service's error.

    Args:
        code: Its stable code.
        rule: The rule's number or name; empty for an error that breaks no rule.
        arguments: The refusal's arguments.
        language: The language.
        game: The match's game. Needed for codes that several games share; the others name their game.
    """
    words = words_in(language)
    spoken = words_of(game or code.partition(".")[0])
    if spoken is not None and code in spoken.refusals:
        texts, ready = spoken.refusals[code], spoken.refusal_arguments(words, arguments)
    elif code in TABLE_REFUSALS:
        texts, ready = TABLE_REFUSALS[code], table_arguments(words, arguments)
    else:
        return Refusal(words.say(_UNKNOWN, code=code))
    return Refusal(
        _said(words, texts.wrong, ready) or words.say(_UNKNOWN, code=code),
        _said(words, texts.rule_text(rule), ready),
        _said(words, texts.right, ready),
    )


def _said(words: Words, text: Phrase, arguments: Mapping[str, Any]) -> str:
    """Return a sentence; empty if this refusal lacks an argument of it, as one code may come from many places."""
    places = {name for _, name, _, _ in Formatter().parse(text.text) if name}
    return words.say(text, **arguments) if places <= arguments.keys() else ""
