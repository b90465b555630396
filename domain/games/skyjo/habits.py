"""How seats play while a bot plays out what might happen: quickly, and sensibly enough.

Each column is rated by what it is expected to cost, each card by where it lowers that most. Ratings are kept, because
the same columns come again and again.
"""

import math
from functools import cache
from operator import mul
from typing import Final

from domain.games.skyjo.cards import CARDS, ROWS
from domain.games.skyjo.simulator import EMPTY, SkyjoTable

HIDDEN: Final = 50
"""A cell that lies face down."""

FACES: Final = tuple(range(-2, 13))

MEAN: Final = sum(CARDS) / len(CARDS)
"""What a hidden card is expected to cost."""

CHANCES: Final = tuple(CARDS.count(face) / len(CARDS) for face in FACES)

HOPE_PER_HIDDEN: Final = 0.06
"""The chance that a pair becomes three, per hidden card of the board: about as many turns are left."""

CLOSING_GAIN: Final = 2.0
"""What ending a round before the others are ready is worth, in points."""

LAST_TURN_GAIN: Final = 3.0
"""By how much a last turn lowers a board, in points."""

DOUBT: Final = 4.0
"""How unsure the others' points are when a seat thinks of closing, in points."""

PATIENT_LAPS: Final = 2
"""After so many laps without a hidden card turned up, nobody waits any more before they close."""

Rating = tuple[tuple[float, ...], tuple[int, ...], float, int, float]
"""Of a column: by face, by how much it lowers the cost and in which row; the same for turning a card up; the cost."""

_NONE: Final = 1000.0


def cost_of(first: int, second: int, third: int, hope: float) -> float:
    """Return what a column is expected to cost: nothing if it leaves, less while it might."""
    cost = (
        (MEAN if first == HIDDEN else first)
        + (MEAN if second == HIDDEN else second)
        + (MEAN if third == HIDDEN else third)
    )
    if first == HIDDEN:
        has_pair = second != HIDDEN and second == third
    else:
        has_pair = first in (second, third)
        if has_pair and second == third:
            return 0.0
        has_pair = has_pair or (second != HIDDEN and second == third)
    return cost * (1.0 - hope) if has_pair and cost > 0 else cost


@cache
def rating_of(first: int, second: int, third: int, hidden: int) -> Rating:
    """Return the rating of a column on a board with so many hidden cards; 0 when the round is closed."""
    hope = HOPE_PER_HIDDEN * hidden
    now = cost_of(first, second, third, hope)
    cells = (first, second, third)
    gains, rows = [], []
    placed: list[list[float]] = []
    for face in FACES:
        costs = []
        for row in range(ROWS):
            laid = [*cells]
            laid[row] = face
            costs.append(cost_of(laid[0], laid[1], laid[2], hope) - now)
        placed.append(costs)
        row = min(range(ROWS), key=costs.__getitem__)
        gains.append(costs[row])
        rows.append(row)
    flip, flip_row = _NONE, -1
    for row in range(ROWS):
        if cells[row] == HIDDEN:
            mean = sum(chance * costs[row] for chance, costs in zip(CHANCES, placed, strict=True))
            if mean < flip:
                flip, flip_row = mean, row
    return tuple(gains), tuple(rows), flip, flip_row, now


def take_turn(table: SkyjoTable) -> None:
    """Play the turn of the seat whose turn it is, or the rest of it, with an eye on no hidden card."""
    seat = table.turn
    board, hidden = table.faces[seat], table.hidden[seat]
    left = hidden.bit_count() if table.closer < 0 else 0
    if left == 1:
        _near_the_end(table)
        return
    starts, ratings = [], []
    for start in (0, 3, 6, 9):
        if board[start] != EMPTY:
            starts.append(start)
            ratings.append(
                rating_of(
                    HIDDEN if hidden >> start & 1 else board[start],
                    HIDDEN if hidden >> start + 1 & 1 else board[start + 1],
                    HIDDEN if hidden >> start + 2 & 1 else board[start + 2],
                    left,
                )
            )
    flips = [rating[2] for rating in ratings]
    flip = min(flips)
    if table.drawn == EMPTY:
        face = table.discard[-1] + 2
        take = min([rating[0][face] for rating in ratings])
        # One more column of nothing but turning a card up: a drawn card is never worth less.
        best = map(min, (flip,) * len(FACES), *[rating[0] for rating in ratings])
        drawn = sum(map(mul, CHANCES, best))
        if take <= drawn:
            column = [rating[0][face] for rating in ratings].index(take)
            table.make(16 + starts[column] + ratings[column][1][face])
            return
        table.draw()
    face = table.drawn + 2
    gains = [rating[0][face] for rating in ratings]
    gain = min(gains)
    if gain <= flip:
        column = gains.index(gain)
        table.make(32 + starts[column] + ratings[column][1][face])
    else:
        column = flips.index(flip)
        table.make(48 + starts[column] + ratings[column][3])


