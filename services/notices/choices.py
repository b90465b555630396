"""What a person wants to be told, through which channel, and when they want to be left alone.

It is part of their preferences: ``notice.<kind>.<channel>`` is ``on`` or ``off``, ``notice.quiet`` names two hours such
as ``22-7``, ``notice.reminders`` hours before a deadline such as ``24,3``, ``notice.digest`` the hour of the daily
digest. What is not said has a sensible default.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Final, Literal
from zoneinfo import ZoneInfo

from domain.instants import Instant, instant_of, moment_of
from services.notices.occasions import Kind
from services.people.persons import Person
from services.people.time_zones import zone_named

Channel = Literal["feed", "mail", "webhook", "push"]

CHANNELS: Final[tuple[Channel, ...]] = ("feed", "mail", "webhook", "push")

KINDS: Final[tuple[Kind, ...]] = (
    "turn",
    "answer",
    "ready",
    "invited",
    "ended",
    "reminder",
    "played",
    "happened",
    "nudge",
    "digest",
    "heads",
)
"""The kinds that a person chooses about."""

_OF_CLUBS: Final = frozenset({"opened", "awaited", "result"})
_NOT_UNASKED: Final = frozenset(
    {("ended", "push"), ("ended", "webhook"), ("heads", "push"), ("heads", "webhook")}
)
"""Kinds that a channel carries only if its person asks for it. The digest is asked for in every channel."""

_QUIET_BY_DEFAULT: Final = (22, 8)
_REMINDERS_BY_DEFAULT: Final = (3,)
_DIGEST_BY_DEFAULT: Final = 8
MOST_REMINDERS: Final = 4
LONGEST_REMINDER: Final = 24 * 13
_HOURS_A_DAY: Final = 24


def wants(person: Person, kind: Kind, channel: Channel) -> bool:
    """Tell whether a person wants a kind through a channel that they have."""
    if kind == "test":
        return True
    chosen = person.preferences.get(f"notice.{kind}.{channel}", "")
    if chosen:
        return chosen == "on"
    return kind != "digest" and kind not in _OF_CLUBS and (kind, channel) not in _NOT_UNASKED


def wish_of(kind: Kind, channel: Channel, *, on: bool) -> dict[str, str]:
    """Return the preference that says whether a kind is wanted through a channel."""
    return {f"notice.{kind}.{channel}": "on" if on else "off"}


def quiet_hours(preferences: Mapping[str, str]) -> tuple[int, int] | None:
    """Return from which hour to which hour nothing rings; None for never."""
    chosen = preferences.get("notice.quiet", "")
    if chosen == "never":
        return None
    begins, _, ends = chosen.partition("-")
    if not (begins.isdecimal() and ends.isdecimal()):
        return _QUIET_BY_DEFAULT
    hours = int(begins) % _HOURS_A_DAY, int(ends) % _HOURS_A_DAY
    return None if hours[0] == hours[1] else hours


def reminders(preferences: Mapping[str, str]) -> tuple[int, ...]:
    """Return how many hours before a deadline to remind, the earliest reminder first."""
    chosen = preferences.get("notice.reminders", "")
    if not chosen:
        return _REMINDERS_BY_DEFAULT
    hours = {int(one) for one in chosen.split(",") if one.strip().isdecimal()}
    fitting = sorted((hour for hour in hours if 0 < hour <= LONGEST_REMINDER), reverse=True)
    return tuple(fitting[:MOST_REMINDERS])


def digest_hour(preferences: Mapping[str, str]) -> int:
    """Return at which hour of their day a person wants the daily digest."""
    chosen = preferences.get("notice.digest", "")
    return int(chosen) % _HOURS_A_DAY if chosen.isdecimal() else _DIGEST_BY_DEFAULT


def digests_within(person: Person, begins: Instant, ends: Instant) -> Iterator[tuple[str, Instant]]:
    """Yield the days, as the person counts them, whose digest is due within a time, and when.

    The time holds its beginning, and not its end. Summer time or not, each day has one digest.
    """
    zone, hour = zone_of(person), digest_hour(person.preferences)
    day, last = (moment_of(one).astimezone(zone).date() for one in (begins, ends))
    while day <= last:
        at = instant_of(datetime(day.year, day.month, day.day, hour, tzinfo=zone))
        if begins <= at < ends:
            yield day.isoformat(), at
        day += timedelta(days=1)


def not_before(person: Person, kind: Kind, channel: Channel, now: Instant) -> Instant:
    """Return the earliest instant, now or later, at which something may reach a person.

    A feed rings nowhere, so it is always up to date; a test was asked for a moment ago.
    """
    hours = quiet_hours(person.preferences)
    if hours is None or channel == "feed" or kind == "test":
        return now
    begins, ends = hours
    local = moment_of(now).astimezone(zone_of(person))
    if not _is_quiet(local.hour, begins, ends):
        return now
    return instant_of(_next_time(local, ends))


def zone_of(person: Person) -> ZoneInfo:
    """Return the time zone in which a person reads times; UTC if they never said."""
    return zone_named(person.time_zone)


def _is_quiet(hour: int, begins: int, ends: int) -> bool:
    return begins <= hour < ends if begins < ends else hour >= begins or hour < ends


def _next_time(local: datetime, hour: int) -> datetime:
    """Return when the clock on the wall next shows an hour, summer time or not."""
    day = local.date() if local.hour < hour else local.date() + timedelta(days=1)
    return datetime(day.year, day.month, day.day, hour, tzinfo=local.tzinfo)
