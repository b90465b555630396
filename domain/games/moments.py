"""Moments: what people ask about a match that was played, and where in it the answers are."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Literal, NamedTuple

import msgspec

from domain.sealing import Event

Extreme = Literal["", "most", "fewest"]


class Question(msgspec.Struct, frozen=True):
    """Something that people ask about a match.

    Attributes:
        name: Its name on the wire: small letters and underscores.
        record: Which of its moments is a record: the one with the most, or the fewest; empty if none is.
    """

    name: str
    record: Extreme = ""


class Seen(NamedTuple):
    """An event that a reader may know with all its values. Events that are sealed from them are left out."""

    version: int
    event: Event


class Moment(msgspec.Struct, frozen=True):
    """An answer to a question.

    Attributes:
        question: The question's name.
        version: Where in the match it is.
        seat: Whose moment it is; None for the whole table's.
        value: The number in it: points, cards, turns.
    """

    question: str
    version: int
    seat: int | None
    value: int


def best(moments: Iterable[Moment], record: Extreme) -> list[Moment]:
    """Return the moments with the most or the fewest, in their order."""
    found = list(moments)
    if not found or not record:
        return found
    values = [moment.value for moment in found]
    wanted = max(values) if record == "most" else min(values)
    return [moment for moment in found if moment.value == wanted]


def each_lowest(question: str, version: int, points: Sequence[int]) -> Iterator[Moment]:
    """Yield a moment for each seat that has the fewest points of a round."""
    least = min(points, default=0)
    for seat, one in enumerate(points):
        if one == least:
            yield Moment(question, version, seat, one)


def each_highest(question: str, version: int, points: Sequence[int]) -> Iterator[Moment]:
    """Yield a moment for each seat that has the most points of a round."""
    most = max(points, default=0)
    for seat, one in enumerate(points):
        if one == most:
            yield Moment(question, version, seat, one)
