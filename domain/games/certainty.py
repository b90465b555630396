"""Wins that are certain whatever lies hidden and whatever the others do, where few cards are unknown."""

from abc import abstractmethod
from collections.abc import Callable, Hashable, Sequence
from typing import Final, Generic, Protocol, TypeVar

MoveOf = TypeVar("MoveOf")


class Playable(Protocol[MoveOf]):
    """What a table of a simulator offers, whatever the game."""

    turn: int

    @abstractmethod
    def copy(self) -> "Playable[MoveOf]":
        """Return another table with the same cards."""

    @abstractmethod
    def moves(self) -> list[MoveOf]:
        """Return every legal move of the seat whose turn it is."""

    @abstractmethod
    def make(self, move: MoveOf) -> None:
        """Make a legal move."""


Possible = Sequence[Playable[MoveOf]]
"""All tables that may be behind what a seat sees."""


class _OutOfNodes(Exception):
    """The position needs more thought than is allowed."""


class Certainty(Generic[MoveOf]):
    """A search for certain wins of one seat, which does not know on which of several tables it plays.

    Args:
        seat: The seat.
        seen: What the seat sees after a move of anybody, the move included: tables that differ in it are told apart.
        is_won: Whether a round that is over has won what is wanted.
        nodes: How many tables may be looked at.
    """

    def __init__(
        self,
        seat: int,
        seen: "Callable[[Playable[MoveOf], MoveOf], Hashable]",
        is_won: "Callable[[Playable[MoveOf]], bool]",
        nodes: int,
    ) -> None:
        self._seat: Final = seat
        self._seen = seen
        self._is_won = is_won
        self._nodes = nodes

    def first_move(self, possible: Possible[MoveOf], moves: Sequence[MoveOf]) -> MoveOf | None:
        """Return the first of some moves after which the win is certain; None if none was found."""
        try:
            for move in moves:
                if self._holds(possible, move):
                    return move
        except _OutOfNodes:
            pass
        return None

    def _holds(self, possible: Possible[MoveOf], move: MoveOf) -> bool:
        return all(self._wins(group) for group in self._after(possible, [move]))

    def _wins(self, possible: Possible[MoveOf]) -> bool:
        turn = possible[0].turn
        if turn < 0:
            return all(self._is_won(table) for table in possible)
        if turn == self._seat:
            return any(self._holds(possible, move) for move in possible[0].moves())
        return all(self._wins(group) for group in self._after(possible, None))

    def _after(self, possible: Possible[MoveOf], moves: Sequence[MoveOf] | None) -> list[Possible[MoveOf]]:
        groups: dict[Hashable, list[Playable[MoveOf]]] = {}
        for table in possible:
            for move in moves or table.moves():
                self._nodes -= 1
                if self._nodes < 0:
                    raise _OutOfNodes
                later = table.copy()
                later.make(move)
                groups.setdefault((later.turn, self._seen(later, move)), []).append(later)
        return list(groups.values())
