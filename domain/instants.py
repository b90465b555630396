"""Instants: points in time as fixed-width UTC strings, so that text order is time order.

``2026-11-29T19:46:23.123Z``: RFC 3339, milliseconds, always ``Z``. The domain compares and stores instants; it
never asks what time it is.
"""

from datetime import UTC, datetime, timedelta
from typing import NewType

Instant = NewType("Instant", str)
"""A UTC instant with milliseconds, in RFC 3339."""

EARLIEST = Instant("")
"""Sorts before every instant."""


def instant_of(moment: datetime) -> Instant:
    """Return the instant of an aware datetime, truncated to milliseconds."""
    utc = moment.astimezone(UTC)
    return Instant(f"{utc:%Y-%m-%dT%H:%M:%S}.{utc.microsecond // 1000:03d}Z")


def moment_of(instant: Instant) -> datetime:
    """Return the aware datetime of an instant.

    Raises:
        ValueError: If the text is not an instant.
    """
    return datetime.fromisoformat(instant)


def after(instant: Instant, seconds: float) -> Instant:
    """Return the instant so many seconds later (earlier if negative)."""
    return instant_of(moment_of(instant) + timedelta(seconds=seconds))


def milliseconds_of(instant: Instant) -> int:
    """Return the milliseconds since the Unix epoch, for the scores of sorted sets."""
    return round(moment_of(instant).timestamp() * 1000)


def instant_from_milliseconds(milliseconds: int) -> Instant:
    """Return the instant of a number of milliseconds since the Unix epoch."""
    return instant_of(datetime.fromtimestamp(milliseconds / 1000, UTC))


def seconds_between(earlier: Instant, later: Instant) -> float:
    """Return how many seconds one instant is before another; negative if it is after."""
    return (milliseconds_of(later) - milliseconds_of(earlier)) / 1000
