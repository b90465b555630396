"""What a game's questions about a match are called, and what an answer says to a reader."""

from collections.abc import Sequence

from domain.games.moments import Moment
from services.words.games import words_of
from services.words.phrases import words_in
from services.words.telling import Teller


def question_name(game: str, question: str, language: str) -> str:
    """Return a question, as the title of its answers."""
    words = words_of(game)
    found = None if words is None else words.moments.get(question)
    return question if found is None else words_in(language).say(found.question)


def moment_line(game: str, moment: Moment, names: Sequence[str], language: str, you: int | None) -> str:
    """Return what a moment says; empty where the game has no words for it."""
    words = words_of(game)
    found = None if words is None else words.moments.get(moment.question)
    if found is None:
        return ""
    teller = Teller(words_in(language), names, you)
    if moment.seat is None:
        return teller.say(found.other, value=moment.value)
    return teller.by_seat(moment.seat, found.you, found.other, value=moment.value)
