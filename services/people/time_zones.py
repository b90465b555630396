"""Time zones by the names of the IANA database."""

import re
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo

_LONGEST: Final = 64
_NAME: Final = re.compile(r"[A-Za-z][A-Za-z0-9+_-]*(/[A-Za-z0-9+_-]+)*").fullmatch


@lru_cache(maxsize=512)
def is_time_zone(name: str) -> bool:
    """Tell whether a text names a time zone, such as ``Europe/Paris``."""
    if len(name) > _LONGEST or not _NAME(name):
        return False
    try:
        ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        return False
    return True


def zone_named(name: str) -> ZoneInfo:
    """Return a time zone by its name; UTC if there is none of that name."""
    return ZoneInfo(name if is_time_zone(name) else "UTC")
