"""Last turns of a Skyjo round where the totals settle what they mean for the match, whatever lies hidden."""

from typing import NamedTuple

from domain.games.skyjo.cards import CARDS, GONE, SLOTS, slots_of
from domain.games.skyjo.sampling import unseen
from domain.games.skyjo.scoring import ends_match
from domain.games.skyjo.view import Cell, SkyjoView


def placed(board: tuple[Cell, ...], slot: int, face: int) -> tuple[Cell, ...]:
    """Return a board once a face lies open in a slot."""
    return tuple(face if place == slot else cell for place, cell in enumerate(board))


class Reach(NamedTuple):
    """Which cards others may get hold of.

    Attributes:
        unseen: The cards that a seat does not see, lowest first.
        laid: The card that it lays on the discard pile in this turn, if it knows it.
    """

    unseen: tuple[int, ...]
    laid: tuple[int, ...] = ()


def reach_of(view: SkyjoView) -> Reach:
    """Return the cards that a seat does not see."""
    # A view whose numbers do not add up may leave none; then any card may lie anywhere.
    return Reach(tuple(sorted(unseen(view) or CARDS)))


def wins_after(
    view: SkyjoView, seat: int, board: tuple[Cell, ...], reach: Reach, *, stalls: bool
) -> bool | None:
    """Tell whether a seat's last turn of the round, which leaves such a board, surely wins the match, or loses it.

    Args:
        view: What the seat sees.
        seat: The seat.
        board: Its board after the turn.
        reach: Which cards the others may get hold of.
        stalls: Whether the turn ends the round at once, because nobody has turned up a card for too long.

    Returns:
        True if the match is surely won, alone; False if closing surely loses it; None if neither is sure.
    """
    fewest, most = bounds(board, reach)
    if view.closer is None and not stalls:
        return _closing_wins(view, seat, most, reach)
    seats = len(view.boards)
    last = seat if view.closer is None else view.closer
    still_to_play = {(seat + turn) % seats for turn in range(1, (last - seat) % seats)}
    least = []
    for other in range(seats):
        if other != seat:
            cells = view.boards[other]
            may_play = other in still_to_play and not stalls
            points = fewest_points(view, seat, other, reach) if may_play else bounds(cells, reach)[0]
            if other == view.closer and not stalls and points > 0 and most <= points:
                points *= 2
            least.append(view.totals[other] + points)
    wins = view.totals[seat] + most < min(least)
    return (wins and ends_match((view.totals[seat] + fewest, *least), view.limit)) or None


def bounds(board: tuple[Cell, ...], reach: Reach) -> tuple[int, int]:
    """Return the fewest and the most points that a board costs as it lies, whatever its hidden cards are."""
    fewest = most = 0
    for column in range(SLOTS // 3):
        cells = [board[place] for place in slots_of(column)]
        if GONE in cells:
            continue
        faces = [cell for cell in cells if isinstance(cell, int)]
        hidden = len(cells) - len(faces)
        may_leave = len(set(faces)) <= 1
        if may_leave and not hidden:
            continue
        low, high = sum(faces) + reach.unseen[0] * hidden, sum(faces) + reach.unseen[-1] * hidden
        fewest += min(low, 0) if may_leave else low
        most += max(high, 0) if may_leave else high
    return fewest, most


def _closing_wins(view: SkyjoView, seat: int, points: int, reach: Reach) -> bool | None:
    """Tell whether closing with so many points surely wins the match, alone, or surely loses it; None if neither.

    Each other seat has one more turn. It can lower its board by one card, or one column, and no more.
    """
    rivals = [other for other in range(len(view.boards)) if other != seat]
    fewest = {other: fewest_points(view, seat, other, reach) for other in rivals}
    least = {other: view.totals[other] + fewest[other] for other in rivals}
    highest = {other: bounds(view.boards[other], reach)[1] for other in rivals}
    doubled = 2 * points if points > 0 else points
    best, worst = view.totals[seat] + points, view.totals[seat] + doubled
    if min(fewest.values()) > points:
        worst = best
    if ends_match((worst, *least.values()), view.limit) and worst < min(least.values()):
        # Even if the doubling is what ends it: lower than everybody wins.
        return ends_match((best, *least.values()), view.limit) or None
    if points > 0 and min(highest.values()) <= points:
        best = worst
    most = [view.totals[other] + highest[other] for other in rivals]
    if ends_match((best, *least.values()), view.limit) and best > min(most):
        return False
    return None


def fewest_points(view: SkyjoView, seat: int, other: int, reach: Reach) -> int:
    """Return the fewest points that another seat's board can cost after one more turn."""
    lowest = reach.unseen[0]
    seen = {*reach.laid}
    for third, board in enumerate(view.boards):
        if third not in {seat, other}:
            seen.update(cell for cell in board if isinstance(cell, int))
    available = seen.union(reach.unseen)
    # The lowest unseen cards may lie hidden on its board, and then it cannot draw them.
    drawable = reach.unseen[min(view.boards[other].count(None), len(reach.unseen) - 1)]
    laid = min((drawable, *seen))
    total, gain = 0, 0
    for column in range(SLOTS // 3):
        cells = [view.boards[other][place] for place in slots_of(column)]
        if GONE in cells:
            continue
        faces = [cell for cell in cells if isinstance(cell, int)]
        hidden = len(cells) - len(faces)
        cost = sum(faces) + lowest * hidden
        if len(set(faces)) == 1 and hidden:
            # The hidden cards may be the same, and the column leaves.
            cost = min(cost, 0)
        total += cost
        if faces:
            gain = max(gain, cost - sum(sorted(faces)[:-1]) - lowest * hidden - laid)
        if hidden:
            gain = max(gain, cost - sum(faces) - lowest * (hidden - 1) - laid)
        is_near = len(set(faces)) < len(faces) or hidden
        if is_near and (not faces or available.intersection(faces)):
            gain = max(gain, cost)
    return total - gain
