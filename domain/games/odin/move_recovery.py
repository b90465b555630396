"""The move behind events, for checking a log that does not hold its commands."""

from collections.abc import Sequence

from domain.games.odin.events import CardsPlayed, OdinEvent, Passed
from domain.games.odin.moves import OdinMove, Pass, Play


def recover_move(events: Sequence[OdinEvent]) -> tuple[int, OdinMove] | None:
    """Return who moved, and how, from the events of one move; None if they do not begin with a move."""
    first = events[0]
    if isinstance(first, CardsPlayed):
        return first.seat, Play(first.cards, first.taken)
    return (first.seat, Pass()) if isinstance(first, Passed) else None
