"""One round of L.A.M.A. on a mutable table, for bots that play out what might happen.

It does what :mod:`domain.games.lama.rules` does, without events, refusals or copies; a test compares the two move by
move. Only legal moves may be made. A value is an index: 0 to 5 are the numbers 1 to 6, 6 is the llama. A move is a
value to play, or :data:`DRAW` or :data:`QUIT`.
"""

from itertools import permutations
from typing import Final

from domain.games.lama.cards import COPIES, VALUES, LamaCard
from domain.games.lama.state import LamaState
from domain.games.lama.view import LamaView
from domain.games.searching import Source

DRAW: Final = 7
QUIT: Final = 8

LLAMA: Final = 6

COSTS: Final = (1, 2, 3, 4, 5, 6, 10)
"""What each value costs at the end of a round."""

FOLLOWING: Final = (1, 2, 3, 4, 5, 6, 0)
"""The value after each value."""

_BLACK: Final = 10

INDEX: Final = {value: index for index, value in enumerate(VALUES)}


class LamaTable:
    """The table.

    Attributes:
        seats: How many seats there are.
        hands: By seat, how many cards of each value it holds.
        sizes: By seat, how many cards it holds.
        top: The value on top of the discard pile.
        pile: The draw pile, next card last.
        active: By seat, whether it is still in the round.
        left: How many seats still are.
        turn: Whose turn it is; -1 after the round.
        winner: The seat that got rid of all its cards; -1 for none.
    """

    __slots__ = ("active", "hands", "left", "pile", "seats", "sizes", "top", "turn", "winner")

    def __init__(
        self,
        hands: list[list[int]],
        sizes: list[int],
        top: int,
        pile: list[int],
        active: list[bool],
        turn: int,
    ) -> None:
        self.seats = len(hands)
        self.hands = hands
        self.sizes = sizes
        self.top = top
        self.pile = pile
        self.active = active
        self.left = sum(active)
        self.turn = turn
        self.winner = -1

    def copy(self) -> "LamaTable":
        """Return another table with the same cards."""
        return LamaTable(
            [hand[:] for hand in self.hands],
            self.sizes[:],
            self.top,
            self.pile[:],
            self.active[:],
            self.turn,
        )

    def make(self, move: int) -> None:
        """Make a legal move of the seat whose turn it is."""
        seat = self.turn
        if move == DRAW:
            self.hands[seat][self.pile.pop()] += 1
            self.sizes[seat] += 1
        elif move == QUIT:
            self.active[seat] = False
            self.left -= 1
            if not self.left:
                self.turn = -1
                return
        else:
            self.hands[seat][move] -= 1
            self.sizes[seat] -= 1
            self.top = move
            if not self.sizes[seat]:
                self.winner = seat
                self.turn = -1
                return
        seat += 1
        while not self.active[seat % self.seats]:
            seat += 1
        self.turn = seat % self.seats

    def moves(self) -> list[int]:
        """Return every legal move of the seat whose turn it is."""
        hand, top = self.hands[self.turn], self.top
        found = [value for value in (top, FOLLOWING[top]) if hand[value]]
        if self.pile and self.left > 1:
            found.append(DRAW)
        found.append(QUIT)
        return found

    def points(self) -> list[int]:
        """Return by seat what the cards in its hand cost."""
        return [cost_of(hand) for hand in self.hands]


def cost_of(hand: list[int]) -> int:
    """Return what a hand costs: every value once."""
    ones, twos, threes, fours, fives, sixes, llamas = hand
    return (
        (1 if ones else 0)
        + (2 if twos else 0)
        + (3 if threes else 0)
        + (4 if fours else 0)
        + (5 if fives else 0)
        + (6 if sixes else 0)
        + (10 if llamas else 0)
    )


def returned_from(total: int) -> int:
    """Return what is left of a total once a round's winner has given the largest chip back."""
    return total - _BLACK if total >= _BLACK else max(0, total - 1)


def counted(cards: tuple[LamaCard, ...]) -> list[int]:
    """Return how many cards of each value there are."""
    counts = [0] * len(VALUES)
    for card in cards:
        counts[INDEX[card]] += 1
    return counts


def table_of(state: LamaState) -> LamaTable:
    """Return the table of a full state in which a turn is played."""
    return LamaTable(
        [counted(state.hand(seat)) for seat in range(state.seats)],
        [len(hand) for hand in state.hands],
        INDEX[state.top],
        [INDEX[card] for card in state.order[: state.pile_start - 1 : -1]],
        [seat not in state.quit for seat in range(state.seats)],
        -1 if state.turn is None else state.turn,
    )


class Unknown:
    """What a seat does not see: deals possible tables one after the other.

    Cards that the view leaves possible are laid into closed hands and the pile. A view whose numbers do not add up
    leaves a hand or the pile short; the round can be played out all the same.
    """

    def __init__(self, view: LamaView, seat: int) -> None:
        self._seen = view
        self.seat = seat
        self.own = counted(view.hands[seat] or ())
        seen = counted(view.discard)
        self.unseen = [
            value
            for value in range(len(VALUES))
            for _ in range(COPIES - seen[value] - self.own[value] - self._shown(value))
        ]

    def _shown(self, value: int) -> int:
        name = VALUES[value]
        return sum(
            hand.count(name) for other, hand in enumerate(self._seen.hands) if hand and other != self.seat
        )

    def tables(self, most: int) -> list[LamaTable]:
        """Return all possible tables, none if there are too many cards of which the seat knows nothing."""
        if len(self.unseen) > most:
            return []
        return [self._laid(list(order)) for order in sorted(set(permutations(self.unseen)))]

    def any_table(self) -> LamaTable:
        """Return one of the possible tables, for those who look at nothing that is hidden."""
        return self._laid(self.unseen[:])

    def deal(self, random: Source) -> LamaTable:
        """Return a possible table."""
        cards = self.unseen[:]
        random.shuffle(cards)
        return self._laid(cards)

    def _laid(self, cards: list[int]) -> LamaTable:
        view = self._seen
        hands: list[list[int]] = []
        for other, size in enumerate(view.hand_sizes):
            if other == self.seat:
                hands.append(self.own[:])
            elif (shown := view.hands[other]) is not None:
                hands.append(counted(shown))
            else:
                hand = [0] * len(VALUES)
                for _ in range(min(size, len(cards))):
                    hand[cards.pop()] += 1
                hands.append(hand)
        del cards[view.pile_size :]
        quit_ = view.quit
        return LamaTable(
            hands,
            [sum(hand) for hand in hands],
            INDEX[view.top] if view.top is not None else 0,
            cards,
            [other not in quit_ for other in range(len(hands))],
            self.seat,
        )
