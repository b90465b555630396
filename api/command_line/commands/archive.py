"""``tablee archive``."""

import click
import msgspec

from api.command_line.call import Call, call_options, require_good
from api.command_line.group import CommandFailed
from api.command_line.values import MATCH_ID
from domain.errors import BrokenLog
from services.bootstrap.log_parts import LogParts
from services.log.archive.archivist import NotClosed
from services.log.archive.closed_matches import ArchiveFailure
from services.log.archive.errors import ArchiveDiffers
from services.process.service_log import configure_logs

_SECONDS_PER_DAY = 86_400
_HELP = "tablee verify MATCH proves a log; when the cause is mended, tablee archive --retry tries again."


class _Told(msgspec.Struct, frozen=True):
    """What was done, and what there is.

    Attributes:
        archived: How many matches were archived now.
        waiting: How many closed matches wait for their time.
        parked: Those that could not be archived.
        place: Where the archive is.
    """

    archived: int
    waiting: int
    parked: list[ArchiveFailure]
    place: str


@click.command()
@click.argument("matches", metavar="[MATCH...]", nargs=-1, type=MATCH_ID)
@click.option("--now", is_flag=True, help="Archive everything that is waiting, at once.")
@click.option("--retry", is_flag=True, help="Try the matches again that could not be archived.")
@click.option("--scan", is_flag=True, help="Look through all matches of the store for closed ones.")
@call_options()
def archive(*, matches: tuple[str, ...], now: bool, retry: bool, scan: bool, call: Call) -> None:
    """Move closed matches from the store's memory to the archive, and show what is waiting.

    The running service does this by itself some days after a match is over. Matches that you name are archived at once.
    The command exits with 1 as long as some match could not be archived.
    """
    # What the service tells of its work goes where its log goes, and only what is wrong.
    configure_logs("console", "warning", process="tablee")
    days = 0 if now else call.location.settings().archive_after_days
    told = call.work(lambda parts: _archived(parts, days, matches, retry=retry, scan=scan))
    call.say(
        told,
        f"{told.archived} archived now, {told.waiting} wait; the archive is {told.place}.",
        *(f"could not be archived: {parked.match}, {parked.at}: {parked.told}" for parked in told.parked),
        *[_HELP] * bool(told.parked),
    )
    require_good(not told.parked)


async def _archived(
    parts: LogParts, grace_days: float, matches: tuple[str, ...], *, retry: bool, scan: bool
) -> _Told:
    archivist, archived = parts.archivist, 0
    for match in matches:
        try:
            archived += bool(await archivist.archive(match))
        except NotClosed as error:
            raise CommandFailed(f"The match {match} goes on: only what is over is archived.") from error
        except (BrokenLog, ArchiveDiffers) as error:
            raise CommandFailed(
                f"The match {match} cannot be archived: {str(error) or error.code}"
            ) from error
    await (archivist.note_all() if scan else parts.follower.follow())
    if retry:
        await archivist.retry_parked()
    if not matches:
        archived += await archivist.archive_waiting(grace_days * _SECONDS_PER_DAY)
    waiting, parked = await parts.closed.waiting(), await parts.closed.dead_letters()
    return _Told(archived, waiting, parked, str(parts.archive.storage))
