"""The levels at which bots play, by name on the wire."""

from collections.abc import Mapping
from typing import Final, get_args

from domain.games.contract import Allowance, Level

LEVELS: Final[tuple[Level, ...]] = get_args(Level)
"""The levels that a table may choose from."""

DEFAULT_LEVEL: Final[Level] = "normal"
"""The level of a bot for which none was chosen."""

FORMER: Final[Mapping[str, Level]] = {"steady": "hard"}
"""Levels of stored matches, and those that judge in their place. Old clients may still ask for them."""

STAND_IN: Final = "steady"
"""The level of a stand-in for which none was chosen. Stored matches name it, so it never changes."""

KNOWN: Final = (*LEVELS, *FORMER)
"""All levels that a command may name."""

_PLAYOUTS: Final[Mapping[Level, int]] = {"easy": 0, "normal": 0, "hard": 0, "expert": 600}


QUICK: Final[Level] = "hard"
"""The highest level that judges at once. It stands in where an expert has no time."""

_PACES: Final[Mapping[Level, float]] = {"easy": 0.015, "normal": 0.015, "hard": 0.015, "expert": 0.5}


def pace_of(level: str) -> float:
    """Return after how many seconds a bot answers at a table with people.

    It is the same for every position, and longer than judging one takes: nobody can read a hand from a hesitation.
    """
    return _PACES[allowance_of(level).level]


def allowance_of(level: str) -> Allowance:
    """Return how a bot of some level judges, and what it may spend on a move."""
    offered: dict[str, Level] = {each: each for each in LEVELS}
    known = offered.get(level) or FORMER.get(level, DEFAULT_LEVEL)
    return Allowance(_PLAYOUTS[known], known)
