"""Every code under which something is refused has its sentences, in every language."""

import ast
import typing
from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import signature
from string import Formatter
from types import GenericAlias

import pytest

from domain.errors import Refused
from domain.games.registry import CURRENT, is_built_in
from services.words.contract import RefusalWords
from services.words.games import words_of
from services.words.languages import LANGUAGES
from services.words.phrases import Phrase
from services.words.refusals import refusal_text
from services.words.table_refusals import TABLE_REFUSALS
from services.words.update import CHECKOUT


class Given(typing.NamedTuple):
    """A place in the code that refuses something."""

    code: str
    rule: str
    arguments: frozenset[str]
    game: str


def refused_in(folder: str) -> Iterator[Given]:
    place = CHECKOUT / folder
    for file in sorted(place.rglob("*.py")) if place.is_dir() else [place]:
        game = file.parent.name if file.parent.parent.name == "games" else ""
        for node in ast.walk(ast.parse(file.read_text())):
            match node:
                case ast.Call(
                    func=ast.Name("Refused") | ast.Attribute(attr="__init__"),
                    args=[ast.Constant(str() as code), rule],
                    keywords=keywords,
                ):
                    number = str(rule.value) if isinstance(rule, ast.Constant) else ""
                    yield Given(code, number, frozenset(word.arg or "" for word in keywords), game)


OF_OPERATORS = (
    "services/log/embedded/",
    "services/log/event_store/",
    "services/process/settings.py",
    "api/supervision/",
)
"""Where errors are told to operators, by messages of their own."""


def errors_in(*folders: str) -> Iterator[str]:
    for file in sorted(file for folder in folders for file in (CHECKOUT / folder).rglob("*.py")):
        if file.relative_to(CHECKOUT).as_posix().startswith(OF_OPERATORS):
            continue
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ClassDef):
                for statement in node.body:
                    match statement:
                        case ast.Assign([ast.Name("code")], ast.Constant(str() as code)):
                            yield code


def constants_of(folder: str) -> Iterator[str]:
    """Yield what stands in the code that gives errors; some classes of errors have several codes."""
    for file in (CHECKOUT / folder).rglob("*.py"):
        if not file.is_relative_to(CHECKOUT / "services" / "words"):
            for node in ast.walk(ast.parse(file.read_text())):
                if isinstance(node, ast.Constant) and isinstance(node.value, str):
                    yield node.value


FOLDERS = (
    "domain",
    "services/matches",
    "services/people",
    "services/standings",
    "services/notices",
    "services/audit/reissues.py",
    "api",
    "tests/games",
)

REFUSED = sorted(
    {given for folder in FOLDERS for given in refused_in(folder)},
    key=str,
)
ERRORS = sorted(set(errors_in("services", "api")))


def words_for(given: Given) -> RefusalWords:
    words = words_of(given.game or given.code.partition(".")[0])
    own = words.refusals.get(given.code) if words is not None else None
    return own or TABLE_REFUSALS[given.code]


def phrases(words: RefusalWords) -> Iterator[Phrase]:
    yield words.wrong
    yield words.right
    yield from (words.rule,) if isinstance(words.rule, Phrase) else words.rule.values()


def test_there_are_codes_to_look_at():
    codes = {given.code for given in REFUSED}
    assert {"not_your_turn", "lama.pile_empty", "odin.mixed_set", "skyjo.slot_gone", "seat.taken"} <= codes
    assert {"store.unavailable", "match.unknown"} <= set(ERRORS)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("given", REFUSED, ids=lambda given: given.code)
def test_every_refusal_of_the_domain_has_its_sentences(given, language):
    for phrase in phrases(words_for(given)):
        for text in (phrase.text, phrase.plural):
            places = {name for _, name, _, _ in Formatter().parse(text) if name}
            assert places <= given.arguments, f"{given.code} does not give these"
    if not given.game:
        said = refusal_text(given.code, given.rule, dict.fromkeys(given.arguments, (1, 2)), language)
        assert said.wrong
        assert given.code not in str(said)
        assert not set("{}").intersection(str(said))


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("code", ERRORS)
def test_every_error_of_the_services_has_its_sentence(code, language):
    said = refusal_text(code, "", {}, language)
    assert said.wrong
    assert code not in said.wrong


def test_no_sentence_is_left_of_a_code_that_is_given_nowhere():
    codes = {given.code for given in REFUSED}.union(ERRORS, constants_of("services"))
    games = (words_of(game) for game in CURRENT)
    told = {code for words in games if words is not None for code in words.refusals}.union(TABLE_REFUSALS)
    assert told <= codes


def example(kind: object, game: str) -> object:
    """A value for a parameter of a refusal."""
    if isinstance(kind, GenericAlias) or typing.get_origin(kind) is tuple:
        inner = typing.get_args(kind)[0]
        return (example(inner, game), example(inner, game))
    if typing.get_origin(kind) is typing.Literal:
        return typing.get_args(kind)[0]
    return CURRENT[game].cards[0] if kind is str else 2


BUILT_IN = [game for game in sorted(CURRENT) if is_built_in(game)]


def refusals_of(game: str) -> Iterator[Callable[..., Refused]]:
    module = import_module(f"domain.games.{game}.refusals")
    for name, value in vars(module).items():
        if callable(value) and getattr(value, "__module__", "") == module.__name__ and name[0] != "_":
            yield value


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", BUILT_IN)
def test_a_game_s_refusals_are_told_with_what_they_say_of_themselves(game, language):
    for make in refusals_of(game):
        hints = typing.get_type_hints(make)
        refusal = make(*(example(hints[name], game) for name in signature(make).parameters))
        said = refusal_text(refusal.code, refusal.rule, refusal.arguments, language, game=game)
        assert all(said), refusal.code


def test_a_refusal_says_what_was_wrong_which_rule_and_what_would_be_right():
    arguments = {"card": "3", "top": "6", "playable": ("6", "L")}
    said = refusal_text("lama.card_not_playable", "M2", arguments, "en")
    assert said == (
        "You played a 3 on a 6.",
        "On a 6 you can play another 6 or a llama.",
        "You can play a 6 or a llama, draw, or quit the round.",
    )
    french = refusal_text("lama.card_not_playable", "M2", arguments, "fr")
    assert french.wrong == "Tu as joué un 3 sur un 6."


def test_a_code_that_games_share_is_told_in_the_words_of_the_game():
    for game, card, said in (
        ("lama", "L", "You do not have a llama."),
        ("odin", "R8", "You do not have the red 8."),
    ):
        assert refusal_text("card_not_in_hand", "M1", {"card": card}, "en", game=game).wrong == said


def test_an_unknown_code_is_told_as_such():
    assert refusal_text("no.such.code", "", {}, "en") == ("This cannot be done (no.such.code).", "", "")
