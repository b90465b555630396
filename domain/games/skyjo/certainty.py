"""Closing a round of Skyjo where the totals settle what that means for the match, whatever lies hidden."""

from domain.games.skyjo.cards import CARDS, GONE, SLOTS, slots_of
from domain.games.skyjo.scoring import ends_match
from domain.games.skyjo.view import Cell, SkyjoView

LOWEST = min(CARDS)
HIGHEST = max(CARDS)


def points_after_closing(board: tuple[Cell, ...], slot: int, face: int) -> int:
    """Return what an otherwise open board costs once a face lies in its last hidden slot."""
    cells = [face if place == slot else cell for place, cell in enumerate(board)]
    total = 0
    for column in range(SLOTS // 3):
        first, *others = (cells[place] for place in slots_of(column))
        if first != GONE and not all(cell == first for cell in others):
            total += sum(cell for cell in (first, *others) if isinstance(cell, int))
    return total


def closing_wins(view: SkyjoView, seat: int, points: int) -> bool | None:
    """Tell whether closing with so many points surely wins the match, alone, or surely loses it; None if neither.

    Each other seat has one more turn. It can lower its board by one card, or one column, and no more.
    """
    rivals = [other for other in range(len(view.boards)) if other != seat]
    least = {other: view.totals[other] + fewest_points(view.boards[other]) for other in rivals}
    most = {other: view.totals[other] + most_points(view.boards[other]) for other in rivals}
    doubled = 2 * points if points > 0 else points
    best, worst = view.totals[seat] + points, view.totals[seat] + doubled
    if min(least[other] - view.totals[other] for other in rivals) > points:
        worst = best
    if ends_match((worst, *least.values()), view.limit) and worst < min(least.values()):
        # Even if the doubling is what ends it: lower than everybody wins.
        return ends_match((best, *least.values()), view.limit) or None
    if points > 0 and min(most[other] - view.totals[other] for other in rivals) <= points:
        best = worst
    if ends_match((best, *least.values()), view.limit) and best > min(most.values()):
        return False
    return None


def most_points(board: tuple[Cell, ...]) -> int:
    """Return the most that a board can cost after one more turn in which its seat does no harm to itself."""
    return sum(HIGHEST if cell is None else cell for cell in board if cell != GONE)


def fewest_points(board: tuple[Cell, ...]) -> int:
    """Return the fewest points that a board can cost after one more turn."""
    total, gain = 0, 0
    for column in range(SLOTS // 3):
        cells = [board[place] for place in slots_of(column)]
        if GONE in cells:
            continue
        faces = [cell for cell in cells if isinstance(cell, int)]
        cost = sum(faces) + LOWEST * (len(cells) - len(faces))
        if len(set(faces)) == 1 and len(faces) < len(cells):
            # The hidden cards may be the same, and the column leaves.
            cost = min(cost, 0)
        total += cost
        gain = max(
            gain, cost - sum(sorted(faces)[:-1]) - LOWEST * (len(cells) - len(faces) + 1) if faces else 0
        )
        if len(faces) - len(set(faces)) or len(faces) < len(cells):
            gain = max(gain, cost)
    return total - gain
