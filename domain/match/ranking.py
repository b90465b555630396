"""The match's ranking: the game's own, with those who resigned behind everybody else."""

from collections.abc import Sequence

from domain.games.contract import GameResult
from domain.match.state import Seat


def ranked(standing: GameResult, seats: Sequence[Seat]) -> tuple[tuple[int, ...], ...]:
    """Return the groups of seats from first place to last.

    Seats that resigned are ranked last whatever their points, the first to leave last of all.
    """
    stayed = tuple(
        group
        for group in (tuple(seat for seat in group if not seats[seat].resigned) for group in standing.ranking)
        if group
    )
    leavers = sorted(
        (number for number, seat in enumerate(seats) if seat.resigned),
        key=lambda number: -seats[number].resigned,
    )
    return *stayed, *((number,) for number in leavers)
