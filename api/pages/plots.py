"""Plots of how people's points or ratings went, as lines for SVG. Each stands beside a table that says the same."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

WIDTH: Final = 640
HEIGHT: Final = 260
_MARGIN: Final = 16
_LINE: Final = 16
"""How far apart two names stand at least."""

DRAWN: Final = 6
"""How many of the best a plot shows: more lines nobody can tell apart. The table has all."""


class Size(NamedTuple):
    """How large a plot is drawn, in units of its letters' size.

    Attributes:
        names: How much room the names at the ends of the lines have.
        longest: How many letters of a name fit there; the table has the rest.
    """

    width: int
    height: int
    names: int
    longest: int


WIDE: Final = Size(WIDTH, HEIGHT, names=120, longest=24)
SMALL: Final = Size(340, 180, names=96, longest=11)
"""As wide as a phone, so that its letters can be read there."""


class Curve(NamedTuple):
    """One line of a plot.

    Attributes:
        points: As SVG has them.
        end: How far from the top its name stands: beside its end, or as near as the other names allow.
    """

    name: str
    points: str
    end: float


def curves(
    keys: Sequence[str],
    drawn: Sequence[Mapping[str, float]],
    names: Mapping[str, str],
    size: Size = WIDE,
) -> list[Curve]:
    """Return what some people had after each step as lines of a plot; none before there are two points."""
    if len(drawn) < 2:  # noqa: PLR2004 - a line has two ends
        return []
    values = {key: [(number, one[key]) for number, one in enumerate(drawn) if key in one] for key in keys}
    heights = [height for course in values.values() for _, height in course]
    if not heights:
        return []
    low, high = min(heights), max(heights)
    across = (size.width - 2 * _MARGIN - size.names) / (len(drawn) - 1)
    up = (size.height - 2 * _MARGIN) / max(high - low, 1.0)
    found = []
    for key, course in values.items():
        if not course:
            continue
        placed = [
            (_MARGIN + number * across, size.height - _MARGIN - (height - low) * up)
            for number, height in course
        ]
        points = " ".join(f"{x:.1f},{y:.1f}" for x, y in placed)
        found.append(Curve(_shortened(names[key], size.longest), points, round(placed[-1][1], 1)))
    return _with_names_apart(found, size.height)


def _shortened(name: str, longest: int) -> str:
    return name if len(name) <= longest else f"{name[: longest - 1].rstrip()}…"


def _with_names_apart(found: Sequence[Curve], bottom: int) -> list[Curve]:
    """Move names that would lie on each other, keeping their order from the top."""
    ends: dict[int, float] = {}
    lowest = -float(_LINE)
    for which in sorted(range(len(found)), key=lambda one: found[one].end):
        lowest = ends[which] = max(found[which].end, lowest + _LINE)
    # What was pushed out below goes up again, as far as it must.
    highest = float(bottom - _MARGIN + _LINE)
    for which in sorted(ends, key=lambda one: -ends[one]):
        highest = ends[which] = min(ends[which], highest - _LINE)
    return [curve._replace(end=round(ends[which], 1)) for which, curve in enumerate(found)]
