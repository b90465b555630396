"""Telling what happened to somebody: who is who, and who is "you"."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from services.words.phrases import Phrase, Words, phrase

Data = Mapping[str, Any]
"""An event's public data, its opened values put back; what is still sealed is a commitment."""

_SEAT = phrase("seat {seat}")
_YOU = phrase("you")


def is_sealed(value: object) -> bool:
    """Tell whether a value of an event's data is still sealed for the reader."""
    return isinstance(value, dict) and value.keys() == {"sealed"}


class Teller:
    """Tells one reader about one table, in his language.

    Attributes:
        words: The language.
        you: The reader's seat; None for a spectator.
    """

    def __init__(self, words: Words, names: Sequence[str], you: int | None) -> None:
        """Take the language, the names by seat, and the reader's seat."""
        self.words = words
        self.you = you
        self._names = names

    def say(self, text: Phrase, **arguments: object) -> str:
        """Return a text in the reader's language."""
        return self.words.say(text, **arguments)

    def name(self, seat: int) -> str:
        """Return how a seat is called: its name, or its number when it has none."""
        if 0 <= seat < len(self._names) and self._names[seat]:
            return self._names[seat]
        return self.say(_SEAT, seat=seat + 1)

    def who(self, seat: int) -> str:
        """Return the same for lists, in which the reader's own seat is "you"."""
        return self.say(_YOU) if seat == self.you else self.name(seat)

    def by_seat(self, seat: int, you: Phrase, other: Phrase, **arguments: object) -> str:
        """Return a sentence about a seat: the first one if it is the reader's own, else the second one.

        Args:
            seat: Whose doing it is.
            you: What the reader is told of himself.
            other: What he is told of others, with a place for ``name``.
            **arguments: What goes into the other places of both.
        """
        if seat == self.you:
            return self.say(you, **arguments)
        return self.say(other, name=self.name(seat), **arguments)

    def all_of(self, seats: Iterable[int]) -> str:
        """Return a list of seats."""
        return self.words.all_of(self.who(seat) for seat in seats)

    def totals(self, totals: Sequence[int]) -> str:
        """Return a list of numbers by seat: ``Anna 12, you 7``."""
        return ", ".join(f"{self.who(seat)} {total}" for seat, total in enumerate(totals))
