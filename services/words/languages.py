"""The languages that Tablée speaks."""

from collections.abc import Iterable

SOURCE = "en"
"""The language of the texts in the code."""

LANGUAGES = ("en", "fr")
"""The languages with a catalogue; the first is the fallback."""


def choose_language(wanted: Iterable[str]) -> str:
    """Return the first available one of the wanted language tags, most wanted first, or English."""
    for tag in wanted:
        language = tag.strip().replace("_", "-").partition("-")[0].lower()
        language = language.partition(".")[0]
        if language in LANGUAGES:
            return language
    return SOURCE
