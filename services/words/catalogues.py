"""The catalogues, read from their ``.po`` files when a language is first needed.

They are not compiled in advance, so there is no build step, and no compiled file that could be older than its source.
"""

from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO

from services.words.languages import LANGUAGES

DOMAIN = "tablee"


def catalogue_file(language: str) -> Traversable:
    """Return the file of a language's catalogue."""
    return files("services.words").joinpath("locale", language, "LC_MESSAGES", f"{DOMAIN}.po")


@cache
def translations_of(language: str) -> NullTranslations:
    """Return the translations into a language; without a catalogue, the source texts."""
    if language not in LANGUAGES:
        return NullTranslations()
    # Babel costs some megabytes, which processes that never say anything can save.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with catalogue_file(language).open("rb") as source:
        catalogue = read_po(source, locale=language, domain=DOMAIN)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)
