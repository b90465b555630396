"""Seasons: the calendar's years or quarters, in UTC. Pure."""

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final, Literal

from services.standings.results import Result

Length = Literal["quarter", "year", "ever"]
LENGTHS: Final[tuple[Length, ...]] = ("quarter", "year", "ever")

EVER: Final = "ever"
"""The season that has all results."""


def season_at(milliseconds: int, length: Length) -> str:
    """Return the season of an instant: ``2026-4`` for a quarter, ``2026``, or ``ever``."""
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    if length == "quarter":
        return f"{moment.year}-{(moment.month + 2) // 3}"
    return str(moment.year) if length == "year" else EVER


def seasons_of(results: Iterable[Result], length: Length) -> list[str]:
    """Return the seasons that have results, the newest first."""
    return sorted({season_at(result.at, length) for result in results}, reverse=True)


def in_season(results: Iterable[Result], season: str, length: Length) -> list[Result]:
    """Return the results of a season."""
    return [result for result in results if season == EVER or season_at(result.at, length) == season]
