"""Which move events tell of: for who judges a log without the commands behind it."""

from collections.abc import Sequence

from domain.games.lama.events import CardDrawn, CardPlayed, ChipKept, ChipReturned, LamaEvent, RoundQuit
from domain.games.lama.moves import Chip, Draw, LamaMove, Play, Quit, Return


def recover_move(events: Sequence[LamaEvent]) -> tuple[int, LamaMove] | None:
    """Return who moved, and how, from the events of one move; None when they do not begin with one."""
    first = events[0]
    if isinstance(first, CardPlayed):
        # A chip was named at once, or it would have been asked for and returned by a move of its own.
        return first.seat, Play(first.card, next(filter(None, map(_chip, events)), None))
    if isinstance(first, CardDrawn):
        return first.seat, Draw()
    if isinstance(first, RoundQuit):
        return first.seat, Quit()
    if isinstance(first, ChipReturned | ChipKept):
        return first.seat, Return(_chip(first) or "none")
    return None


def _chip(event: LamaEvent) -> Chip | None:
    if isinstance(event, ChipReturned):
        return event.chip
    return "none" if isinstance(event, ChipKept) else None
