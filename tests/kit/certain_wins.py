"""Whether a seat can win the match for certain, found by trying everything: slow, exact, and with the rules alone.

A position is what a seat may think of: all full states that look the same to it. Others do what they like and hold what
they may. It shares no code with the bots that it is held against.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from domain.chance import Chance
from domain.games.contract import AnyGame
from domain.viewers import seat_viewer

CHANCE = Chance("7a" * 32)

Possible = tuple[Any, ...]
"""Full states that look the same to a seat."""


class TooMuch(Exception):
    """The position takes too long to try out."""


class CertainWins:
    """Certain wins of one seat.

    Args:
        game: The game.
        seat: The seat.
        tries: How many positions may be tried.
    """

    def __init__(self, game: AnyGame, seat: int, tries: int = 4000) -> None:
        self._game = game
        self._seat = seat
        self._tries = tries
        self._known: dict[Possible, bool] = {}

    def is_won(self, possible: Possible) -> bool:
        """Tell whether the seat surely wins the match, alone and before another round.

        Raises:
            TooMuch: That cannot be found out in the tries that are left.
        """
        known = self._known.get(possible)
        if known is None:
            known = self._known[possible] = self._is_won(possible)
        return known

    def moves(self, possible: Possible) -> list[Any]:
        """Return all moves of the seat that keep a certain win."""
        legal = self._game.legal_moves(possible[0], self._seat)
        found = [] if legal is None else list(self._game.expand(legal))
        return [move for move in found if self.keeps(possible, move)]

    def keeps(self, possible: Possible, move: Any) -> bool:
        """Tell whether a move of the seat keeps a certain win."""
        return all(self.is_won(group) for group in self.after(possible, self._seat, (move,)))

    def after(self, possible: Possible, seat: int, moves: Sequence[Any] | None = None) -> list[Possible]:
        """Return what the seat may think after a move of anybody: one position for each thing that it may see."""
        groups: dict[bytes, dict[Any, None]] = {}
        for state in possible:
            legal = self._game.legal_moves(state, seat)
            for move in moves or (() if legal is None else self._game.expand(legal)):
                later = state
                for event in self._game.decide(state, seat, move, CHANCE):
                    later = self._game.evolve(later, event)
                seen = self._game.view(later, seat_viewer(self._seat))
                groups.setdefault(msgspec.json.encode(seen), {})[later] = None
        return [tuple(group) for group in groups.values()]

    def _is_won(self, possible: Possible) -> bool:
        self._tries -= 1
        if self._tries < 0:
            raise TooMuch
        first = possible[0]
        if self._game.is_over(first):
            return all(self._wins(state) for state in possible)
        if any(state.round > 1 for state in possible):
            return False
        seat = self._game.to_act(first)[0]
        if seat == self._seat:
            return bool(self._any_move_wins(possible))
        return all(self.is_won(group) for group in self.after(possible, seat))

    def _any_move_wins(self, possible: Possible) -> bool:
        legal = self._game.legal_moves(possible[0], self._seat)
        return legal is not None and any(self.keeps(possible, move) for move in self._game.expand(legal))

    def _wins(self, state: Any) -> bool:
        return self._game.standing(state).ranking[0] == (self._seat,)


def looks_alike(game: AnyGame, seat: int, states: Iterable[Any]) -> Possible:
    """Return the different states among some that look to a seat as the first one does."""
    found: dict[Any, None] = {}
    shown = None
    for state in states:
        seen = game.view(state, seat_viewer(seat))
        shown = shown or seen
        assert seen == shown
        found[state] = None
    return tuple(found)
