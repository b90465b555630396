"""What an expression sees of one moment of a match: the event that happened, and the table after and before it."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec

from domain.games.contract import GameView
from domain.match.evolve import Happened, game_of
from domain.match.state import Match
from domain.viewers import EVERYTHING


class Moment(msgspec.Struct, frozen=True):
    """One event of a match, and the states on both sides of it. What costs something is made when it is asked for."""

    match: str
    happened: Happened
    actor: str
    before: Match
    after: Match

    def __getitem__(self, name: str) -> Any:
        """Return what a name stands for.

        Raises:
            KeyError: For nothing.
        """
        return NAMES[name](self)


def _view(state: Match) -> GameView | None:
    """Return the game with nothing hidden, as the API describes it; None before the start."""
    if state.game is None or state.terms is None:
        return None
    return game_of(state.terms).view(state.game, EVERYTHING)


NAMES: Final[Mapping[str, Callable[[Moment], Any]]] = {
    "match": lambda one: one.match,
    "version": lambda one: one.happened.version,
    "at": lambda one: one.happened.at,
    "type": lambda one: type(one.happened.event).__name__,
    "door": lambda one: one.happened.door,
    "actor": lambda one: one.actor,
    "event": lambda one: one.happened.event,
    "game": lambda one: _view(one.after),
    "before": lambda one: _view(one.before),
    "phase": lambda one: one.after.lifecycle.phase,
    "seats": lambda one: one.after.seats,
    "options": lambda one: {} if one.after.terms is None else one.after.terms.options,
}
"""All names that an expression may use, as docs/reference/command-line.md explains them; the state is that after the
event, but for ``before``."""
