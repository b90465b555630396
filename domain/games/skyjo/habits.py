"""How seats play while a bot plays out what might happen: quickly, and sensibly enough.

Each column is rated by what it is expected to cost, each card by where it lowers that most. Ratings are kept, because
the same columns come again and again.
"""

import math
from functools import cache, lru_cache
from operator import mul
from typing import Final

from domain.games.skyjo.cards import CARDS, ROWS, SLOTS
from domain.games.skyjo.simulator import EMPTY, HIDDEN, NO_COLUMN, SkyjoTable

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

_NONE: Final = 1000.0


def cost_of(first: int, second: int, third: int, hope: float) -> float:
    """Return what a column is expected to cost: nothing if it leaves, less while it might. Cells as they look."""
    cost = (
        (MEAN if first == HIDDEN else first - 2)
        + (MEAN if second == HIDDEN else second - 2)
        + (MEAN if third == HIDDEN else third - 2)
    )
    if first == HIDDEN:
        has_pair = second != HIDDEN and second == third
    else:
        has_pair = first in (second, third)
        if has_pair and second == third:
            return 0.0
        has_pair = has_pair or (second != HIDDEN and second == third)
    return cost * (1.0 - hope) if has_pair and cost > 0 else cost


Rating = tuple[tuple[float, ...], tuple[int, ...], float, int, float, float]
"""What a column offers: by face from -2, by how much it lowers what the column costs (below 0) and in which row; the
same for turning a card up, on average; what it costs now; by how much a drawn card lowers it that may be thrown away.
"""


class _Ratings(dict[int, Rating]):
    """By look, the ratings of columns on a board with so many hidden cards; 0 when the round is closed."""

    def __init__(self, hidden: int) -> None:
        super().__init__()
        self._hope = HOPE_PER_HIDDEN * hidden
        # A column that has left the board offers nothing, and costs nothing.
        self[NO_COLUMN] = ((_NONE,) * len(FACES), (0,) * len(FACES), _NONE, -1, 0.0, 0.0)

    def __missing__(self, look: int) -> Rating:
        hope = self._hope
        cells = look >> 8, look >> 4 & 15, look & 15
        now = cost_of(*cells, hope)
        gains, rows = [], []
        placed: list[list[float]] = []
        for face in range(len(FACES)):
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
        drawn = sum(chance * min(0.0, gain) for chance, gain in zip(CHANCES, gains, strict=True))
        rating = self[look] = tuple(gains), tuple(rows), flip, flip_row, now, drawn
        return rating


_RATINGS: Final = tuple(map(_Ratings, range(SLOTS + 1)))
"""By the number of hidden cards. They are kept, because the same columns come again and again."""


class _Sums(dict[int, float]):
    """By look, what a column costs if nothing more happens to it, with the mean for hidden cards."""

    def __missing__(self, look: int) -> float:
        cells = look >> 8, look >> 4 & 15, look & 15
        self[look] = found = sum(MEAN if cell == HIDDEN else cell - 2 for cell in cells)
        return found


_SUMS: Final = _Sums({NO_COLUMN: 0.0})


def take_turn(table: SkyjoTable, closing_gain: float = CLOSING_GAIN) -> None:
    """Play the turn of the seat whose turn it is, or the rest of it, with an eye on no hidden card.

    Args:
        table: The table.
        closing_gain: What ending the round before the others are ready is worth to the seat, in points.
    """
    seat = table.turn
    left = table.hidden[seat].bit_count() if table.closer < 0 else 0
    if left == 1:
        _near_the_end(table, closing_gain)
        return
    ratings = _RATINGS[left]
    one, two, three, four = table.looks[seat]
    gains1, rows1, flip1, row1, _, drawn1 = ratings[one]
    gains2, rows2, flip2, row2, _, drawn2 = ratings[two]
    gains3, rows3, flip3, row3, _, drawn3 = ratings[three]
    gains4, rows4, flip4, row4, _, drawn4 = ratings[four]
    flip = min(flip1, flip2, flip3, flip4)
    if table.drawn == EMPTY:
        face = table.discard[-1] + 2
        gains = (gains1[face], gains2[face], gains3[face], gains4[face])
        take = min(gains)
        # A drawn card is never worth less than to turn one up, nor than its best use in a single column.
        if (
            take <= flip
            and (flip > 0 or take <= min(drawn1, drawn2, drawn3, drawn4))
            and take <= _drawn(flip, gains1, gains2, gains3, gains4)
        ):
            column = gains.index(take)
            table.pass_over()
            table.make(16 + 3 * column + (rows1, rows2, rows3, rows4)[column][face])
            return
        table.draw()
    face = table.drawn + 2
    gains = (gains1[face], gains2[face], gains3[face], gains4[face])
    gain = min(gains)
    if gain <= flip:
        column = gains.index(gain)
        table.make(32 + 3 * column + (rows1, rows2, rows3, rows4)[column][face])
    else:
        column = (flip1, flip2, flip3, flip4).index(flip)
        table.make(48 + 3 * column + (row1, row2, row3, row4)[column])


