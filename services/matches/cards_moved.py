"""Which cards a line of a history is about: played, taken, drawn, turned up, discarded."""

from collections.abc import Iterator, Mapping
from functools import cache

from domain.games.recorded_chance import CardName
from domain.games.registry import CURRENT
from services.matches.history import Line


def cards_moved(line: Line, game: str) -> tuple[CardName, ...]:
    """Return the cards that a line's event moves or turns up, each once, as far as its reader may know them."""
    fields, cards = _moved(game)
    named = (card for field in fields.get(line.type, ()) for card in _flat(line.data.get(field)))
    # What is sealed from the reader stands there as a commitment, which is no card.
    return tuple(dict.fromkeys(card for card in named if card in cards))


@cache
def _moved(game: str) -> tuple[Mapping[str, tuple[str, ...]], frozenset[CardName]]:
    current = CURRENT.get(game)
    return ({}, frozenset()) if current is None else (current.cards_moved(), frozenset(current.cards))


def _flat(value: object) -> Iterator[CardName]:
    if isinstance(value, list):
        for part in value:
            yield from _flat(part)
    elif isinstance(value, str | int) and not isinstance(value, bool):
        yield value
