"""When a person's clocks rest: nights, weekdays and holidays, set once for all their tables.

It is part of their preferences: ``rest.nights`` names two hours such as ``22-8``, ``rest.days`` weekdays such as
``6,7`` (Monday is 1), and ``rest.holidays`` dates such as ``2026-12-24/2027-01-02``, several with a comma between them.
All of it is meant where they live; what it comes to in UTC is worked out here, and recorded in the logs of their
matches.
"""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import date, datetime, time, timedelta
from itertools import pairwise
from typing import Final
from zoneinfo import ZoneInfo

import msgspec

from domain.errors import Refused
from domain.instants import Instant, instant_of, moment_of

LONGEST_NIGHT: Final = 12
"""Hours of a night."""

MOST_DAYS: Final = 3
"""Weekdays on which clocks rest."""

MOST_HOLIDAYS: Final = 42
"""Days of holidays in a calendar year."""

MOST_INTERVALS: Final = 20
_WEEK: Final = 7
_HOURS: Final = 24


class Holiday(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Days on which clocks rest.

    Attributes:
        first: The first day.
        last: The last day.
    """

    first: date
    last: date

    @property
    def days(self) -> Iterator[date]:
        """Its days."""
        return (self.first + timedelta(number) for number in range((self.last - self.first).days + 1))


class RestTimes(msgspec.Struct, frozen=True):
    """When a person's clocks rest.

    Attributes:
        nights: From which hour to which; None for no nights.
        days: Weekdays, from 1 for Monday to 7.
        holidays: Holidays, in order.
    """

    nights: tuple[int, int] | None = None
    days: tuple[int, ...] = ()
    holidays: tuple[Holiday, ...] = ()

    def as_preferences(self) -> dict[str, str]:
        """Return the preferences that say this."""
        return {
            "rest.nights": "" if self.nights is None else f"{self.nights[0]}-{self.nights[1]}",
            "rest.days": ",".join(map(str, self.days)),
            "rest.holidays": ",".join(f"{one.first}/{one.last}" for one in self.holidays),
        }


class Interval(msgspec.Struct, frozen=True):
    """An interval in which clocks rest, in UTC.

    Attributes:
        why: ``night``, ``weekend`` or ``holiday``.
    """

    begins: Instant
    ends: Instant
    why: str


def rest_times(preferences: Mapping[str, str]) -> RestTimes:
    """Return what a person has chosen; what cannot be read is not chosen."""
    begins, _, ends = preferences.get("rest.nights", "").partition("-")
    nights = (int(begins), int(ends)) if begins.isdecimal() and ends.isdecimal() else None
    days = tuple(int(day) for day in preferences.get("rest.days", "").split(",") if day.isdecimal())
    return RestTimes(nights, days, tuple(_holidays(preferences.get("rest.holidays", ""))))


def _holidays(said: str) -> Iterator[Holiday]:
    for one in filter(None, said.split(",")):
        first, _, last = one.partition("/")
        with suppress(ValueError):
            yield Holiday(date.fromisoformat(first), date.fromisoformat(last or first))


def check_rest_times(chosen: RestTimes) -> RestTimes:
    """Return what was chosen, in order.

    Raises:
        Refused: It is more than people may choose, or makes no sense.
    """
    days = tuple(sorted(set(chosen.days)))
    if chosen.nights is not None:
        begins, ends = chosen.nights
        hours = (ends - begins) % _HOURS
        if not (0 <= begins < _HOURS and 0 <= ends < _HOURS and 0 < hours <= LONGEST_NIGHT):
            raise Refused("rest.night_too_long", "rests", longest=LONGEST_NIGHT)
    if len(days) > MOST_DAYS or any(not 1 <= day <= _WEEK for day in days):
        raise Refused("rest.too_many_days", "rests", most=MOST_DAYS)
    holidays = tuple(sorted(chosen.holidays, key=lambda one: (one.first, one.last)))
    if any(one.last < one.first or (one.last - one.first).days > MOST_HOLIDAYS for one in holidays):
        raise Refused("rest.holidays_too_long", "rests", most=MOST_HOLIDAYS)
    if len(holidays) > MOST_INTERVALS:
        raise Refused("rest.too_many_holidays", "rests", most=MOST_INTERVALS)
    by_year: dict[int, set[date]] = {}
    for holiday in holidays:
        for day in holiday.days:
            by_year.setdefault(day.year, set()).add(day)
    if any(len(some) > MOST_HOLIDAYS for some in by_year.values()):
        raise Refused("rest.holidays_too_long", "rests", most=MOST_HOLIDAYS)
    return RestTimes(chosen.nights, days, holidays)


def intervals(chosen: RestTimes, zone: ZoneInfo, begins: Instant, ends: Instant) -> list[Interval]:
    """Return when clocks rest between two instants: in order, in UTC, no two for the same reason touching.

    An hour that summer time takes or gives counts as it passes: what is recorded are instants.
    """
    if ends <= begins:
        return []
    first = moment_of(begins).astimezone(zone).date() - timedelta(1)
    last = moment_of(ends).astimezone(zone).date() + timedelta(1)
    days = [first + timedelta(number) for number in range((last - first).days + 1)]
    free = {day for holiday in chosen.holidays for day in holiday.days}
    found: list[Interval] = []
    for why, resting in (
        ("holiday", free),
        ("weekend", {day for day in days if day.isoweekday() in chosen.days}),
    ):
        found += _joined([_day(day, zone, why) for day in days if day in resting])
    if chosen.nights is not None:
        found += [_night(day, chosen.nights, zone) for day in days]
    clipped = (
        Interval(max(one.begins, begins), min(one.ends, ends), one.why)
        for one in found
        if one.begins < one.ends
    )
    return sorted(
        (one for one in clipped if one.begins < one.ends), key=lambda one: (one.begins, one.ends, one.why)
    )


def _day(day: date, zone: ZoneInfo, why: str) -> Interval:
    return Interval(_at(day, 0, zone), _at(day + timedelta(1), 0, zone), why)


def _night(day: date, hours: tuple[int, int], zone: ZoneInfo) -> Interval:
    begins, ends = hours
    morning = day + timedelta(1) if ends <= begins else day
    return Interval(_at(day, begins, zone), _at(morning, ends, zone), "night")


def _at(day: date, hour: int, zone: ZoneInfo) -> Instant:
    return instant_of(datetime.combine(day, time(hour), tzinfo=zone))


def _joined(days: list[Interval]) -> list[Interval]:
    """Return whole days, those that follow each other as one interval."""
    if not days:
        return []
    gaps = [number for number, (one, other) in enumerate(pairwise(days), 1) if one.ends != other.begins]
    edges = [0, *gaps, len(days)]
    return [
        Interval(days[first].begins, days[last - 1].ends, days[first].why) for first, last in pairwise(edges)
    ]
