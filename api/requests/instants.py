"""Instants as people write them in addresses and on the command line."""

from datetime import UTC, datetime
from typing import Final

from domain.instants import Instant, instant_of

_FIRST_YEAR: Final = 1970
_LAST_YEAR: Final = 9999


def given_instant(text: str) -> Instant | None:
    """Return an instant written as in RFC 3339, or as a day, which means its first moment in UTC.

    None if it is neither, or names no zone.
    """
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is None:
            if "T" in text or " " in text:
                return None
            moment = moment.replace(tzinfo=UTC)
        # As text, a year without exactly four digits would sort wrongly.
        utc = moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return instant_of(utc) if _FIRST_YEAR <= utc.year <= _LAST_YEAR else None
