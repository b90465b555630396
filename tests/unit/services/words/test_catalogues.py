"""The catalogues hold every text of the code, translated, with the same places for arguments."""

from functools import cache
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.plurals import get_plural
from hatchling.builders.wheel import WheelBuilder

from services.process.games import games_from_outside
from services.words.catalogues import catalogue_file, translations_of
from services.words.languages import LANGUAGES, SOURCE
from services.words.phrases import counted, phrase, words_in
from services.words.update import CHECKOUT, extracted, stored

OWNERS = ["", *sorted(games_from_outside())]
"""Whose catalogue it is: Tablée's own, or that of a game from outside."""

every_owner = pytest.mark.parametrize("game", OWNERS, ids=lambda game: game or "tablee")

TRANSLATIONS = [language for language in LANGUAGES if language != SOURCE]

SAME_IN_FRENCH = {
    "Clubs",
    "Guide",
    "L.A.M.A.",
    "Mail",
    "Odin",
    "Skyjo",
    "Bot {seat}",
    "Bot {number}",
    "{minutes} minute",
    "{points} point",
    "Pages",
    "Points",
    "Table",
    "Tables",
    "Table {number}",
    "Pause",
    "Projections",
    "Type",
    "version {version}",
    "expert",
}
"""Names, which are not translated, and words that both languages have."""


@cache
def code(game: str) -> Catalog:
    return extracted(game)


def texts(catalogue: Catalog) -> dict[tuple[str, ...], Message]:
    return {forms(text.id): text for text in catalogue if text.id}


def forms(text: str | list[str] | tuple[str, ...] | None) -> tuple[str, ...]:
    return (text,) if isinstance(text, str) else tuple(text or ())


def places(text: str) -> set[str]:
    return {name for _, name, _, _ in Formatter().parse(text) if name is not None}


@every_owner
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_holds_exactly_the_texts_of_the_code(language, game):
    assert set(texts(stored(language, game))) == set(texts(code(game))), "run python -m services.words.update"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_installed_package_reads_the_catalogue_of_the_checkout(language):
    with catalogue_file(language).open("rb") as file:
        assert len(file.read()) > 1000
    assert translations_of(language).info()["language"] == language


@every_owner
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_text_is_translated_in_every_form(language, game):
    wanted = get_plural(language).num_plurals
    for text in texts(stored(language, game)).values():
        assert len(forms(text.string)) == (wanted if text.pluralizable else 1), text.id
        assert all(forms(text.string)), text.id
        assert not text.fuzzy, text.id


@every_owner
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_has_the_places_of_its_text(language, game):
    for key, text in texts(stored(language, game)).items():
        for form in forms(text.string):
            assert places(form) == places(key[-1]), text.id


@every_owner
@pytest.mark.parametrize("language", TRANSLATIONS)
def test_a_translation_differs_from_its_text(language, game):
    same = {key[0] for key, text in texts(stored(language, game)).items() if forms(text.string)[0] == key[0]}
    assert same == (set() if game else SAME_IN_FRENCH)


@every_owner
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_translation_ends_as_its_text_does(language, game):
    for key, text in texts(stored(language, game)).items():
        for form in forms(text.string):
            assert (form[-1] in ".!?") == (key[-1][-1] in ".!?"), text.id


@every_owner
def test_french_says_tu_and_keeps_its_punctuation_together(game):
    for text in texts(stored("fr", game)).values():
        for form in forms(text.string):
            words = form.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", " ").split()
            assert not {"vous", "votre", "vos"}.intersection(words), form
            assert "'" not in form, form
            assert not any(f" {mark}" in form for mark in ":;?!»"), form


def test_french_has_three_plural_forms():
    assert get_plural("fr").num_plurals == 3
    text = counted("You played {played} card.", "You played {played} cards.", "played")
    said = [words_in("fr").say(text, played=number) for number in (0, 1, 2, 1_000_000)]
    assert said == [
        "Tu as joué 0 carte.",
        "Tu as joué 1 carte.",
        "Tu as joué 2 cartes.",
        "Tu as joué 1000000 cartes.",
    ]
    assert words_in("en").say(text, played=0) == "You played 0 cards."


def test_a_game_from_outside_has_no_text_that_tablee_has_already():
    assert not texts(stored("fr")).keys() & texts(stored("fr", "alone")).keys()
    assert words_in("fr").say(phrase("Everybody has chosen.")) == "Tout le monde a choisi."


def test_an_unknown_language_and_an_unknown_text_come_out_in_english():
    assert words_in("tlh").say(phrase("You pass.")) == "You pass."
    assert words_in("fr").say(phrase("Never written down: {what}"), what=1) == "Never written down: 1"


def test_lists_are_joined_as_the_language_does():
    assert words_in("en").all_of(["a", "b", "c"]) == "a, b and c"
    assert words_in("fr").any_of([1, 2]) == "1 ou 2"
    assert words_in("fr").any_of([]) == ""


def test_the_wheel_brings_the_catalogues_and_nothing_compiled():
    packed = {Path(file.distribution_path) for file in WheelBuilder(str(CHECKOUT)).recurse_included_files()}
    in_words = {file for file in packed if "locale" in file.parts}
    assert in_words == {
        Path("services/words/locale", language, "LC_MESSAGES/tablee.po") for language in LANGUAGES
    }
