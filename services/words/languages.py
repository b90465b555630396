"""The languages that Tablée speaks."""

from collections.abc import Iterable

SOURCE = "en"
"""The language of the texts in the code."""

LANGUAGES = ("en", "fr")
"""All that have a catalogue, the one to fall back on first."""


def choose_language(wanted: Iterable[str]) -> str:
    """Return the first language wanted that there is, or English.

    Args:
        wanted: Language tags, the most wanted first: ``fr``, ``fr-CA``, ``fr_FR.UTF-8``. Empty ones are skipped.
    """
    for tag in wanted:
        language = tag.strip().replace("_", "-").partition("-")[0].lower()
        language = language.partition(".")[0]
        if language in LANGUAGES:
            return language
    return SOURCE
