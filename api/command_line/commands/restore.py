"""``tablee restore``."""

import asyncio
import contextlib
import os
import shutil
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import click
import msgspec

from api.command_line.call import Call, call_options, require_good
from api.command_line.calling import suggested
from api.command_line.commands.backup import told_of
from api.command_line.group import CommandFailed
from api.command_line.many import chained, proven, shown, spread
from api.command_line.opening import LogAddress
from api.command_line.output import number_of
from api.command_line.progress import show_progress
from domain.match.verification import Verdict
from services.log.archive.storage import S3, storage_at
from services.log.backup.errors import BackupUnreadable, RestoreRefused
from services.log.backup.file import SECRET, Manifest, checked
from services.log.backup.restoring import require_empty, restore_archive, restore_store, secret_in
from services.log.embedded.session import running_stores
from services.log.synced_folders import sync_folder
from services.process.settings import Settings, installation_secret

_PURPOSE = "tablee restore"

_Judge = Callable[[LogAddress, tuple[str, ...]], list[Verdict]]


class _Restored(msgspec.Struct, frozen=True):
    """What came of it.

    Attributes:
        matches: Matches whose logs are good.
        bad: Those that are not: the backup has them as they were.
        seconds: How long it took, with verifying.
    """

    file: str
    data: str
    matches: int
    bad: tuple[Verdict, ...]
    files: int
    seconds: float
    manifest: Manifest


@click.command()
@click.argument("file", metavar="FILE", type=click.Path(path_type=Path, dir_okay=False))
@click.option(
    "--jobs",
    type=click.IntRange(1, 64),
    default=2,
    show_default=True,
    help="How many processes check the matches.",
)
@click.option(
    "--prove", is_flag=True, help="Also prove seals and deals, as `tablee verify` does. This takes minutes."
)
@call_options()
def restore(*, file: Path, jobs: int, prove: bool, call: Call) -> None:
    """Restore a backup into a data folder that is new or empty.

    The command first checks every byte of the backup. Then it writes everything, follows the chain of every match in
    store and archive, and compares it with the match's record. With --redis URL the log goes to that server, which must
    be empty. Afterwards `tablee up` goes on where the backup began, with running matches, tokens, browsers, bots and
    digests. A restore that fails leaves no data folder behind.
    """
    begun = time.monotonic()
    settings = call.location.settings()
    manifest = _checked(file)
    with _draft_of(settings.data_folder) as draft:
        _put_secret(draft, secret_in(file), settings)
        verdicts, files = _restored(file, manifest, settings, draft, proven if prove else chained, jobs)
    bad = tuple(verdict for verdict in verdicts if not verdict.good)
    seconds = round(time.monotonic() - begun, 3)
    good = len(verdicts) - len(bad)
    _tell(call, _Restored(str(file), str(settings.data_folder), good, bad, files, seconds, manifest))
    require_good(not bad)


def _checked(file: Path) -> Manifest:
    try:
        return checked(file)
    except BackupUnreadable as error:
        raise CommandFailed(f"{file} cannot be restored: {error.detail}.") from error
    except OSError as error:
        raise CommandFailed(f"{file} cannot be read: {error.strerror or error}.") from error


@contextlib.contextmanager
def _draft_of(folder: Path) -> Iterator[Path]:
    """Give a folder that becomes the data folder when all is done, and vanishes if it is not."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise CommandFailed(
            f"{folder} is not empty; nothing was restored. Name a new folder with --data FOLDER."
        )
    is_there = folder.exists()
    # A folder that is there may be a mount, or stand where its owner may make nothing else: it is filled, not replaced.
    draft = (
        folder / f".restoring.{os.getpid()}"
        if is_there
        else folder.with_name(f".{folder.name}.{os.getpid()}")
    )
    try:
        draft.mkdir(mode=0o700, parents=True)
        yield draft
        if is_there:
            for part in draft.iterdir():
                part.rename(folder / part.name)
        else:
            draft.rename(folder)
        sync_folder(folder if is_there else folder.parent)
    except OSError as error:
        raise CommandFailed(f"{folder} cannot be made: {error.strerror or error}.") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _put_secret(draft: Path, secret: bytes, settings: Settings) -> None:
    given = settings.secret is not None or settings.secret_file is not None
    if given and installation_secret(settings) != secret:
        raise CommandFailed(
            "TABLEE_SECRET or TABLEE_SECRET_FILE gives another secret than the backup's: nobody's token would open "
            "anything. Unset it; the backup's own is put into the data folder."
        )
    with os.fdopen(os.open(draft / SECRET, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as out:
        out.write(secret + b"\n")
        out.flush()
        os.fsync(out.fileno())


def _restored(
    file: Path, manifest: Manifest, settings: Settings, draft: Path, judge: _Judge, jobs: int
) -> tuple[list[Verdict], int]:
    # The archive of the new folder is still in the draft; any other is where it is.
    address = str(draft / "archive") if settings.archive is None else settings.archive_address
    files = asyncio.run(_archive(file, manifest, address))
    with contextlib.ExitStack() as stack:
        url = settings.log_store_url
        if url is None:
            url = stack.enter_context(running_stores(draft, purpose=_PURPOSE)).log_store_url
        try:
            own = settings.log_store_url is None
            matches = asyncio.run(restore_store(file, manifest, url, _progress, own=own))
        except ValueError as error:
            raise CommandFailed(f"{url} cannot be used: {error}") from error
        verdicts = spread(partial(judge, LogAddress(url, address)), matches, jobs)
        return list(shown(verdicts, lambda done: f"{done} of {len(matches)} matches looked through")), files


async def _archive(file: Path, manifest: Manifest, address: str) -> int:
    if not manifest.archive:
        return 0
    if address.startswith(S3):
        raise RestoreRefused(
            f"The backup has the archive with it, and TABLEE_ARCHIVE names {address}. Unset TABLEE_ARCHIVE."
        )
    archive = storage_at(address)
    await require_empty(archive)
    return await restore_archive(file, archive, _progress)


def _tell(call: Call, restored: _Restored) -> None:
    settings = call.location.settings()
    more = f" --redis {settings.log_store_url}" if settings.log_store_url else ""
    call.say(
        restored,
        *(
            f"BAD   {verdict.match}  event {verdict.bad_version}: {verdict.code}: {verdict.detail}"
            for verdict in restored.bad
        ),
        f"The backup holds {told_of(restored.manifest)}.",
        f"Restored into {restored.data} in {restored.seconds:.1f} s: "
        f"{number_of(restored.matches, 'match', 'matches')} good, {len(restored.bad)} bad, "
        f"{number_of(restored.files, 'file')} of the archive.",
        "What was played after the backup was begun is not in it: tell the players.",
        f"Go on with: {suggested('up', settings.data_folder)}{more}",
    )


def _progress(matches: int, files: int) -> None:
    show_progress(f"{matches} matches" if matches else f"{files} files of the archive")
