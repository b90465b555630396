"""Update the catalogues after changing texts: run ``python -m services.words.update`` in a checkout, then translate.

Texts come from the code of all rings and from the pages' templates. Their places are recorded by file, without line
numbers, which would change with every edit. Games from outside have catalogues of their own: ``TABLEE_GAMES`` names the
games whose catalogues are updated, too; keys as arguments update the catalogues of these games alone.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import product
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po

from services.process.games import folder_of, games_from_outside, load_games
from services.words.catalogues import DOMAIN, catalogue_file
from services.words.languages import LANGUAGES, SOURCE
from services.words.phrases import KEYWORDS

CHECKOUT = Path(__file__).parents[2]
FOLDERS = ("domain", "services", "workers", "api")
# Relative to each scanned folder: a pattern that names the folder itself would silently find nothing.
_METHODS = [("**.py", "python"), ("**/templates/**.html", "jinja2")]
# Without this, a template that cannot be read would be skipped.
_OPTIONS = {"**/templates/**.html": {"silent": "false"}}


def extracted(game: str = "") -> Catalog:
    """Return all texts of the code: Tablée's own, or those that a game from outside adds."""
    if not game:
        return _texts_in({folder: CHECKOUT / folder for folder in FOLDERS})
    catalogue, ours = _texts_in({game: Path(str(folder_of(game)))}), extracted()
    for text in list(catalogue):
        if text.id and text.id in ours:
            catalogue.delete(text.id, text.context)
    return catalogue


def _texts_in(folders: Mapping[str, Path]) -> Catalog:
    catalogue = Catalog(charset="utf-8")
    for folder, path in folders.items():
        for file, _, found, comments, context in extract_from_dir(
            path,
            method_map=_METHODS,
            options_map=_OPTIONS,
            keywords=KEYWORDS,
            strip_comment_tags=True,
        ):
            place = (f"{folder}/{Path(file).as_posix()}", 0)
            catalogue.add(found, None, [place], auto_comments=comments, context=context)
    return catalogue


def stored(language: str, game: str = "") -> Catalog:
    """Return a language's catalogue from its file."""
    with catalogue_file(language, game).open("rb") as source:
        return read_po(source, locale=language, domain=DOMAIN)


def update(games: Iterable[str] = ()) -> Iterator[str]:
    """Bring the catalogues up to date with the code.

    Args:
        games: The keys of the games whose catalogues to update; by default Tablée's own and those of all games.

    Yields:
        For each catalogue, how many texts still need a translation.
    """
    for game, language in product(games or ("", *games_from_outside()), LANGUAGES):
        # Extract again each time: a catalogue takes over the objects of the one that it is updated from.
        template = extracted(game)
        file = Path(str(catalogue_file(language, game)))
        catalogue = stored(language, game) if file.exists() else _new_catalogue(language)
        begun = catalogue.creation_date
        # No guessing from similar texts: its mistakes would look like finished work.
        catalogue.update(template, no_fuzzy_matching=True)
        catalogue.obsolete.clear()
        # Depend on neither today's date nor the order of files: updating nothing changes nothing, and two people's
        # changes conflict only where both have written.
        catalogue.creation_date = catalogue.revision_date = begun
        if language == SOURCE:
            _fill_with_source(catalogue)
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("wb") as target:
            write_po(target, catalogue, width=110, sort_output=True, include_lineno=False)
        missing = sum(1 for text in catalogue if text.id and not _is_translated(text.string))
        place = file.relative_to(CHECKOUT) if file.is_relative_to(CHECKOUT) else file
        yield f"{place}: {missing} of {len(catalogue)} texts to translate"


def _new_catalogue(language: str) -> Catalog:
    catalogue = Catalog(
        locale=language, project="Tablée", version="", fuzzy=False, last_translator="", language_team=""
    )
    catalogue.header_comment = "# The texts of Tablée; see services/words/update.py."
    return catalogue


def _fill_with_source(catalogue: Catalog) -> None:
    for text in catalogue:
        if text.id and not _is_translated(text.string):
            text.string = tuple(text.id) if text.pluralizable else text.id


def _is_translated(string: str | tuple[str, ...] | list[str] | None) -> bool:
    forms = (string,) if isinstance(string, str) else tuple(string or ())
    return bool(forms) and all(forms)


if __name__ == "__main__":
    load_games()
    for line in update(sys.argv[1:]):
        print(line)  # noqa: T201 - it is a program
