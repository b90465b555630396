from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from domain.instants import (
    EARLIEST,
    Instant,
    after,
    instant_from_milliseconds,
    instant_of,
    milliseconds_of,
    moment_of,
)

moments = some.datetimes(datetime(2020, 1, 1), datetime(2199, 12, 31), timezones=some.just(UTC))  # noqa: DTZ001
milliseconds = some.integers(1_577_836_800_000, 7_258_118_399_999)
steady = settings(max_examples=100, derandomize=True, deadline=None, database=None)


def test_an_instant_is_utc_with_milliseconds_and_a_z():
    moment = datetime(2026, 11, 29, 20, 46, 23, 123_999, tzinfo=timezone(timedelta(hours=1)))
    assert instant_of(moment) == "2026-11-29T19:46:23.123Z"


def test_a_full_second_is_as_wide_as_any_other():
    assert instant_of(datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)) == "2026-01-02T03:04:05.000Z"


@steady
@given(moments, moments)
def test_text_order_is_time_order(one, other):
    first, second = instant_of(one), instant_of(other)
    assert len(first) == len(second)
    assert (first < second) == (moment_of(first) < moment_of(second))


@steady
@given(milliseconds)
def test_milliseconds_lead_to_the_instant_and_back(number):
    assert milliseconds_of(instant_from_milliseconds(number)) == number


@steady
@given(milliseconds, some.integers(-100_000, 100_000))
def test_after_adds_seconds_or_takes_them_away(number, seconds):
    start = instant_from_milliseconds(number)
    assert milliseconds_of(after(start, seconds)) == number + seconds * 1000


def test_after_knows_parts_of_a_second_and_ends_of_years():
    assert after(Instant("2026-12-31T23:59:59.750Z"), 0.5) == "2027-01-01T00:00:00.250Z"


def test_the_earliest_instant_comes_before_all_others():
    assert instant_of(datetime(1970, 1, 1, tzinfo=UTC)) > EARLIEST


@pytest.mark.parametrize("text", ["", "noon", "2026-13-01T00:00:00.000Z"])
def test_what_is_no_instant_is_not_read_as_one(text):
    with pytest.raises(ValueError):  # noqa: PT011
        moment_of(Instant(text))
