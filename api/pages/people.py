"""How people are told apart at a table: a colour and a monogram each, the same wherever they are shown."""

from collections.abc import Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from domain.match.view import SeatView

TONES: Final = 8
"""How many colours of people there are: ``who-0`` to ``who-7`` in the styles."""


class Sign(NamedTuple):
    """How somebody is marked.

    Attributes:
        monogram: One to three characters that nobody else at the table has.
        tone: The number of their colour.
        is_bot: Whether it is a bot, which has another shape.
    """

    monogram: str
    tone: int
    is_bot: bool


def signs_of(names: Sequence[str], seats: Sequence[SeatView]) -> tuple[Sign, ...]:
    """Return the signs of all seats, in their order; a log that was altered may name fewer."""
    return tuple(
        Sign(monogram, number % TONES, seat.kind == "bot" or seat.program)
        for number, (monogram, seat) in enumerate(zip(monograms(tuple(names)), seats, strict=False))
    )


@lru_cache(1024)
def monograms(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return short forms of names, no two the same: initials, else the first letters, else the seat's number."""
    tried = [_initials(name) for name in names]
    longer = [
        name[:2].capitalize() if " " not in name else short for name, short in zip(names, tried, strict=True)
    ]
    found = [more if tried.count(short) > 1 else short for short, more in zip(tried, longer, strict=True)]
    return tuple(
        f"{short[:1]}{number + 1}" if found.count(short) > 1 else short for number, short in enumerate(found)
    )


def _initials(name: str) -> str:
    words = [word for word in name.split() if word[0].isalnum()]
    return "".join(word[0] for word in words[:2]).upper() or name.strip()[:1] or "?"
