"""``tablee hand-over``."""

import click

from api.command_line.acting import carry_out, reason_option
from api.command_line.options import Location, json_option, location_options
from api.command_line.seats import SeatNumber
from api.command_line.values import MatchId
from domain.match.commands import HandSeatOver
from domain.match.levels import DEFAULT_LEVEL, LEVELS


@click.command("hand-over")
@click.argument("match", type=MatchId())
@click.argument("seat", type=SeatNumber())
@reason_option
@click.option(
    "--level",
    default=DEFAULT_LEVEL,
    show_default=True,
    type=click.Choice(LEVELS),
    help="The level of the bot.",
)
@json_option
@location_options
def hand_over(*, match: str, seat: int, reason: str, level: str, as_json: bool, location: Location) -> None:
    """Let a bot play for somebody who is away, until they come back and take their seat again.

    SEAT counts from 0, as in the log: seat0, or just 0, is the seat that pages call 1. The answer names the person.
    """
    command = HandSeatOver(seat, reason, level)
    told = "Seat {seat} is played by a bot now."
    carry_out(location, "tablee hand-over", match, command, as_json=as_json, told=told)
