"""The move behind events, for checking a log that does not hold its commands."""

from collections.abc import Sequence

from domain.games.skyjo.events import (
    CardDrawn,
    CardFlipped,
    CardsRevealed,
    CardSwapped,
    DiscardTaken,
    PileReshuffled,
    SkyjoEvent,
)
from domain.games.skyjo.moves import Draw, Flip, Reveal, SkyjoMove, Swap, Take


def recover_move(events: Sequence[SkyjoEvent]) -> tuple[int, SkyjoMove] | None:
    """Return who moved, and how, from the events of one move; None if they do not begin with a move."""
    first = next((event for event in events if not isinstance(event, PileReshuffled)), None)
    if isinstance(first, CardsRevealed):
        return first.seat, Reveal(first.slots)
    if isinstance(first, DiscardTaken):
        return first.seat, Take(first.slot)
    if isinstance(first, CardDrawn):
        return first.seat, Draw()
    if isinstance(first, CardSwapped):
        return first.seat, Swap(first.slot)
    return (first.seat, Flip(first.slot)) if isinstance(first, CardFlipped) else None
