"""The move behind events, for checking a log that does not hold its commands."""

from collections.abc import Sequence

from domain.games.lama.events import CardDrawn, CardPlayed, ChipKept, ChipReturned, LamaEvent, RoundQuit
from domain.games.lama.moves import Chip, Draw, LamaMove, Play, Quit, Return


def recover_move(events: Sequence[LamaEvent]) -> tuple[int, LamaMove] | None:
    """Return who moved, and how, from the events of one move; None if they do not begin with a move."""
    first = events[0]
    if isinstance(first, CardPlayed):
        # The play named a chip: otherwise the winner would have returned it in a separate move.
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
