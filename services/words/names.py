"""Names of games, cards, moves, options, phases and levels. A thing without a name keeps its name on the wire."""

from collections.abc import Mapping
from typing import Any

from services.words.games import words_of
from services.words.phrases import Phrase, phrase, words_in

_PHASES: Mapping[str, Phrase] = {
    "gathering": phrase("waiting for players"),
    "playing": phrase("being played"),
    "finished": phrase("finished"),
    "abandoned": phrase("ended without a result"),
}

_LEVELS: Mapping[str, Phrase] = {
    "easy": phrase("easy"),
    "normal": phrase("normal"),
    "hard": phrase("hard"),
    "expert": phrase("expert"),
    "steady": phrase("steady"),
}

_LEVEL_LINES: Mapping[str, Phrase] = {
    "easy": phrase("plays like somebody new to the game"),
    "normal": phrase("plays sensibly, and never misses what is certain"),
    "hard": phrase("weighs the whole table: the others, the time that is left, the risk"),
    "expert": phrase(
        "plays hundreds of possible courses through before each move, and thinks of the whole match"
    ),
    "steady": phrase("the bot of earlier matches; it plays as hard does"),
}

_SEAT = phrase("seat {seat}")


def game_name(game: str, language: str) -> str:
    """Return a game's name, as people write it."""
    words = words_of(game)
    return game if words is None else words_in(language).say(words.name)


def card_name(game: str, card: str | int, language: str) -> str:
    """Return a card's bare name: ``red 8``, ``-2``."""
    words = words_of(game)
    return str(card) if words is None else words.card(words_in(language), card)


def move_text(game: str, move: Mapping[str, Any], language: str) -> str:
    """Return what a move does, as a button says it: ``Play a 3``."""
    words = words_of(game)
    said = "" if words is None else words.move(words_in(language), move)
    return said or str(move.get("type", ""))


def option_name(game: str, option: str, language: str) -> str:
    """Return an option's name: ``Limit``."""
    words = words_of(game)
    text = None if words is None else words.options.get(option)
    return option if text is None else words_in(language).say(text)


def option_value(game: str, option: str, value: str | int, language: str) -> str:
    """Return what an option's value means."""
    words = words_of(game)
    if words is not None and option in words.seat_options and isinstance(value, int):
        return words_in(language).say(_SEAT, seat=value + 1)
    text = None if words is None else words.option_values.get((option, str(value)))
    return str(value) if text is None else words_in(language).say(text)


def game_phase_name(game: str, phase: str, language: str) -> str:
    """Return what is going on in a game, from the ``phase`` of its view."""
    words = words_of(game)
    text = None if words is None else words.phases.get(phase)
    return phase if text is None else words_in(language).say(text)


def phase_name(phase: str, language: str) -> str:
    """Return how far a match has come, from its lifecycle's ``phase``."""
    text = _PHASES.get(phase)
    return phase if text is None else words_in(language).say(text)


def level_name(level: str, language: str) -> str:
    """Return the name of a bot's level."""
    text = _LEVELS.get(level)
    return level if text is None else words_in(language).say(text)


def level_line(level: str, language: str) -> str:
    """Return in a few words how a bot of some level plays; nothing for a level without a name."""
    text = _LEVEL_LINES.get(level)
    return "" if text is None else words_in(language).say(text)


def rules_summary(game: str, language: str) -> tuple[str, ...]:
    """Return a game's rules in brief, a sentence or two each."""
    words = words_of(game)
    return () if words is None else tuple(words_in(language).say(text) for text in words.summary)
