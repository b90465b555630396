"""The score through a match as its replay shows it: a plot with its table beside it, who led when, what turned it."""

from collections.abc import Sequence
from typing import NamedTuple

from api.pages.plots import SMALL, Curve, Size, curves
from services.matches.course import Reign, Scored, Swing, reigns_of, swings_of
from services.words.phrases import counted, phrase, words_in

_LED_ONCE = phrase("after round {first}: {names}")
_LED = phrase("after rounds {first} to {last}: {names}")
_SWING = counted(
    "Round {round}: {name} made {gained} point on the best of the others.",
    "Round {round}: {name} made {gained} points on the best of the others.",
    "gained",
)


class ShownCourse(NamedTuple):
    """The score through a match.

    Attributes:
        curves: The lines of the plot, one for each seat.
        rounds: The rows of its table.
        reigns: Who led when, each with where that began.
        swings: The turning points, each with where it is.
    """

    curves: list[Curve]
    rounds: Sequence[Scored]
    reigns: list[tuple[str, int]]
    swings: list[tuple[str, int]]
    size: Size = SMALL

    @property
    def bounds(self) -> tuple[int, int]:
        """The fewest and the most points that anybody had: where the plot ends below and above."""
        totals = [total for one in self.rounds for total in one.totals]
        return min(0, *totals), max(0, *totals)


def shown_course(
    course: Sequence[Scored], names: Sequence[str], language: str, *, most_wins: bool
) -> ShownCourse:
    """Return the score through a match in a reader's language."""
    seats = [str(seat) for seat in range(len(names))]
    scores = [(0,) * len(names), *(one.totals for one in course)]
    drawn = [dict(zip(seats, map(float, totals), strict=True)) for totals in scores]
    return ShownCourse(
        curves(seats, drawn, dict(zip(seats, names, strict=True)), SMALL) if len(course) > 1 else [],
        course,
        [(_reign(one, names, language), one.version) for one in reigns_of(course)],
        [(_swing(one, names, language), one.version) for one in swings_of(course, most_wins=most_wins)],
    )


def _reign(one: Reign, names: Sequence[str], language: str) -> str:
    words = words_in(language)
    said = _LED_ONCE if one.first == one.last else _LED
    led = words.all_of(names[seat] for seat in one.leaders)
    return words.say(said, first=one.first, last=one.last, names=led)


def _swing(one: Swing, names: Sequence[str], language: str) -> str:
    return words_in(language).say(_SWING, round=one.round, name=names[one.seat], gained=one.gained)
