"""How much time a seat has left, in words that stay true for a while."""

from typing import Final

from api.pages.durations import duration
from domain.instants import Instant, milliseconds_of
from services.words.phrases import phrase, words_in

_MINUTE: Final = 60


def time_left(deadline: Instant, now: Instant, language: str) -> str:
    """Return how long it is until a deadline: ``2 days``, ``5 minutes``.

    Args:
        deadline: The deadline.
        now: The present instant.
        language: The language.
    """
    seconds = (milliseconds_of(deadline) - milliseconds_of(now)) / 1000
    if seconds < _MINUTE:
        return words_in(language).say(phrase("less than a minute"))
    return duration(seconds, language)
