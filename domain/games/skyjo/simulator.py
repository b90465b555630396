"""One round of Skyjo on a mutable table, for bots that play out what might happen.

It does what :mod:`domain.games.skyjo.rules` does, without events, refusals or copies; a test compares the two move by
move. Only legal moves may be made, and the first flips lie behind. A move is a number: :data:`DRAW`, or a slot added to
:data:`TAKE`, :data:`SWAP` or :data:`FLIP`.
"""

from collections.abc import Hashable
from itertools import permutations
from typing import Final

from domain.games.searching import Source
from domain.games.skyjo.cards import CARDS, GONE, ROWS, SLOTS
from domain.games.skyjo.sampling import unseen
from domain.games.skyjo.state import SkyjoState
from domain.games.skyjo.view import SkyjoView

DRAW: Final = 12
TAKE: Final = 16
SWAP: Final = 32
FLIP: Final = 48

EMPTY: Final = 99
"""A slot whose column has left the board."""

LAPS_TO_STALL: Final = 12

HIDDEN: Final = 15
"""How a card that lies face down looks; an open one looks like its face, counted from the lowest."""

NO_COLUMN: Final = 4096
"""How a column looks that has left the board; any other looks like its cells, four bits each, first ones highest."""

_SHIFTS: Final = (8, 4, 0) * 4
_OTHERS: Final = (0x0FF, 0xF0F, 0xFF0) * 4
"""By slot, where its cell is in the look of its column, and the cells beside it."""


def look_of(first: int, second: int, third: int) -> int:
    """Return how a column of three cells looks: faces from -2, or :data:`HIDDEN` less two for what lies hidden."""
    return first + 2 << 8 | second + 2 << 4 | third + 2


def _looks(board: list[int], hidden: int) -> list[int]:
    cells = [HIDDEN - 2 if hidden >> slot & 1 else face for slot, face in enumerate(board)]
    return [
        NO_COLUMN if cells[start] == EMPTY else look_of(*cells[start : start + ROWS])
        for start in range(0, SLOTS, ROWS)
    ]


class SkyjoTable:
    """The table.

    Attributes:
        seats: How many seats there are.
        faces: By seat and slot, the card that lies there, open or not; :data:`EMPTY` where there is none.
        hidden: By seat, the slots that lie face down, as a set of bits.
        looks: By seat and column, how it looks to everybody; follows from faces and hidden.
        pile: The draw pile, next card last.
        discard: The discard pile, top last.
        drawn: The card that the seat whose turn it is holds; :data:`EMPTY` for none.
        turn: Whose turn it is; -1 after the round.
        closer: The first seat without a hidden card; -1 before.
        idle: Turns in a row in which no hidden card was turned up or replaced.
        random: Shuffles the discard pile when the pile is used up.
    """

    __slots__ = (
        "closer",
        "discard",
        "drawn",
        "faces",
        "hidden",
        "idle",
        "looks",
        "pile",
        "random",
        "seats",
        "turn",
    )

    def __init__(
        self,
        faces: list[list[int]],
        hidden: list[int],
        pile: list[int],
        discard: list[int],
        turn: int,
        random: Source,
    ) -> None:
        self.seats = len(faces)
        self.faces = faces
        self.hidden = hidden
        self.looks = [_looks(board, bits) for board, bits in zip(faces, hidden, strict=True)]
        self.pile = pile
        self.discard = discard
        self.drawn = EMPTY
        self.turn = turn
        self.closer = -1
        self.idle = 0
        self.random = random

    def copy(self) -> "SkyjoTable":
        """Return another table with the same cards."""
        other = SkyjoTable.__new__(SkyjoTable)
        other.seats = self.seats
        other.faces = [board[:] for board in self.faces]
        other.hidden = self.hidden[:]
        other.looks = [looks[:] for looks in self.looks]
        other.pile = self.pile[:]
        other.discard = self.discard[:]
        other.turn = self.turn
        other.random = self.random
        other.drawn = self.drawn
        other.closer = self.closer
        other.idle = self.idle
        return other

    def moves(self) -> list[int]:
        """Return every legal move of the seat whose turn it is."""
        board = self.faces[self.turn]
        slots = [slot for slot in range(SLOTS) if board[slot] != EMPTY]
        if self.drawn == EMPTY:
            return [*(TAKE + slot for slot in slots), DRAW]
        hidden = self.hidden[self.turn]
        return [
            *(SWAP + slot for slot in slots),
            *(FLIP + slot for slot in slots if hidden >> slot & 1),
        ]

    def make(self, move: int) -> None:
        """Make a legal move of the seat whose turn it is."""
        if move == DRAW:
            self.draw()
        elif move >= FLIP:
            self.discard.append(self.drawn)
            self.drawn = EMPTY
            self._open(move - FLIP)
        else:
            if move >= SWAP:
                slot, face, self.drawn = move - SWAP, self.drawn, EMPTY
            else:
                slot, face = move - TAKE, self.discard.pop()
            board = self.faces[self.turn]
            self.discard.append(board[slot])
            board[slot] = face
            self._open(slot)

    def draw(self) -> None:
        """Draw the top card; if there is none, shuffle all discarded cards but the top one first."""
        if not self.pile:
            top = self.discard.pop()
            self.pile, self.discard = self.discard, [top]
            self.random.shuffle(self.pile)
        self.drawn = self.pile.pop()

    def pass_over(self) -> None:
        """Put the next card of the pile at its bottom.

        Where nobody knows the pile this makes luck alike in all courses: what a seat draws in some turn does not
        follow from how many cards were drawn before.
        """
        if self.pile:
            self.pile.insert(0, self.pile.pop())

    def _open(self, slot: int) -> None:
        """End a turn that leaves the card in a slot open."""
        seat = self.turn
        before = self.hidden[seat]
        bit = 1 << slot
        hidden = self.hidden[seat] = before & ~bit
        board = self.faces[seat]
        start = slot - slot % ROWS
        face = board[slot]
        looks, column = self.looks[seat], slot // ROWS
        look = looks[column] & _OTHERS[slot] | face + 2 << _SHIFTS[slot]
        if look == (face + 2) * 0x111:
            board[start] = board[start + 1] = board[start + 2] = EMPTY
            self.discard += (face, face, face)
            look = NO_COLUMN
        looks[column] = look
        if not hidden and self.closer < 0:
            self.closer = seat
        self.idle = 0 if before & bit else self.idle + 1
        seat = (seat + 1) % self.seats
        self.turn = -1 if seat == self.closer or self.idle >= LAPS_TO_STALL * self.seats else seat

    def seen_by(self, seat: int) -> Hashable:
        """Return what changes on the table before a seat's eyes."""
        shown = tuple(
            None if hidden >> slot & 1 else face
            for board, hidden in zip(self.faces, self.hidden, strict=True)
            for slot, face in enumerate(board)
        )
        return shown, self.discard[-1], self.drawn if self.turn == seat else self.drawn != EMPTY

    def points(self) -> list[int]:
        """Return by seat what the round costs, once all lies open."""
        raw = [raw_of(board) for board in self.faces]
        closer = self.closer
        if closer >= 0 and raw[closer] > 0:
            lowest = min(points for seat, points in enumerate(raw) if seat != closer)
            if lowest <= raw[closer]:
                raw[closer] *= 2
        return raw


