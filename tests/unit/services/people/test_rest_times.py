"""When clocks rest: what people choose where they live becomes instants, whatever summer time does."""

from datetime import UTC, date, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from domain.errors import Refused
from domain.instants import Instant, instant_of, seconds_between
from services.people.rest_times import (
    MOST_HOLIDAYS,
    Holiday,
    Interval,
    RestTimes,
    check_rest_times,
    intervals,
    rest_times,
)

PARIS = ZoneInfo("Europe/Paris")
HOUR = 3600


def utc(text: str) -> Instant:
    return Instant(f"{text}:00.000Z")


def test_a_night_in_paris_begins_an_hour_earlier_by_utc():
    found = intervals(RestTimes((22, 8)), PARIS, utc("2026-11-30T12:00"), utc("2026-12-01T12:00"))
    assert found == [Interval(utc("2026-11-30T21:00"), utc("2026-12-01T07:00"), "night")]


@pytest.mark.parametrize(("day", "hours"), [("2027-03-28", 9), ("2026-10-25", 11), ("2026-10-26", 10)])
def test_a_night_in_which_summer_time_begins_or_ends_is_as_long_as_it_is(day, hours):
    begins, ends = utc(f"{day[:8]}{int(day[8:]) - 1:02d}T12:00"), utc(f"{day}T12:00")
    (night,) = intervals(RestTimes((22, 8)), PARIS, begins, ends)
    assert seconds_between(night.begins, night.ends) == hours * HOUR


def test_a_weekend_is_one_interval_of_the_place_where_somebody_lives():
    chosen = RestTimes(days=(6, 7))
    found = intervals(chosen, ZoneInfo("America/Montreal"), utc("2026-12-01T00:00"), utc("2026-12-08T00:00"))
    assert found == [Interval(utc("2026-12-05T05:00"), utc("2026-12-07T05:00"), "weekend")]


def test_holidays_are_clipped_to_what_is_asked_for():
    chosen = RestTimes(holidays=(Holiday(date(2026, 12, 24), date(2027, 1, 2)),))
    found = intervals(chosen, PARIS, utc("2026-12-28T10:00"), utc("2027-06-01T00:00"))
    assert found == [Interval(utc("2026-12-28T10:00"), utc("2027-01-02T23:00"), "holiday")]


def test_a_night_within_a_day_and_one_that_goes_on():
    day = intervals(RestTimes((0, 6)), PARIS, utc("2026-11-30T12:00"), utc("2026-12-01T12:00"))
    assert day == [Interval(utc("2026-11-30T23:00"), utc("2026-12-01T05:00"), "night")]


def test_what_is_chosen_survives_being_kept():
    chosen = RestTimes((22, 8), (6, 7), (Holiday(date(2026, 12, 24), date(2027, 1, 2)),))
    assert rest_times(chosen.as_preferences()) == chosen
    assert rest_times(RestTimes().as_preferences()) == RestTimes()


@pytest.mark.parametrize("said", ["22", "x-8", "rubbish", ""])
def test_what_cannot_be_read_is_not_chosen(said):
    assert rest_times({"rest.nights": said, "rest.days": said, "rest.holidays": said}).nights is None


@pytest.mark.parametrize(
    ("chosen", "code"),
    [
        (RestTimes((20, 9)), "rest.night_too_long"),
        (RestTimes((8, 8)), "rest.night_too_long"),
        (RestTimes(days=(1, 2, 3, 4)), "rest.too_many_days"),
        (RestTimes(days=(8,)), "rest.too_many_days"),
        (RestTimes(holidays=(Holiday(date(2027, 1, 1), date(2027, 2, 12)),)), "rest.holidays_too_long"),
        (RestTimes(holidays=(Holiday(date(2027, 1, 2), date(2027, 1, 1)),)), "rest.holidays_too_long"),
        (
            RestTimes(
                holidays=(
                    Holiday(date(2027, 1, 1), date(2027, 1, 31)),
                    Holiday(date(2027, 7, 1), date(2027, 7, 12)),
                )
            ),
            "rest.holidays_too_long",
        ),
        (RestTimes(holidays=(Holiday(date(2027, 1, 1), date(2027, 1, 1)),) * 21), "rest.too_many_holidays"),
    ],
)
def test_too_much_is_refused(chosen, code):
    with pytest.raises(Refused) as caught:
        check_rest_times(chosen)
    assert caught.value.code == code


def test_the_most_that_a_year_allows():
    chosen = RestTimes((20, 8), (7, 6, 7), (Holiday(date(2027, 1, 1), date(2027, 2, 11)),))
    assert check_rest_times(chosen).days == (6, 7)
    assert len(list(chosen.holidays[0].days)) == MOST_HOLIDAYS


@given(
    st.sampled_from(["Europe/Paris", "America/New_York", "Asia/Kolkata", "Pacific/Auckland", "UTC"]),
    st.integers(0, 23),
    st.integers(1, 12),
    st.sets(st.integers(1, 7), max_size=3),
    st.datetimes(
        min_value=__import__("datetime").datetime(2026, 1, 1),
        max_value=__import__("datetime").datetime(2028, 1, 1),
    ),
    st.integers(1, 60),
)
def test_intervals_lie_within_what_was_asked_for_and_a_night_of_every_day_is_among_them(
    name, begins, hours, days, moment, length
):
    first = instant_of(moment.replace(tzinfo=UTC))
    last = instant_of(moment.replace(tzinfo=UTC) + timedelta(days=length))
    chosen = RestTimes((begins, (begins + hours) % 24), tuple(sorted(days)))
    found = intervals(chosen, ZoneInfo(name), first, last)
    assert all(first <= one.begins < one.ends <= last for one in found)
    assert length - 1 <= sum(one.why == "night" for one in found) <= length + 2
