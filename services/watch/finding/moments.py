"""What an expression sees of one moment of a match: the event that happened, and the table after and before it."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from domain.games.contract import GameView
from domain.match.evolve import Happened, game_of
from domain.match.state import Match
from domain.sealing import Event
from domain.viewers import EVERYTHING


class Moment:
    """One event of a match. What costs something is made when the expression asks for it."""

    def __init__(self, match: str, happened: Happened, actor: str, before: Match, after: Match) -> None:
        """Take the event with its envelope, and the states on both sides of it."""
        self._match: Final = match
        self._happened: Final = happened
        self._actor: Final = actor
        self._before: Final = before
        self._after: Final = after

    def __getitem__(self, name: str) -> Any:
        """Return what a name stands for.

        Raises:
            KeyError: For nothing.
        """
        return NAMES[name](self)

    def _game(self, state: Match) -> GameView | None:
        if state.game is None or state.terms is None:
            return None
        return game_of(state.terms).view(state.game, EVERYTHING)

    def match(self) -> str:
        """The match's id."""
        return self._match

    def version(self) -> int:
        """The event's version."""
        return self._happened.version

    def at(self) -> str:
        """When it was accepted, as a UTC instant."""
        return self._happened.at

    def type(self) -> str:
        """The kind of event."""
        return type(self._happened.event).__name__

    def door(self) -> str:
        """Through which door it came: page, api, bot, clock or operator."""
        return self._happened.door

    def actor(self) -> str:
        """Who acted."""
        return self._actor

    def event(self) -> Event:
        """The event with all its fields."""
        return self._happened.event

    def game(self) -> GameView | None:
        """The game after the event, with nothing hidden: the view that the API describes; None before the start."""
        return self._game(self._after)

    def before(self) -> GameView | None:
        """The same before the event."""
        return self._game(self._before)

    def phase(self) -> str:
        """How far the match is after the event."""
        return self._after.lifecycle.phase

    def seats(self) -> tuple[Any, ...]:
        """The seats after the event: player, kind, level, ready, resigned, stand_in."""
        return self._after.seats

    def options(self) -> Mapping[str, str | int]:
        """The game's options as they were chosen."""
        return {} if self._after.terms is None else self._after.terms.options


NAMES: Final[Mapping[str, Callable[[Moment], Any]]] = {
    name: getattr(Moment, name)
    for name in (
        "match",
        "version",
        "at",
        "type",
        "door",
        "actor",
        "event",
        "game",
        "before",
        "phase",
        "seats",
        "options",
    )
}
"""All names that an expression may use."""
