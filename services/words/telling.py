"""Telling a reader what happened: who is who, and who is "you"."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from services.words.phrases import Phrase, Words, phrase, whole

Data = Mapping[str, Any]
"""An event's public data, with opened values put back and commitments for the others."""

_SEAT = phrase("seat {seat}")
_YOU = phrase("you")


def is_sealed(value: object) -> bool:
    """Tell whether a value of an event's data is still sealed for the reader."""
    return isinstance(value, dict) and value.keys() == {"sealed"}


class Teller:
    """Tells one reader about one table, in their language.

    Attributes:
        words: The language.
        you: The reader's seat; None for a spectator.
    """

    def __init__(self, words: Words, names: Sequence[str], you: int | None) -> None:
        self.words = words
        self.you = you
        self._names = names

    @property
    def seats(self) -> int:
        """The number of seats."""
        return len(self._names)

    def say(self, text: Phrase, **arguments: object) -> str:
        """Return a text in the reader's language."""
        return self.words.say(text, **arguments)

    def name(self, seat: int) -> str:
        """Return a seat's name, or its number if it has none."""
        if 0 <= seat < len(self._names) and self._names[seat]:
            return self._names[seat]
        return self.say(_SEAT, seat=seat + 1)

    def who(self, seat: int) -> str:
        """Return a seat's name for lists, in which the reader's own seat is "you"."""
        return self.say(_YOU) if seat == self.you else self.name(seat)

    def by_seat(self, seat: int, you: Phrase, other: Phrase, **arguments: object) -> str:
        """Return a sentence about a seat, which depends on whether it is the reader's own.

        Args:
            seat: The seat that acted.
            you: The sentence if it is the reader's own.
            other: The sentence if it is not, with a placeholder for ``name``.
            **arguments: The values for the other placeholders.
        """
        if seat == self.you:
            return self.say(you, **arguments)
        return self.say(other, name=self.name(seat), **arguments)

    def all_of(self, seats: Iterable[int]) -> str:
        """Return a list of seats by name."""
        return self.words.all_of(self.who(seat) for seat in seats)

    def totals(self, totals: Sequence[int]) -> str:
        """Return a list of numbers by seat: ``Anna (12), Bot 2 (7)``, since a name may end in a number itself."""
        return ", ".join(f"{self.who(seat)} ({whole(total)})" for seat, total in enumerate(totals))
