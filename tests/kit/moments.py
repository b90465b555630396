"""Asking a game about what happened, in the order in which a log would tell it."""

from typing import Any

from domain.games.contract import Game
from domain.games.moments import Moment, Seen
from domain.sealing import Event


def answers(game: Game[Any, Any, Any, Any, Any, Any], question: str, *events: Event) -> list[Moment]:
    """Return a game's answers to a question about events, of which the first is version 1."""
    assert question in {one.name for one in game.questions}
    seen = [Seen(version, event) for version, event in enumerate(events, 1)]
    return [moment for moment in game.moments(seen) if moment.question == question]
