"""How many sequences of moves there are from small tables: the game against a second, independent set of
rules.

The second set is written from the specification's pseudo code, on faces alone, as plainly as it goes.
"""

from copy import deepcopy
from typing import Literal

import msgspec
import pytest

from domain.games.registry import GAMES
from domain.games.skyjo.moves import Reveal
from domain.games.skyjo.state import SkyjoState
from tests.kit.game_cases.matches import sequences
from tests.unit.domain.games.skyjo.arrange import given, new_round, when

Do = tuple[Literal["reveal", "take", "draw", "swap", "flip"], tuple[int, ...]]


class Table(msgspec.Struct):
    """The second game: boards of [face, is open] pairs, None where a column left."""

    boards: list[list[list[int] | None]]
    discard: list[int]
    pile: list[int]
    turn: int | None
    drawn: int | None = None
    closer: int | None = None
    idle: int = 0
    over: bool = False

    def moves(self) -> list[tuple[int, Do]]:
        """Return every move of every seat that is asked."""
        if self.over:
            return []
        if self.turn is None:
            return [(seat, move) for seat in range(len(self.boards)) for move in self.flips(seat)]
        slots = [slot for slot, cell in enumerate(self.boards[self.turn]) if cell]
        if self.drawn is None:
            return [(self.turn, ("draw", ())), *((self.turn, ("take", (slot,))) for slot in slots)]
        found: list[tuple[int, Do]] = [(self.turn, ("swap", (slot,))) for slot in slots]
        return found + [(self.turn, ("flip", (slot,))) for slot in self.hidden(self.turn)]

    def flips(self, seat: int) -> list[Do]:
        """Return the first flips that a seat may still make."""
        hidden = self.hidden(seat)
        left = 2 - (12 - len(hidden))
        found: list[Do] = [("reveal", (slot,)) for slot in hidden if left]
        if left == 2:
            found += [("reveal", (one, two)) for one in hidden for two in hidden if one < two]
        return found

    def hidden(self, seat: int) -> list[int]:
        """Return the hidden slots of a seat."""
        return [slot for slot, cell in enumerate(self.boards[seat]) if cell and not cell[1]]

    def after(self, seat: int, move: Do) -> "Table":
        """Return the table after a move."""
        table = deepcopy(self)
        table.make(seat, move)
        return table

    def make(self, seat: int, move: Do) -> None:
        """Make a move, as the specification's pseudo code says."""
        kind, slots = move
        board = self.boards[seat]
        if kind == "reveal":
            for slot in slots:
                board[slot][1] = 1  # type: ignore[index]
            if not any(self.flips(each) for each in range(len(self.boards))):
                sums = [sum(cell[0] for cell in cells if cell and cell[1]) for cells in self.boards]
                self.turn = sums.index(max(sums))
            return
        if kind == "draw":
            self.drawn = self.pile.pop(0)
            return
        (slot,) = slots
        cell = board[slot]
        assert cell is not None
        self.idle = self.idle + 1 if cell[1] else 0
        if kind == "flip":
            assert self.drawn is not None
            self.discard.append(self.drawn)
            cell[1] = 1
        else:
            card = self.discard.pop() if kind == "take" else self.drawn
            assert card is not None
            self.discard.append(cell[0])
            board[slot] = [card, 1]
        self.drawn = None
        self.finish(seat, slot // 3)

    def finish(self, seat: int, column: int) -> None:
        """Check the column, whether the seat closes, and whether the round ends."""
        board = self.boards[seat]
        cells = board[column * 3 : column * 3 + 3]
        if all(cell and cell[1] and cell[0] == cells[0][0] for cell in cells):  # type: ignore[index]
            self.discard += [cell[0] for cell in cells if cell]
            board[column * 3 : column * 3 + 3] = [None, None, None]
        if self.closer is None and not self.hidden(seat):
            self.closer = seat
        self.turn = (seat + 1) % len(self.boards)
        self.over = self.turn == self.closer or self.idle == 12 * len(self.boards)


def second(state: SkyjoState) -> Table:
    """Lay the same table out for the second game."""
    return Table(
        boards=[
            [
                None if card is None else [state.dealt[card], int(slot not in state.hidden[seat])]
                for slot, card in enumerate(cards)
            ]
            for seat, cards in enumerate(state.boards)
        ],
        discard=[state.dealt[card] for card in state.discard],
        pile=[state.dealt[card] for card in state.pile],
        turn=state.turn,
        closer=state.closer,
        idle=state.idle_turns,
    )


def brute_force(table: Table, length: int) -> int:
    """Count the sequences of moves of the second game."""
    moves = table.moves()
    if length == 1:
        return len(moves)
    return sum(brute_force(table.after(seat, move), length - 1) for seat, move in moves)


def nearly_flipped() -> SkyjoState:
    """Return a fresh deal of two seats, each of which has one first card left to turn."""
    state = new_round(2, limit="single")
    for seat in (0, 1):
        state = when(state, seat, Reveal((4,))).state
    return state


TABLES = {
    "a fresh deal": (new_round(2, limit="single"), (156, 12_432, 175_032)),
    "first flips end, turns begin": (nearly_flipped(), (22, 242, 3_146, 43_076)),
    "columns about to leave": (
        given(
            "4 4 (4) | gone | gone | 1 (2) 1",
            "(4) 4 3 | gone | gone | (9) 9 9",
            discard="1 4",
            pile="4 9 1 2",
            limit="single",
        ),
        (7, 50, 338, 2_320),
    ),
    "a seat about to close": (
        given(
            "5 5 (5) | gone | gone | 1 2 3",
            "7 (7) 7 | gone | gone | gone",
            "1 (2) (3) | gone | gone | gone",
            discard="5 7",
            pile="5 7 1 2 3",
            limit="single",
        ),
        (7, 31, 124, 613),
    ),
    "the last lap": (
        given(
            "1 2 3 | gone | gone | gone",
            "7 (7) 7 | gone | gone | gone",
            "1 (2) (3) | gone | gone | gone",
            discard="7",
            pile="7 1 2 3",
            turn=1,
            closer=0,
            limit="single",
        ),
        (4, 16, 31, 20),
    ),
    "about to stall": (
        given(
            "5 (5) 3 | gone | gone | gone",
            "5 (4) 3 | gone | gone | gone",
            discard="5",
            pile="5 7 1 2 3",
            idle_turns=22,
            limit="single",
        ),
        (4, 16, 36, 48),
    ),
}


@pytest.mark.parametrize(("state", "counts"), TABLES.values(), ids=TABLES)
def test_both_games_count_the_same_sequences(state: SkyjoState, counts: tuple[int, ...]) -> None:
    lengths = range(1, len(counts) + 1)

    assert tuple(sequences(GAMES["skyjo", 1], state, length) for length in lengths) == counts
    assert tuple(brute_force(second(state), length) for length in lengths) == counts