@cache
def _beside_the_last(one: int, other: int) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """Return, by face, by how much it lowers the cost of a column if it replaces one of two open cards, and which.

    The third card lies face down, and stays so.
    """
    now = cost_of(HIDDEN, one, other, HOPE_PER_HIDDEN)
    gains, which = [], []
    for face in FACES:
        costs = (
            cost_of(HIDDEN, face, other, HOPE_PER_HIDDEN) - now,
            cost_of(HIDDEN, one, face, HOPE_PER_HIDDEN) - now,
        )
        gains.append(min(costs))
        which.append(costs.index(min(costs)))
    return tuple(gains), tuple(which)


def _near_the_end(table: SkyjoTable) -> None:
    """Play a turn with one hidden card left: using it closes the round."""
    seat = table.turn
    board = table.faces[seat]
    last = table.hidden[seat].bit_length() - 1
    home = last - last % ROWS
    beside = [slot for slot in (home, home + 1, home + 2) if slot != last]
    one, other = board[beside[0]], board[beside[1]]
    now, points, starts, gains = cost_of(HIDDEN, one, other, HOPE_PER_HIDDEN), 0.0, [home], []
    pair_gains, pair_rows = _beside_the_last(one, other)
    gains.append(pair_gains)
    ratings = []
    for start in (0, 3, 6, 9):
        if start != home and board[start] != EMPTY:
            rating = rating_of(board[start], board[start + 1], board[start + 2], 1)
            starts.append(start)
            ratings.append(rating)
            gains.append(rating[0])
            now += rating[4]
            points += board[start] + board[start + 1] + board[start + 2]
    closing = _closing(table, seat, points, one, other)
    flip = sum(map(mul, CHANCES, closing))
    swapping = list(map(min, *gains)) if len(gains) > 1 else gains[0]

    def place(offset: int, face: int) -> None:
        if closing[face] <= now + swapping[face]:
            table.make(offset + last)
            return
        column = [each[face] for each in gains].index(swapping[face])
        row = beside[pair_rows[face]] if not column else starts[column] + ratings[column - 1][1][face]
        table.make(offset + row)

    if table.drawn == EMPTY:
        face = table.discard[-1] + 2
        least = [min(flip, close, now + swap) for close, swap in zip(closing, swapping, strict=True)]
        if min(closing[face], now + swapping[face]) <= sum(map(mul, CHANCES, least)):
            place(16, face)
            return
        table.draw()
    face = table.drawn + 2
    if min(closing[face], now + swapping[face]) <= flip:
        place(32, face)
    else:
        table.make(48 + last)


def _closing(table: SkyjoTable, seat: int, others: float, one: int, other: int) -> list[float]:
    """Return, by the face that closes the round beside two open cards, what the board is then expected to cost."""
    rival = _lowest_rival(table, seat)
    patience = max(0.0, 1.0 - table.idle / (PATIENT_LAPS * table.seats))
    found = []
    for face in FACES:
        points = others if face == one == other else others + face + one + other
        if points > 0 and patience:
            points += points * patience / (1.0 + math.exp((rival - points) / DOUBT))
        found.append(points - CLOSING_GAIN)
    return found


def _lowest_rival(table: SkyjoTable, seat: int) -> float:
    """Return the fewest points that another seat can be expected to end the round with."""
    lowest = _NONE
    for other in range(table.seats):
        if other != seat:
            hidden, points = table.hidden[other], -LAST_TURN_GAIN
            for slot, face in enumerate(table.faces[other]):
                if face != EMPTY:
                    points += MEAN if hidden >> slot & 1 else face
            lowest = min(lowest, points)
    return lowest
