"""The rules that people read: anchors, shape, options, and what is the same for all games."""

import re
import typing
from collections.abc import Callable, Iterator
from importlib import import_module
from inspect import signature
from itertools import product

import msgspec

from domain.errors import NotAsked, Refused
from domain.games.registry import CURRENT
from domain.match.clock_terms import LONGEST_TURN, SHORTEST_TURN
from domain.match.decide_table import UNDO_POLICIES
from domain.match.levels import LEVELS
from domain.match.say import REQUEST_SECONDS
from domain.match.state import EVENTS_LIMIT
from services.words.languages import LANGUAGES
from services.words.names import level_name, option_name, option_value
from tests.unit.rules_texts import (
    FOLDER,
    GAMES,
    anchors,
    block,
    blocks,
    every_game,
    every_language,
    every_text,
    numbers,
    rules,
    section,
    table,
)

RULINGS = {"lama": ("M", 40), "odin": ("O", 33), "skyjo": ("K", 34)}
"""By game: the letter of its rulings, and how many the specification has."""

WHY = {"en": "*Why:*", "fr": "*Pourquoi\u00a0:*"}


# --- what the code can name ---


def values(kind: object) -> tuple[object, ...]:
    """Values for a parameter of a refusal: all where few are possible."""
    if typing.get_origin(kind) is typing.Literal:
        return typing.get_args(kind)
    if typing.get_origin(kind) is tuple:
        return (values(typing.get_args(kind)[0])[:1],)
    return ("R1",) if kind is str else (1,)


def named_rules(game: str) -> set[str]:
    """Every rule that a refusal of a game names, whatever it is about."""
    module = import_module(f"domain.games.{game}.refusals")
    makers: Iterator[Callable[..., Refused]] = (
        value
        for value in vars(module).values()
        if callable(value) and getattr(value, "__module__", "") == module.__name__
    )
    named = {NotAsked(0, (1,)).rule}
    for make in makers:
        hints = typing.get_type_hints(make)
        choices = product(*(values(hints[name]) for name in signature(make).parameters))
        named.update(make(*choice).rule for choice in choices)
    return named


def test_the_rules_are_found_in_the_code():
    assert {"M1", "M2", "M3", "M10", "M24", "players", "turn"} <= named_rules("lama")
    assert {"1.A", "O1", "O3", "O33", "turn"} <= named_rules("odin")
    assert {"K4", "K7", "K30", "K34", "turn"} <= named_rules("skyjo")


# --- anchors and shape ---


@every_text
def test_every_rule_that_a_refusal_names_has_its_anchor(game, language):
    assert {rule.lower() for rule in named_rules(game)} <= set(anchors(rules(game, language)))


@every_text
def test_every_ruling_has_one_anchor_and_there_is_no_other(game, language):
    letter, last = RULINGS[game]
    found = anchors(rules(game, language))

    assert len(found) == len(set(found))
    rulings = {anchor for anchor in found if re.fullmatch(r"[a-z]\d+", anchor)}
    assert rulings == {f"{letter.lower()}{number}" for number in range(1, last + 1)}


@every_text
def test_a_ruling_shows_its_number_where_its_anchor_is(game, language):
    text, (letter, last) = rules(game, language), RULINGS[game]

    for number in range(1, last + 1):
        assert re.search(rf"\b{letter}{number}\b", block(text, f"{letter.lower()}{number}"))
    assert {int(number) for number in re.findall(rf"\b{letter}(\d+)\b", text)} == set(range(1, last + 1))


@every_text
def test_links_stay_on_the_page_and_lead_somewhere(game, language):
    text = rules(game, language)

    assert set(re.findall(r"\]\(([^)]*)\)", text)) <= {f"#{anchor}" for anchor in anchors(text)}


@every_text
def test_the_only_html_is_anchors(game, language):
    text = rules(game, language)
    inline = [
        child for token in blocks(text) for child in token.children or () if child.type == "html_inline"
    ]

    assert not [token for token in blocks(text) if token.type == "html_block"]
    assert "".join(child.content for child in inline) == "".join(
        f'<a id="{anchor}"></a>' for anchor in anchors(text)
    )


@every_game
def test_all_languages_have_the_same_shape(game):
    shapes = [[(token.type, token.tag) for token in blocks(rules(game, each))] for each in LANGUAGES]
    rows = [anchors(rules(game, each)) for each in LANGUAGES]

    assert shapes == shapes[:1] * len(LANGUAGES)
    assert rows == rows[:1] * len(LANGUAGES)


@every_text
def test_every_reading_has_its_reason(game, language):
    readings = re.findall(r"^- (.*(?:\n  .*)*)", section(rules(game, language), "readings"), re.MULTILINE)

    assert len(readings) > 10
    assert [reading for reading in readings if reading.count(WHY[language]) != 1] == []


def test_the_french_texts_break_no_line_before_a_sign():
    for game in GAMES:
        assert re.findall(r".*[^\u00a0|:][:;!?\u00bb](?![-\w#]).*", rules(game, "fr")) == []
        assert re.findall(r".*\u00ab[^\u00a0].*", rules(game, "fr")) == []


def test_the_index_names_every_text():
    index = (FOLDER / "README.md").read_text("utf-8")
    texts = {f"{game}.{language}.md" for game in GAMES for language in LANGUAGES}

    assert set(re.findall(r"\]\(([^)]*)\)", index)) == texts
    assert {file.name for file in FOLDER.glob("*.md")} == {*texts, "README.md"}


# --- options, and what is particular online ---


def choices_of(kind: object) -> Iterator[object]:
    for part in typing.get_args(kind):
        if typing.get_origin(kind) is typing.Literal:
            yield part
        else:
            yield from choices_of(part)


@every_text
def test_the_options_are_those_of_the_game_with_the_usual_ones_first(game, language):
    options = CURRENT[game].options_type
    rows = {row[0]: row[1] for row in table(rules(game, language), "options")}
    hints = typing.get_type_hints(options, include_extras=True)

    fields = msgspec.structs.fields(options)
    assert set(rows) == {option_name(game, field.name, language) for field in fields}
    for field in fields:
        told = [choice.strip() for choice in rows[option_name(game, field.name, language)].split(";")]
        assert told[0] == option_value(game, field.name, str(field.default), language)
        known = {
            option_value(game, field.name, str(choice), language)
            for choice in choices_of(hints[field.name])
            if isinstance(choice, str | int)
        }
        # What is not among the fixed values is a seat.
        assert known <= set(told)
        assert len(told) - len(known) == (field.name == "first")


@every_text
def test_limits_and_policies_online_are_those_of_the_code(game, language):
    text = rules(game, language)

    assert [row[0].strip("`") for row in table(text, "undo")] == list(UNDO_POLICIES)
    assert REQUEST_SECONDS // 3600 in numbers(section(text, "undo"))
    assert {SHORTEST_TURN, LONGEST_TURN // 86_400} <= set(numbers(section(text, "clock")))
    assert {REQUEST_SECONDS // 3600, EVENTS_LIMIT} <= set(numbers(section(text, "departures")))
    assert re.findall(r"\*([^*]+)\*", section(text, "bots")) == [
        level_name(each, language) for each in LEVELS
    ]


@every_language
def test_the_games_say_the_same_of_what_they_share(language):
    for anchor in ("bots", "departures"):
        assert len({section(rules(game, language), anchor) for game in GAMES}) == 1
    assert len({str(table(rules(game, language), "undo")) for game in GAMES}) == 1
