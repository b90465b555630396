"""How much time a seat has left, in words that stay true for a while."""

from datetime import timedelta

from domain.instants import Instant, moment_of
from services.words.phrases import counted, phrase, words_in

_DAY, _HOUR, _MINUTE = 86_400, 3600, 60


def time_left(deadline: Instant, now: Instant, language: str) -> str:
    """Return how long it is until a deadline: ``2 days``, ``5 minutes``.

    Args:
        deadline: The deadline.
        now: The present instant.
        language: The language.
    """
    words = words_in(language)
    seconds = (moment_of(deadline) - moment_of(now)) // timedelta(seconds=1)
    if seconds < _MINUTE:
        return words.say(phrase("less than a minute"))
    if seconds < _HOUR:
        minutes = counted("{minutes} minute", "{minutes} minutes", "minutes")
        return words.say(minutes, minutes=seconds // _MINUTE)
    if seconds < _DAY:
        return words.say(counted("{hours} hour", "{hours} hours", "hours"), hours=seconds // _HOUR)
    return words.say(counted("{days} day", "{days} days", "days"), days=seconds // _DAY)
