"""Through whose eyes a match is shown: ``--as``."""

import re
from typing import Final

import click

from api.command_line.values import Eyes
from domain.match.fold import Position
from domain.match.state import OVER
from domain.viewers import EVERYTHING, SPECTATOR, Viewer

_SEAT: Final = re.compile(r"seat(\d{1,3})").fullmatch

eyes_option = click.option(
    "--as",
    "eyes",
    type=Eyes(),
    metavar="WHO",
    help="Who looks: spectator, seat0, seat1, ... or everything.  "
    "[default: everything once the match is over, else spectator]",
)


def check_unsealing(eyes: str | None, reason: str | None) -> None:
    """Refuse a reason for looking at what is sealed without a word on whose eyes are to look.

    Raises:
        click.UsageError: There is a reason, and nothing is sealed for the eyes.
    """
    if reason is not None and eyes in {None, "spectator"}:
        raise click.UsageError(
            "--unseal needs --as: say whose eyes are to look, seat0, seat1, ... or everything."
        )


def viewer_named(eyes: str | None, head: Position) -> Viewer:
    """Return whose eyes to use.

    Args:
        eyes: What ``--as`` says.
        head: The match at its head.

    Raises:
        click.UsageError: There are no such eyes.
    """
    if eyes is None:
        return EVERYTHING if head.state.lifecycle.phase in OVER else SPECTATOR
    if eyes == "spectator":
        return SPECTATOR
    if eyes == "everything":
        return EVERYTHING
    seat = _SEAT(eyes)
    if seat is None or int(seat[1]) >= len(head.state.seats):
        last = len(head.state.seats) - 1
        raise click.UsageError(f"--as takes spectator, everything, or seat0 to seat{last} at this table.")
    return Viewer(int(seat[1]))
