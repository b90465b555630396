"""Instants as people write them, in addresses and on the command line."""

from datetime import UTC, datetime
from typing import Final

from domain.instants import Instant, instant_of

_FIRST_YEAR: Final = 1970
_LAST_YEAR: Final = 9999


def given_instant(text: str) -> Instant | None:
    """Return an instant that is written as RFC 3339 has it, or as a day: its first moment, in UTC.

    None when it is neither, or names no zone.
    """
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            if "T" in text or " " in text:
                return None
            moment = moment.replace(tzinfo=UTC)
        # Sorted as text, a year of other than four digits would stand in a wrong place.
        utc = moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return instant_of(utc) if _FIRST_YEAR <= utc.year <= _LAST_YEAR else None
