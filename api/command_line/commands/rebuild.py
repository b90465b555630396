"""``tablee rebuild``."""

from functools import partial

import click

from api.command_line.call import Call, call_options, require_good
from api.command_line.group import CommandFailed
from api.command_line.opening import work_on
from api.command_line.output import number_of
from api.command_line.progress import show_progress
from services.bootstrap.log_parts import LogParts
from services.process.service_log import configure_logs
from services.projections.errors import AlreadyRebuilding, SetReplaced
from services.projections.generations import Building
from services.projections.matches import NAME
from services.projections.rebuilding import Rebuilt


@click.command()
@click.argument("names", metavar="[PROJECTION...]", nargs=-1, type=click.Choice([NAME]))
@call_options()
def rebuild(*, names: tuple[str, ...], call: Call) -> None:
    """Build a projection, or all of them, anew from the log and the archive.

    A running service carries on: the new rows are made beside the ones in use, and replace them when they are complete.
    Matches that could not be read are tried again. If one still cannot be read, the command exits with 1.
    """
    configure_logs("console", "error", process="tablee")
    with call.log() as log:
        done = [work_on(log, partial(_rebuilt, name)) for name in names or (NAME,)]
    for one in done:
        aside = f"; {one.parked} cannot be taken: tablee doctor tells why" if one.parked else ""
        call.say(one, f"{one.projection}: {number_of(one.rows, 'row')}{aside}.")
    require_good(not any(one.parked for one in done))


async def _rebuilt(name: str, parts: LogParts) -> Rebuilt:
    def report(building: Building) -> None:
        show_progress(f"{name}: {building.read} of {building.of} matches")

    try:
        return await parts.keeper().rebuilder.rebuild(report)
    except (AlreadyRebuilding, SetReplaced) as error:
        raise CommandFailed(f"{name}: {error}") from error
    finally:
        show_progress("")