def _drawn(flip: float, *gains: tuple[float, ...]) -> float:
    """Return what the best use of a drawn card changes, on average."""
    return sum(map(mul, CHANCES, map(min, (flip,) * len(FACES), *gains)), 0.0)


@cache
def _beside_the_last(look: int) -> Rating:
    """Return the rating of a column whose only hidden card is the last one of the board, and stays hidden."""
    cells = look >> 8, look >> 4 & 15, look & 15
    now = cost_of(*cells, HOPE_PER_HIDDEN)
    gains, rows = [], []
    for face in range(len(FACES)):
        costs = {}
        for row in range(ROWS):
            if cells[row] != HIDDEN:
                laid = [*cells]
                laid[row] = face
                costs[row] = cost_of(laid[0], laid[1], laid[2], HOPE_PER_HIDDEN) - now
        rows.append(min(costs, key=costs.__getitem__))
        gains.append(costs[rows[-1]])
    return tuple(gains), tuple(rows), _NONE, -1, now, 0.0


def _near_the_end(table: SkyjoTable, closing_gain: float) -> None:
    """Play a turn with one hidden card left: using it closes the round."""
    seat = table.turn
    looks = table.looks[seat]
    last = table.hidden[seat].bit_length() - 1
    home = last // ROWS
    offers = [_RATINGS[1][look] for look in looks]
    offers[home] = _beside_the_last(looks[home])
    one, two, three, four = [offer[0] for offer in offers]
    now = closing_gain + sum([offer[4] for offer in offers])
    patience = max(0.0, 1.0 - table.idle / (PATIENT_LAPS * table.seats))
    points = sum([_SUMS[look] for column, look in enumerate(looks) if column != home])
    closing, flip = _closing(points, looks[home], round(_lowest_rival(table, seat)), patience)

    def place(offset: int, face: int) -> None:
        gains = (one[face], two[face], three[face], four[face])
        gain = min(gains)
        if closing[face] <= now + gain:
            table.make(offset + last)
        else:
            column = gains.index(gain)
            table.make(offset + 3 * column + offers[column][1][face])

    if table.drawn == EMPTY:
        face = table.discard[-1] + 2
        best = min(closing[face], now + min(one[face], two[face], three[face], four[face]))
        if best <= flip:
            swaps = map(now.__add__, map(min, one, two, three, four))
            if best <= sum(map(mul, CHANCES, map(min, (flip,) * len(FACES), closing, swaps))):
                table.pass_over()
                place(16, face)
                return
        table.draw()
    face = table.drawn + 2
    if min(closing[face], now + min(one[face], two[face], three[face], four[face])) <= flip:
        place(32, face)
    else:
        table.make(48 + last)


@lru_cache(8192)
def _closing(others: float, look: int, rival: int, patience: float) -> tuple[tuple[float, ...], float]:
    """Return, by the face that closes the round in a column, what the board is then expected to cost.

    The second number is what it costs on average. What closing gains is not counted.

    Args:
        others: What the other columns cost.
        look: How the column with the last hidden card looks.
        rival: The fewest points that another seat can be expected to have.
        patience: How much of the doubling is feared, from 0 to 1.
    """
    one, other = [cell for cell in (look >> 8, look >> 4 & 15, look & 15) if cell != HIDDEN]
    found = []
    for face in range(len(FACES)):
        points = others if face == one == other else others + face + one + other - 6
        if points > 0 and patience:
            points += points * patience / (1.0 + math.exp((rival - points) / DOUBT))
        found.append(points)
    return tuple(found), sum(map(mul, CHANCES, found))


def _lowest_rival(table: SkyjoTable, seat: int) -> float:
    """Return the fewest points that another seat can be expected to end the round with."""
    sums = [sum([_SUMS[look] for look in looks]) for looks in table.looks]
    del sums[seat]
    return min(sums) - LAST_TURN_GAIN
