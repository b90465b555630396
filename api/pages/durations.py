"""Durations in words, in their largest unit."""

from typing import Final

from services.words.phrases import counted, phrase, words_in

_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 86_400

_INSTANT: Final = phrase("less than a second")
_SECONDS: Final = counted("{seconds} second", "{seconds} seconds", "seconds")
_MINUTES: Final = counted("{minutes} minute", "{minutes} minutes", "minutes")
_HOURS: Final = counted("{hours} hour", "{hours} hours", "hours")
_DAYS: Final = counted("{days} day", "{days} days", "days")


def duration(seconds: float, language: str) -> str:
    """Return a duration in its largest unit, cut down: ``3 minutes``."""
    words = words_in(language)
    for length, said in ((_DAY, _DAYS), (_HOUR, _HOURS), (_MINUTE, _MINUTES), (1, _SECONDS)):
        if seconds >= length:
            return words.say(said, **{said.counts: int(seconds // length)})
    return words.say(_INSTANT)
