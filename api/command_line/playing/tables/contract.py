"""What a game's table in the terminal is: one module ``tables/<key>.py`` with a constant ``TABLE``."""

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from api.command_line.playing.choosing import Choice
from services.words.phrases import Phrase, phrase
from services.words.telling import Teller

View = Mapping[str, Any]
"""A match's view, as the API answers it."""

Legal = Mapping[str, Any]
"""What the viewer's seat may do, as the view tells it."""


class TableText(NamedTuple):
    """A game in the terminal.

    Attributes:
        lines: Yields the lines of the table, as one viewer sees it.
        choices: Returns what the viewer may choose from.
        verbs: The words of typed moves: on the wire, and how players say them in their language.
        examples: Typed moves, in the words of the wire or of ``values``.
        values: What may be typed for a value of the wire, where players say it otherwise.
    """

    lines: Callable[[Teller, View], Iterator[str]]
    choices: Callable[[Teller, View, Legal], tuple[Choice, ...]]
    verbs: Mapping[str, Phrase]
    examples: tuple[str, ...]
    values: Mapping[str, str] = MappingProxyType({})


def columns(rows: list[tuple[str, ...]], *, gap: str = "  ") -> Iterator[str]:
    """Yield rows as lines whose cells stand one below the other."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield gap.join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def hand_row(teller: Teller, view: View, seat: int, state: str, shown: str) -> tuple[str, ...]:
    """Return a seat's row in a game of hands; whoever is to play is said to be so, whatever else they are."""
    game = view["game"]
    return (
        f"  {title(teller, seat)}",
        teller.say(phrase("cards: {count}"), count=game["hand_sizes"][seat]),
        teller.say(phrase("points: {count}"), count=game["totals"][seat]),
        teller.say(phrase("to play")) if seat in view["to_act"] else state,
        shown,
    )


def title(teller: Teller, seat: int) -> str:
    """Return how a seat is called at the beginning of a line."""
    name = teller.who(seat)
    return name[:1].upper() + name[1:]
