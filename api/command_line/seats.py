"""Seats on the operators' command line: counted from 0, as in the log, and told with the name of who sits there."""

from typing import Final

import click

from domain.match.state import Match
from services.people.player_names import PlayerNames

_PREFIX: Final = "seat"


class SeatNumber(click.ParamType[int]):
    """A seat as it stands in logs and in ``--as``: ``seat0``, or just ``0``."""

    name = "seat"

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number of the seat."""
        digits = str(value).removeprefix(_PREFIX)
        if not (digits.isascii() and digits.isdecimal() and len(digits) < 4):  # noqa: PLR2004 - far above any table
            self.fail(f"{value} is no seat: seat0 is the first one, seat1 the next.", param, ctx)
        return int(digits)


async def seat_called(names: PlayerNames, state: Match, seat: int) -> str:
    """Return a seat's number with the name of who sits there: ``0 (Anna)``.

    Raises:
        StoreUnavailable: The server did not answer.
    """
    if not 0 <= seat < len(state.seats):
        return str(seat)
    return (await seats_called(names, state))[seat]


async def seats_called(names: PlayerNames, state: Match) -> tuple[str, ...]:
    """Return the same for all seats of a match. See :func:`seat_called`."""
    found = await names.of([seat.player for seat in state.seats])
    return tuple(f"{seat} ({name})" if name else str(seat) for seat, name in enumerate(found))
