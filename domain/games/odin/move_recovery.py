"""Which move events tell of: for who judges a log without the commands behind it."""

from collections.abc import Sequence

from domain.games.odin.events import CardsPlayed, OdinEvent, Passed
from domain.games.odin.moves import OdinMove, Pass, Play


def recover_move(events: Sequence[OdinEvent]) -> tuple[int, OdinMove] | None:
    """Return who moved, and how, from the events of one move; None when they do not begin with one."""
    first = events[0]
    if isinstance(first, CardsPlayed):
        return first.seat, Play(first.cards, first.taken)
    return (first.seat, Pass()) if isinstance(first, Passed) else None
