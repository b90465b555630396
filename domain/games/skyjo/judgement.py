"""How bots judge a turn of Skyjo without playing it out: three ways, each a level of its own.

``normal`` and ``hard`` rate each card in each of its slots by the points that the board would then be expected to cost.
A hidden card counts as the mean of all unseen cards. A draw is worth the best use of each unseen card, on average.
Two equal cards of a column get credit for a likely third. ``hard`` also knows what closing risks, the doubling times
its probability, and what it is worth to end a round before the others are ready.
"""

import math
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

import msgspec

from domain.games.skyjo.cards import CARDS, COLUMNS, GONE, ROWS, column_of, slots_of
from domain.games.skyjo.legal import SkyjoLegal
from domain.games.skyjo.moves import Draw, Flip, SkyjoMove, Swap, Take
from domain.games.skyjo.sampling import unseen
from domain.games.skyjo.simulator import LAPS_TO_STALL
from domain.games.skyjo.view import Cell, SkyjoView

# Values were compared in play, over 200 matches of two seats each.
LOW = 2
"""A beginner keeps such cards."""
HOPE_PER_HIDDEN = 0.06
"""The chance that a pair becomes three, per hidden card of the board: about as many turns are left."""
CLOSING_GAIN = 2.0
"""The worth of ending a round before the others are ready, in points."""
PATIENT_LAPS = 2
"""After so many laps without a hidden card turned up nobody fears the doubling any more: seats that wait for each other
only go round in circles."""
LAST_TURN_GAIN = 3.0
"""How much a last turn lowers a board, in points."""
LAST_TURN_VARIANCE = 9.0
"""The variance of that gain, in square points."""

_Column = tuple[int | None, int | None, int | None]


class _Outlook(msgspec.Struct, frozen=True):
    """What a seat makes of the table.

    Attributes:
        board: Its cells by slot.
        hidden: How many of them are hidden.
        chances: The probability of each face for an unseen card.
        mean: What a hidden card is expected to cost.
        hope: The chance that a pair becomes three.
        closes_last: Whether showing the last hidden card closes the round.
        fear: How much of the doubling the cost of closing includes, from 0 to 1.
        gain: The worth of ending the round before the others are ready, in points.
        opening: The worth of a hidden card turned up or replaced, in points.
        rivals: For each other seat, its expected points if the round is closed now, and their variance.
    """

    board: tuple[Cell, ...]
    hidden: int
    chances: Mapping[int, float]
    mean: float
    hope: float
    closes_last: bool
    fear: float
    gain: float
    opening: float
    rivals: tuple[tuple[float, float], ...]

    def costs_of_placing(self, faces: tuple[int, ...], slots: tuple[int, ...]) -> dict[int, dict[int, float]]:
        """Return, by face and slot, the board's expected cost once that face lies open there."""
        mean, hope = self.mean, self.hope
        columns = _columns(self.board)
        expected = {column: _column_cost(cells, mean, hope) for column, cells in columns.items()}
        counted = {column: _column_cost(cells, mean, 0.0) for column, cells in columns.items()}
        costs: dict[int, dict[int, float]] = {face: {} for face in faces}
        for slot in slots:
            column, row = column_of(slot), slot % ROWS
            cells = columns[column]
            # The order within a column does not matter: the two cards that stay are enough.
            one, other = cells[:row] + cells[row + 1 :]
            if self.closes_last and self.hidden - (cells[row] is None) == 0:
                others = sum(counted.values()) - counted[column]
                for face in faces:
                    points = others + _column_cost((face, one, other), mean, 0.0)
                    costs[face][slot] = self._with_closing(points)
            else:
                others = sum(expected.values()) - expected[column]
                if self.closes_last and cells[row] is None:
                    others -= self.opening
                for face in faces:
                    costs[face][slot] = others + _column_cost((face, one, other), mean, hope)
        return costs

    def _with_closing(self, points: float) -> float:
        doubling = self.fear * self._chance_of_doubling(points) if self.fear else 0.0
        return points + max(points, 0.0) * doubling - self.gain

    def _chance_of_doubling(self, points: float) -> float:
        """Return the probability that some rival gets no more points than these."""
        all_above = 1.0
        for mean, variance in self.rivals:
            all_above *= 0.5 * math.erfc((points + 0.5 - mean) / math.sqrt(2 * variance))
        return 1.0 - all_above


def _columns(board: tuple[Cell, ...]) -> dict[int, _Column]:
    """Return the columns still on the board."""
    cells = [cell if isinstance(cell, int) else None for cell in board]
    return {
        column: (cells[slots[0]], cells[slots[1]], cells[slots[2]])
        for column in range(COLUMNS)
        if board[(slots := slots_of(column))[0]] != GONE
    }


def _column_cost(cells: _Column, mean: float, hope: float) -> float:
    """Return a column's expected cost: nothing if it leaves, less while it might."""
    first, second, third = cells
    cost = (
        (mean if first is None else first)
        + (mean if second is None else second)
        + (mean if third is None else third)
    )
    if first is None:
        has_pair = second is not None and second == third
    else:
        has_pair = first in (second, third)
        if has_pair and second == third:
            return 0.0
    return cost * (1.0 - hope) if has_pair and cost > 0 else cost


