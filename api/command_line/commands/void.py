"""``tablee void``."""

import click

from api.command_line.acting import carry_out, reason_option
from api.command_line.options import Location, json_option, location_options
from api.command_line.values import MatchId
from domain.match.commands import VoidMatch


@click.command()
@click.argument("match", type=MatchId())
@reason_option
@json_option
@location_options
def void(*, match: str, reason: str, as_json: bool, location: Location) -> None:
    """End a match without a result.

    Everything sealed is opened, so that anybody can check the deals. The log names the operator and the reason.
    """
    carry_out(location, "tablee void", match, VoidMatch(reason), as_json=as_json)
