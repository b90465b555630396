"""The catalogues, read from their ``.po`` files when a language is first needed.

They are not compiled in advance, so there is no build step, and no compiled file that could be older than its source.
"""

from collections.abc import Iterator
from functools import cache
from gettext import GNUTranslations, NullTranslations
from importlib.resources import files
from importlib.resources.abc import Traversable
from io import BytesIO

from services.process.games import folder_of, games_from_outside
from services.words.languages import LANGUAGES

DOMAIN = "tablee"


def catalogue_file(language: str, game: str = "") -> Traversable:
    """Return the file of a language's catalogue: Tablée's own, or that of a game from outside."""
    folder, name = (folder_of(game), game) if game else (files("services.words"), DOMAIN)
    return folder.joinpath("locale", language, "LC_MESSAGES", f"{name}.po")


@cache
def translations_of(language: str) -> NullTranslations:
    """Return the translations into a language; without a catalogue, the source texts."""
    if language not in LANGUAGES:
        return NullTranslations()
    first, *others = (_read(file, language) for file in _catalogue_files(language))
    # A text that Tablée has itself is said in its words everywhere.
    for catalogue in others:
        first.add_fallback(catalogue)
    return first


def _catalogue_files(language: str) -> Iterator[Traversable]:
    yield catalogue_file(language)
    for game in games_from_outside():
        file = catalogue_file(language, game)
        if file.is_file():
            yield file


def _read(file: Traversable, language: str) -> GNUTranslations:
    # Babel costs some megabytes, which processes that never say anything can save.
    from babel.messages.mofile import write_mo
    from babel.messages.pofile import read_po

    with file.open("rb") as source:
        catalogue = read_po(source, locale=language, domain=DOMAIN)
    compiled = BytesIO()
    write_mo(compiled, catalogue)
    compiled.seek(0)
    return GNUTranslations(compiled)
