"""``tablee end``."""

import click

from api.command_line.acting import carry_out, reason_option
from api.command_line.options import Location, json_option, location_options
from api.command_line.values import MatchId
from domain.match.commands import EndMatch


@click.command()
@click.argument("match", type=MatchId())
@reason_option
@json_option
@location_options
def end(*, match: str, reason: str, as_json: bool, location: Location) -> None:
    """End a match with its present ranking.

    For matches that cannot go on. The log names the operator and the reason, and everybody at the table reads both.
    """
    carry_out(location, "tablee end", match, EndMatch(reason), as_json=as_json)
