"""``tablee import``."""

import asyncio
import shutil
import sys
import tempfile
from pathlib import Path
from typing import IO, NamedTuple

import click

from api.command_line.desk import Desk, desk_at
from api.command_line.group import CommandFailed
from api.command_line.opening import log_address
from api.command_line.options import Place, json_option, place_options
from api.command_line.output import say, say_json, tell
from services.archive.documents import documents
from services.archive.errors import ArchiveDiffers, ImportRefused, UnreadableExport
from services.archive.files import lines_of
from services.archive.importing import Importer, Taken

_SOMETHING_WRONG = 1


class _Came(NamedTuple):
    """What became of a match: ``imported``, ``known``, ``refused`` or, when only looking, ``good``."""

    match: str
    what: str
    code: str = ""
    detail: str = ""


@click.command("import")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Only tell what would be done.")
@click.option("--skip-refused", is_flag=True, help="Take in the others when some are refused.")
@json_option
@place_options
@click.pass_context
def import_logs(
    ctx: click.Context,
    *,
    files: tuple[str, ...],
    check: bool,
    skip_refused: bool,
    as_json: bool,
    data: Path | None,
    redis: str | None,
) -> None:
    """Take matches in from export files; - is standard input. Compressed files are read as they are.

    Every match comes in under its own id with all its hashes, at once or not at all: matches that are over into the
    archive, running ones as they stand. All of a file is looked at first, and nothing of it is taken in when a match
    in it is refused. Doing it again changes nothing.
    """
    place = Place(data, redis)
    failed = False
    with log_address(place, purpose="tablee import", make=not check) as url:
        for name in files:
            came = asyncio.run(_imported(url, place, name, check=check, skip_refused=skip_refused))
            for one in came:
                _say(one, as_json=as_json)
            failed |= any(one.what == "refused" for one in came)
    if failed:
        if not skip_refused:
            tell("tablee: nothing of a file with a refused match was taken in; see --skip-refused.")
        ctx.exit(_SOMETHING_WRONG)


async def _imported(url: str, place: Place, name: str, *, check: bool, skip_refused: bool) -> list[_Came]:
    address = place.settings().archive_address
    with _opened(name) as file:
        async with desk_at(url, address, make=not check) as desk:
            looked = await _gone_through(desk, file, name, take=False)
            refused = {one.match for one in looked if one.what == "refused"}
            if check or (refused and not skip_refused):
                return looked if check else [one for one in looked if one.what == "refused"]
            file.seek(0)
            return await _gone_through(desk, file, name, take=True)


def _opened(name: str) -> IO[bytes]:
    """Open a file that can be read twice."""
    if name != "-":
        try:
            return Path(name).open("rb")
        except OSError as error:
            raise CommandFailed(f"{name} cannot be read: {error.strerror}.") from error
    spooled = tempfile.TemporaryFile()  # noqa: SIM115 - the caller closes it
    shutil.copyfileobj(sys.stdin.buffer, spooled)
    spooled.seek(0)
    return spooled


async def _gone_through(desk: Desk, file: IO[bytes], name: str, *, take: bool) -> list[_Came]:
    importer, came = Importer(desk.log, desk.archive), []
    try:
        for document in documents(lines_of(file)):
            match = document.line.match
            try:
                taken = await (importer.take if take else importer.check)(document)
            except ImportRefused as refusal:
                came.append(_Came(match, "refused", refusal.code, refusal.detail))
            except ArchiveDiffers as refusal:
                came.append(_Came(match, "refused", refusal.code, str(refusal)))
            else:
                came.append(_Came(match, "good" if not take and taken is Taken.IN else taken.value))
    except UnreadableExport as error:
        raise CommandFailed(
            f"{name} is no whole export, nothing of it was taken in: {error.detail}."
        ) from error
    return came


def _say(one: _Came, *, as_json: bool) -> None:
    if as_json:
        say_json(one._asdict())
    elif one.what == "refused":
        say(f"refused   {one.match}  {one.code}: {one.detail}")
    else:
        say(f"{one.what:<9} {one.match}")
