"""A chart of what moves have cost: a bar for each, over the steps of the match. The list beside it says the same."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from services.matches.review import Costly

WIDTH: Final = 340
HEIGHT: Final = 170
"""In units of its letters: as wide as a phone, so that they can be read there."""

_LEFT: Final = 44
_RIGHT: Final = 12
_TOP: Final = 26
_BOTTOM: Final = 40
"""The room for what stands beside the axes."""

_BAR: Final = 4

_CEILINGS: Final = (10, 20, 50, 100)
"""Where the axis may end, in percent: no match of small slips is drawn as a row of dots."""

_STEPS: Final = (1, 2, 5)


class Tick(NamedTuple):
    """A value of an axis, and where it stands."""

    value: int
    at: float


class Bar(NamedTuple):
    """A costly move, as a bar of the chart.

    Attributes:
        version: The step at which it was made.
        grade: ``slip`` or ``blunder``.
        text: All of it, in words.
    """

    version: int
    x: float
    y: float
    height: float
    grade: str
    text: str


class CostChart(NamedTuple):
    """The costly moves of a match, with two axes: percent of the chance to win, and steps of the match."""

    bars: tuple[Bar, ...] = ()
    percents: tuple[Tick, ...] = ()
    steps: tuple[Tick, ...] = ()
    width: int = WIDTH
    height: int = HEIGHT
    left: int = _LEFT
    right: int = WIDTH - _RIGHT
    floor: int = HEIGHT - _BOTTOM
    bar: int = _BAR


def cost_chart(costly: Sequence[Costly], told: Sequence[str], head: int) -> CostChart:
    """Return the chart of a match's costly moves, each with its words; ``head`` is the match's last step."""
    if not costly:
        return CostChart()
    dearest = max(100 * each.cost for each in costly)
    ceiling = next((one for one in _CEILINGS if dearest <= one), _CEILINGS[-1])
    last = max(1, head)
    floor, tall, wide = HEIGHT - _BOTTOM, HEIGHT - _BOTTOM - _TOP, WIDTH - _LEFT - _RIGHT
    bars = []
    for each, text in zip(costly, told, strict=True):
        height = round(max(1.0, tall * min(100 * each.cost, ceiling) / ceiling), 1)
        x = round(_LEFT + (wide - _BAR) * each.version / last, 1)
        bars.append(Bar(each.version, x, round(floor - height, 1), height, each.grade, text))
    percents = [Tick(value, round(floor - tall * value / ceiling, 1)) for value in (0, ceiling // 2, ceiling)]
    steps = [Tick(value, round(_LEFT + wide * value / last, 1)) for value in range(0, last + 1, _apart(last))]
    return CostChart(tuple(bars), tuple(percents), tuple(steps))


def _apart(last: int) -> int:
    """Return how many steps lie between two numbers of the axis, so that there are five at most."""
    power = 1
    while True:
        for one in _STEPS:
            if last // (one * power) <= 4:  # noqa: PLR2004 - with nought, that are five
                return one * power
        power *= 10
