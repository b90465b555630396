"""Whatever the games show on the wire has a name that people read."""

import typing

import pytest

from domain.games.registry import CURRENT
from domain.match.levels import LEVELS
from services.words.contract import GameWords
from services.words.games import words_of
from services.words.languages import LANGUAGES, choose_language
from services.words.names import (
    card_name,
    game_name,
    game_phase_name,
    level_line,
    level_name,
    move_text,
    option_name,
    option_value,
    phase_name,
    rules_summary,
)

GAMES = sorted(CURRENT)


def literals(kind: object) -> set[object]:
    """All fixed values that a type allows."""
    if typing.get_origin(kind) is typing.Literal:
        return set(typing.get_args(kind))
    return set().union(*map(literals, typing.get_args(kind)))


def words_for(game: str) -> GameWords:
    words = words_of(game)
    assert words is not None
    return words


@pytest.mark.parametrize("game", GAMES)
def test_every_option_and_every_value_has_a_name(game):
    hints = typing.get_type_hints(CURRENT[game].options_type)
    words = words_for(game)
    assert set(words.options) == set(hints)
    values = {(option, value) for option, kind in hints.items() for value in literals(kind)}
    assert set(words.option_values) == {pair for pair in values if isinstance(pair[1], str)}


def test_options_and_values_are_named_in_the_readers_language():
    assert option_value("lama", "limit", 40, "fr") == "40"
    assert option_name("lama", "limit", "fr") == "Limite"
    assert option_value("lama", "limit", "single", "fr") == "une seule manche"
    assert option_name("alone", "rounds", "fr") == "Manches"


@pytest.mark.parametrize("game", GAMES)
def test_every_phase_of_a_view_has_a_name(game):
    hints = typing.get_type_hints(CURRENT[game].view_type)
    phases = literals(hints["phase"]) if "phase" in hints else set()
    assert set(words_for(game).phases) == phases
    for phase in map(str, phases):
        assert game_phase_name(game, phase, "fr") != game_phase_name(game, phase, "en") != phase


@pytest.mark.parametrize("game", GAMES)
def test_every_type_of_move_has_a_text(game):
    example = {"cards": ["R8"], "card": "3", "slots": [1], "slot": 1, "chip": "black"}
    for kind in CURRENT[game].move_types:
        tag = kind.__struct_config__.tag
        assert move_text(game, {"type": tag, **example}, "en") != tag


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", GAMES)
def test_every_game_has_a_name_and_its_rules_in_short(game, language):
    assert game_name(game, language) != game
    assert 5 <= len(rules_summary(game, language)) <= 12


def test_every_level_and_every_phase_of_a_match_has_a_name():
    for level in LEVELS:
        assert level_name(level, "fr") == level if level == "expert" else level_name(level, "fr") != level
        assert level_line(level, "en") != level_line(level, "fr") != ""
    for phase in ("gathering", "playing", "finished", "abandoned"):
        assert phase_name(phase, "fr") != phase_name(phase, "en")


def test_what_has_no_name_keeps_its_own():
    assert game_name("whist", "fr") == "whist"
    assert card_name("whist", "Q", "fr") == "Q"
    assert move_text("lama", {"type": "sing"}, "fr") == "sing"
    assert option_name("lama", "speed", "fr") == "speed"
    assert phase_name("none", "fr") == "none"
    assert level_name("", "fr") == ""
    assert rules_summary("whist", "fr") == ()


@pytest.mark.parametrize(
    ("wanted", "chosen"),
    [
        ([], "en"),
        (["", "C"], "en"),
        (["fr_FR.UTF-8"], "fr"),
        (["de-CH", "fr-CA", "en"], "fr"),
        (["FR"], "fr"),
        (["fr.UTF-8"], "fr"),
        (["french"], "en"),
    ],
)
def test_the_first_language_that_there_is_is_chosen(wanted, chosen):
    assert choose_language(wanted) == chosen