class Manner(NamedTuple):
    """What a seat likes besides the points of its board.

    Attributes:
        closing: The worth of ending the round before the others are ready, in points; only the wary count it.
        opening: The worth of a hidden card turned up or replaced, in points.
        hope: The chance that a pair becomes three, per hidden card of the board.
    """

    closing: float = CLOSING_GAIN
    opening: float = 0.0
    hope: float = HOPE_PER_HIDDEN


USUAL = Manner()


class Rated(NamedTuple):
    """The moves of a turn with what the board is then expected to cost, fewest first."""

    moves: tuple[tuple[float, SkyjoMove], ...]

    @property
    def best(self) -> SkyjoMove:
        """The move that costs the fewest points."""
        return self.moves[0][1]


def rated(
    view: SkyjoView,
    legal: SkyjoLegal,
    seat: int,
    *,
    wary: bool,
    manner: Manner = USUAL,
) -> Rated:
    """Rate the moves of a turn.

    Args:
        view: The seat's view.
        legal: Its legal moves: of a turn, not the first flips.
        seat: Its number.
        wary: Whether to weigh what closing the round risks and gains.
        manner: What else the seat likes.
    """
    outlook = _outlook(view, seat, manner, wary=wary)
    chances = outlook.chances
    in_hand = view.top if legal.draw else view.drawn
    if not isinstance(in_hand, int):
        raise TypeError("a seat to act sees the card to place")
    slots = legal.take or legal.swap
    costs = outlook.costs_of_placing((*chances, in_hand), slots)
    flips = {
        slot: sum(chance * costs[face][slot] for face, chance in chances.items())
        for slot in slots
        if outlook.board[slot] is None
    }
    placed = costs[in_hand]
    moves: list[tuple[float, SkyjoMove]]
    if legal.draw:
        flip = min(flips.values(), default=math.inf)
        draw = sum(chance * min(flip, *costs[face].values()) for face, chance in chances.items())
        moves = [(cost, Take(slot)) for slot, cost in placed.items()]
        moves.append((draw, Draw()))
    else:
        moves = [(cost, Flip(slot)) for slot, cost in flips.items()]
        moves += [(cost, Swap(slot)) for slot, cost in placed.items()]
    return Rated(tuple(sorted(moves, key=lambda each: each[0])))


def beginners_move(view: SkyjoView, legal: SkyjoLegal, seat: int) -> SkyjoMove:
    """Keep low cards in place of high or hidden ones, turn up the next card otherwise, and think of nothing else."""
    board = view.boards[seat]
    in_hand = view.top if legal.draw else view.drawn
    if not isinstance(in_hand, int):
        raise TypeError("a seat to act sees the card to place")
    slots = legal.take or legal.swap
    dearest = max(slots, key=lambda slot: _worry(board[slot]))
    if in_hand <= LOW and _worry(board[dearest]) > in_hand:
        return Take(dearest) if legal.draw else Swap(dearest)
    return Draw() if legal.draw else Flip(legal.flip[0])


def _worry(cell: Cell) -> float:
    return float(cell) if isinstance(cell, int) else LOW + 0.5


def first_flips(legal: SkyjoLegal) -> tuple[int, ...]:
    """Choose slots in columns without an open card, so that every later card can still make a pair."""
    untouched = (slots_of(column) for column in range(COLUMNS) if set(slots_of(column)) <= set(legal.reveal))
    return tuple(slots.start for slots in untouched)[: legal.reveal_up_to]


def _outlook(view: SkyjoView, seat: int, manner: Manner, *, wary: bool) -> _Outlook:
    # A view whose numbers do not add up may leave none; then any card may lie anywhere.
    counts = Counter(unseen(view)) or Counter(CARDS)
    unseen_cards = counts.total()
    mean = sum(face * count for face, count in counts.items()) / unseen_cards
    variance = sum((face - mean) ** 2 * count for face, count in counts.items()) / unseen_cards
    hidden = view.boards[seat].count(None)
    is_open = view.closer is None
    return _Outlook(
        board=view.boards[seat],
        hidden=hidden,
        chances={face: count / unseen_cards for face, count in counts.items()},
        mean=mean,
        # In the last lap a pair cannot become three any more.
        hope=manner.hope * hidden if is_open else 0.0,
        closes_last=is_open,
        fear=_patience(view) if wary else 0.0,
        gain=manner.closing if wary else 0.0,
        opening=manner.opening,
        rivals=tuple(
            (_open_sum(board) + mean * board.count(None) - LAST_TURN_GAIN, _spread(board, variance))
            for rival, board in enumerate(view.boards)
            if rival != seat
        ),
    )


def _patience(view: SkyjoView) -> float:
    seats = len(view.boards)
    idle_laps = (LAPS_TO_STALL * seats - view.turns_to_stall) / seats
    return min(1.0, max(0.0, 1.0 - idle_laps / PATIENT_LAPS))


def _open_sum(board: tuple[Cell, ...]) -> int:
    return sum(cell for cell in board if isinstance(cell, int))


def _spread(board: tuple[Cell, ...], variance: float) -> float:
    return variance * board.count(None) + LAST_TURN_VARIANCE
