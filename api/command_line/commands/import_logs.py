"""``tablee import``."""

import asyncio
import contextlib
import shutil
import sys
import tempfile
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import IO, NamedTuple

import click

from api.command_line.call import Call, call_options, require_good
from api.command_line.group import CommandFailed
from api.command_line.opening import LogAddress, NoLogYet, has_log, work_on
from api.command_line.output import tell
from services.bootstrap import present_instant
from services.bootstrap.log_parts import LogParts
from services.log.archive.documents import Document, documents
from services.log.archive.errors import ArchiveDiffers, ImportRefused, UnreadableExport
from services.log.archive.files import lines_of
from services.log.archive.healing import Healer
from services.log.archive.importing import Importer, Taken, proven
from services.log.archive.within_file import WithinFile

_GOOD = "good"

_Work = Callable[[Document], Awaitable[Taken]]


class _Came(NamedTuple):
    """What became of a match: ``refused``, one of :class:`Taken`, or, when only looking, ``good``."""

    match: str
    what: str
    code: str = ""
    detail: str = ""


@click.command("import")
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Only say what would be done.")
@click.option("--skip-refused", is_flag=True, help="If some matches are refused, import the others.")
@click.option(
    "--heal",
    is_flag=True,
    help="Put a sound copy in the place of a match that is damaged here; with --reason.",
)
@click.option("--reason", metavar="TEXT", help="With --heal: why. It is kept beside the match's log.")
@call_options()
def import_logs(
    *, files: tuple[str, ...], check: bool, skip_refused: bool, heal: bool, reason: str | None, call: Call
) -> None:
    """Import matches from export files. FILE may be compressed; - is standard input.

    Every match keeps its id and all its hashes, and comes in whole or not at all: into the archive if it is over, as it
    stands if it is running. The whole file is checked first. If one match in it is refused, none is imported. To import
    a file again changes nothing.

    A match that is damaged here is refused without --heal. With it, a copy that is event by event the same where both
    are good takes its place, in the store or in the archive; one that contradicts a good event is refused. `tablee
    inspect` shows what was healed, when and why.
    """
    if heal is not bool(reason and reason.strip()):
        raise click.UsageError("--heal and --reason TEXT go together.")
    failed = False
    with contextlib.ExitStack() as stack:
        # All are opened first: a name that was mistyped is told before anything is made or taken in.
        opened = [(name, stack.enter_context(_opened(name))) for name in files]
        log = stack.enter_context(call.log()) if has_log(call.location) else None
        for name, file in opened:
            came = _looked_through(log, name, file, reason)
            refused = [one for one in came if one.what == "refused"]
            failed |= bool(refused)
            if not check and refused and not skip_refused:
                came = refused
            elif not check and any(one.what == _GOOD for one in came):
                log = log or stack.enter_context(call.log(make=True))
                file.seek(0)
                came = _taken_in(log, name, file, reason)
            for one in came:
                told = f"  {one.code}: {one.detail}" if one.what == "refused" else ""
                call.say(one._asdict(), f"{one.what:<9} {one.match}{told}")
    if failed and not skip_refused:
        tell("tablee: nothing of a file with a refused match was taken in; see --skip-refused.")
    require_good(not failed)


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


def _looked_through(log: LogAddress | None, name: str, file: IO[bytes], reason: str | None) -> list[_Came]:
    """Tell what would become of a file's matches; where there is no log yet, none is made for that."""
    if log is not None:
        with contextlib.suppress(NoLogYet):
            return work_on(log, lambda parts: _looked_at(_importer(parts, reason).check, name, file))
    return asyncio.run(_looked_at(_check_alone, name, file))


def _importer(parts: LogParts, reason: str | None) -> Importer | Healer:
    if reason is None:
        return Importer(parts.store, parts.archive)
    return Healer(parts.store, parts.live_store, parts.archive, present_instant, reason.strip())


async def _check_alone(document: Document) -> Taken:
    """Tell whether a match can be taken in where there is nothing yet."""
    await asyncio.to_thread(proven, document)
    return Taken.IN


async def _looked_at(check: _Work, name: str, file: IO[bytes]) -> list[_Came]:
    within = WithinFile()

    async def look(document: Document) -> Taken:
        taken = await check(document)
        return within.compare(document) if taken is Taken.IN else taken

    came = await _gone_through(look, name, file)
    would = {Taken.IN, Taken.RESTORED, Taken.HEALED}
    return [one._replace(what=_GOOD) if one.what in would else one for one in came]


def _taken_in(log: LogAddress, name: str, file: IO[bytes], reason: str | None) -> list[_Came]:
    def taken_in(parts: LogParts) -> Awaitable[list[_Came]]:
        return _gone_through(_importer(parts, reason).take, name, file)

    return work_on(log, taken_in, make=True)


async def _gone_through(work: _Work, name: str, file: IO[bytes]) -> list[_Came]:
    came = []
    try:
        for document in documents(lines_of(file)):
            match = document.line.match
            try:
                taken = await work(document)
            except ImportRefused as refusal:
                came.append(_Came(match, "refused", refusal.code, refusal.detail))
            except ArchiveDiffers as refusal:
                came.append(_Came(match, "refused", refusal.code, str(refusal)))
            else:
                came.append(_Came(match, taken.value))
    except UnreadableExport as error:
        raise CommandFailed(
            f"{name} is no whole export, nothing of it was taken in: {error.detail}."
        ) from error
    return came