def raw_of(board: list[int]) -> int:
    """Return what a board costs without its complete columns."""
    total = 0
    for start in range(0, SLOTS, ROWS):
        first, second, third = board[start : start + ROWS]
        if first != EMPTY and not first == second == third:
            total += first + second + third
    return total


def table_of(state: SkyjoState, random: Source) -> SkyjoTable:
    """Return the table of a full state in which a turn is played."""
    dealt = state.dealt
    table = SkyjoTable(
        [[EMPTY if card is None else dealt[card] for card in board] for board in state.boards],
        [sum(1 << slot for slot in slots) for slots in state.hidden],
        [dealt[card] for card in reversed(state.pile)],
        [dealt[card] for card in state.discard],
        -1 if state.turn is None else state.turn,
        random,
    )
    if state.drawn is not None:
        # A drawn card was the top of the pile, and has left it.
        table.drawn = dealt[state.drawn]
    table.closer = -1 if state.closer is None else state.closer
    table.idle = state.idle_turns
    return table


class Unknown:
    """What a seat does not see: deals possible tables one after the other.

    Any unseen card may lie in any unseen place. A view whose numbers do not add up is filled up with cards of the
    whole deck.
    """

    def __init__(self, view: SkyjoView, seat: int) -> None:
        self.seat = seat
        self._boards = [
            [EMPTY if cell == GONE or cell is None else cell for cell in board] for board in view.boards
        ]
        self._places = [
            (other, slot)
            for other, board in enumerate(view.boards)
            for slot, cell in enumerate(board)
            if cell is None
        ]
        self.hidden = [
            sum(1 << slot for slot, cell in enumerate(board) if cell is None) for board in view.boards
        ]
        self.unseen = list(unseen(view))
        self._short = max(0, len(self._places) + 1 - len(self.unseen))
        self._discard = list(view.discard)
        self._pile_size = view.pile_size
        self._drawn = view.drawn if isinstance(view.drawn, int) else EMPTY
        self._closer = -1 if view.closer is None else view.closer
        self._idle = max(0, LAPS_TO_STALL * len(view.boards) - view.turns_to_stall)

    def tables(self, most: int, random: Source) -> list[SkyjoTable]:
        """Return all possible tables, none if there are too many cards of which the seat knows nothing."""
        if self._short or len(self.unseen) > most:
            return []
        return [self._laid(list(order), random) for order in sorted(set(permutations(self.unseen)))]

    def deal(self, random: Source) -> SkyjoTable:
        """Return a possible table."""
        cards = self.unseen[:]
        if self._short:
            cards += random.sample(CARDS, self._short)
        # Sorting by chance is several times as quick as Random.shuffle.
        cards.sort(key=lambda _: random.random())
        return self._laid(cards, random)

    def _laid(self, cards: list[int], random: Source) -> SkyjoTable:
        faces = [board[:] for board in self._boards]
        for other, slot in self._places:
            faces[other][slot] = cards.pop()
        table = SkyjoTable(faces, self.hidden[:], cards, self._discard[:], self.seat, random)
        table.drawn = self._drawn
        table.closer = self._closer
        table.idle = self._idle
        return table
