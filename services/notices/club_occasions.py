"""What a club's own channel may tell of its tables: that one waits for players, who is to move, how a match ended.

Pure. The occasions are named as a person's are, with the club in the place of the player.
"""

from collections.abc import Iterator
from itertools import groupby
from typing import Final

from domain.match.fold import Position
from domain.match.state import OVER
from services.notices.occasions import Kind, Name, Occasion, standing

CLUB_KINDS: Final[tuple[Kind, ...]] = ("opened", "result", "awaited")
"""The kinds that the hosts of a club choose about."""

CLUB_KINDS_BY_DEFAULT: Final[tuple[Kind, ...]] = ("opened", "result")


def club_occasions(position: Position, club: str) -> Iterator[Occasion]:
    """Yield what a match gives its club to tell now."""
    state, match = position.state, position.match
    if state.lifecycle.phase in OVER:
        yield Occasion(Name(match, club, "result", "ended"), position.at)
    elif state.lifecycle.phase == "gathering":
        if any(seat.kind == "open" for seat in state.seats):
            yield Occasion(Name(match, club, "opened", "opened"), position.at)
    else:
        # Who is asked by the same event is named together.
        turns = sorted((one for one in standing(position) if one.name.kind == "turn"), key=_turn)
        for turn, several in groupby(turns, key=_turn):
            first = next(several)
            yield Occasion(Name(match, club, "awaited", turn), first.since, first.deadline)


def awaited_seats(position: Position, turn: str) -> list[int]:
    """Return the seats of those who are asked by one event and have not moved."""
    asked = {
        one.name.player for one in standing(position) if one.name.kind == "turn" and one.name.turn == turn
    }
    return [number for number, seat in enumerate(position.state.seats) if seat.player in asked]


def _turn(occasion: Occasion) -> str:
    return occasion.name.turn
