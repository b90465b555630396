"""Instants and durations as people read them."""

from datetime import UTC, datetime
from math import ceil
from typing import Final
from zoneinfo import ZoneInfo

from babel.dates import format_date, format_datetime, get_day_names

from domain.instants import Instant, moment_of, seconds_between
from services.words.phrases import counted, phrase, words_in

_MINUTE: Final = 60
_HOUR: Final = 3600
_DAY: Final = 86_400
_A_WEEK: Final = 7
"""Days: from then on the name of a day names another one."""

_INSTANT: Final = phrase("less than a second")
_SECONDS: Final = counted("{seconds} second", "{seconds} seconds", "seconds")
_MINUTES: Final = counted("{minutes} minute", "{minutes} minutes", "minutes")
_HOURS: Final = counted("{hours} hour", "{hours} hours", "hours")
_DAYS: Final = counted("{days} day", "{days} days", "days")


def moment(instant: str | int) -> str:
    """Return an instant to the second, in UTC, as the service log writes it.

    Args:
        instant: As the log has it, or in milliseconds since the epoch.
    """
    if isinstance(instant, int):
        return f"{datetime.fromtimestamp(instant / 1000, UTC):%Y-%m-%d %H:%M:%S}"
    return instant[:19].replace("T", " ")


def duration(seconds: float, language: str) -> str:
    """Return a duration in its largest unit, cut down: ``3 minutes``."""
    words = words_in(language)
    for length, said in ((_DAY, _DAYS), (_HOUR, _HOURS), (_MINUTE, _MINUTES), (1, _SECONDS)):
        if seconds >= length:
            return words.say(said, **{said.counts: int(seconds // length)})
    return words.say(_INSTANT)


def at_most(seconds: float, language: str) -> str:
    """Return a duration in its largest unit, rounded up: whoever waits that long has waited long enough."""
    unit = next((length for length in (_DAY, _HOUR, _MINUTE) if seconds > length), 1)
    return duration(max(1, ceil(seconds / unit)) * unit, language)


def time_left(deadline: Instant, now: Instant, language: str) -> str:
    """Return how long it is until a deadline, in words that stay true for a while: ``2 days``, ``5 minutes``."""
    seconds = seconds_between(now, deadline)
    if seconds < _MINUTE:
        return words_in(language).say(phrase("less than a minute"))
    days, rest = divmod(seconds, _DAY)
    if not days or rest < _HOUR:
        return duration(seconds, language)
    # Cut to days alone, nearly two days would be told as one.
    words = words_in(language)
    return f"{words.say(_DAYS, days=int(days))} {words.say(_HOURS, hours=int(rest // _HOUR))}"


def local_moment(instant: Instant, zone: ZoneInfo, now: Instant, language: str) -> str:
    """Return an instant as a clock on the wall shows it: ``18:00`` today, ``Tuesday 18:00``, ``Tuesday 14 July 18:00``.

    Args:
        instant: As the log has it.
        zone: Where the reader lives.
        now: The present; the day is left out if it is the reader's today, the date if it is near.
        language: The language.
    """
    local, present = (moment_of(one).astimezone(zone) for one in (instant, now))
    days = (local.date() - present.date()).days
    pattern = "HH:mm" if not days else "EEEE HH:mm" if 0 < days < _A_WEEK else "EEEE d MMMM HH:mm"
    return format_datetime(local, pattern, locale=language)


def local_day(instant: Instant, zone: ZoneInfo, language: str) -> str:
    """Return the day of an instant where the reader lives: ``14 July 2026``."""
    said: str = format_date(moment_of(instant).astimezone(zone).date(), "d MMMM y", locale=language)
    return said


def weekday_name(day: int, language: str) -> str:
    """Return the name of a weekday, from 1 for Monday."""
    name: str = get_day_names("wide", locale=language)[day - 1]
    return name


def lapse(milliseconds: int | None, language: str) -> str:
    """Return a duration in its two largest units: ``12 ms``, ``3.4 s``, ``2 min 5 s``, ``3 d 4 h``; empty for None.

    Args:
        milliseconds: How long; below zero when the later instant is the earlier one, which only an altered log says.
        language: The language.
    """
    if milliseconds is None:
        return ""
    sign, length = ("-", -milliseconds) if milliseconds < 0 else ("", milliseconds)
    seconds = length // 1000
    if length < 1000:  # noqa: PLR2004 - a second
        return f"{sign}{length} ms"
    if seconds < _MINUTE:
        said = f"{length / 1000:.1f} s"
        return sign + (said.replace(".", ",") if language == "fr" else said)
    if seconds < _HOUR:
        return sign + _two(seconds, _MINUTE, "min", 1, "s")
    if seconds < _DAY:
        return sign + _two(seconds, _HOUR, "h", _MINUTE, "min")
    return sign + _two(seconds, _DAY, "j" if language == "fr" else "d", _HOUR, "h")


def _two(length: int, large: int, large_name: str, small: int, small_name: str) -> str:
    rest = length % large // small
    return f"{length // large} {large_name}" + (f" {rest} {small_name}" if rest else "")
