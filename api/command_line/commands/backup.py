"""``tablee backup``."""

import asyncio
import time
from pathlib import Path

import click

from api.command_line.call import Call, call_options, require_good
from api.command_line.group import CommandFailed
from api.command_line.output import number_of, tell
from api.command_line.progress import show_progress
from services.audit.digest_format import read_digest
from services.audit.errors import DigestUnreadable
from services.bootstrap import present_instant
from services.bootstrap.clients import COMMAND, client_of_log
from services.log.archive.storage import S3, storage_at
from services.log.backup.errors import BackupUnreadable
from services.log.backup.file import Manifest, checked
from services.log.backup.last import LastBackup, note_backup
from services.log.backup.making import Counts, Source, make_backup
from services.log.backup.proving import Unproven, unproven_in
from services.process.settings import Settings, present_secret

_EVERY = 100


@click.command()
@click.argument("target", metavar="FILE|FOLDER", type=click.Path(path_type=Path))
@click.option(
    "--without-archive", is_flag=True, help="Leave the archive's folder out, because it is saved elsewhere."
)
@click.option(
    "--check", is_flag=True, help="Only read FILE, and say whether it and all that it keeps are intact."
)
@call_options()
def backup(*, target: Path, without_archive: bool, check: bool, call: Call) -> None:
    """Write everything that a new machine needs into a file. The service may be running or not.

    The file holds everything that was acknowledged before the backup began: matches with the commands that they
    remember, tokens, sessions, names, the archive's folder, digests, and the installation's secret. It is read back and
    compared before it gets its name. A FILE ends in .tar. In a FOLDER, which must exist, the file is named after the
    time. An older file is never overwritten. What is broken here, such as a log or a damaged file of the archive, is
    saved as it is and named, with exit code 1.

    Whoever has the file has the secret and can see all cards. Only its owner can read it (mode 0600); keep it that way.
    `tablee restore` puts it on a new machine.
    """
    if check:
        require_good(_is_good(call, target))
        return
    settings = call.location.settings()
    file = _file_to_write(target)
    if file.exists():
        raise CommandFailed(f"{file} exists already; name another file, or a folder.")
    secret = _present_secret(settings)
    address = settings.archive_address
    archive = None if without_archive or address.startswith(S3) else storage_at(address)
    with call.log() as log:
        begun = time.monotonic()
        manifest = asyncio.run(_made(Source(log.url, archive, secret), file))
        broken = _unproven(file, manifest)
        _tell(call, file, manifest, broken, time.monotonic() - begun)
    if address.startswith(S3):
        tell(f"tablee: the archive {address} is not in the backup: its bucket must be kept by other means.")
    for one in broken:
        since = f", broken from event {one.version} on" if one.version else ""
        tell(f"tablee: {one.what} is in it as it is here{since}: {one.detail}.")
    require_good(not broken)


def _file_to_write(target: Path) -> Path:
    """Return the named file, or one named by the time; a folder whose disk is missing must not become a file."""
    if target.is_dir():
        return target / f"tablee-{present_instant()[:19].replace(':', '')}Z.tar"
    if target.suffix != ".tar" and not target.exists():
        raise CommandFailed(
            f"There is no folder {target}; is its disk mounted? Make it first, or name a file that ends in .tar."
        )
    return target


async def _made(source: Source, file: Path) -> Manifest:
    begun = time.monotonic()
    manifest = await make_backup(source, file, present_instant, _progress)
    show_progress("")
    size = (await asyncio.to_thread(file.stat)).st_size
    async with await client_of_log(source.url, COMMAND) as log_client:
        await note_backup(log_client, LastBackup(manifest.began, size, round(time.monotonic() - begun, 3)))
    return manifest


def _present_secret(settings: Settings) -> bytes:
    """Return the installation's secret, and never make one: a backup with a new one would open nothing."""
    secret = present_secret(settings)
    if secret is None:
        raise CommandFailed(
            f"There is no secret in {settings.data_folder}. Name the installation's data folder with --data FOLDER, "
            "or give its secret as TABLEE_SECRET or TABLEE_SECRET_FILE."
        )
    return secret


def _is_good(call: Call, file: Path) -> bool:
    try:
        manifest = checked(file)
        broken = _unproven(file, manifest)
    except BackupUnreadable as error:
        found = {"file": str(file), "good": False, "code": error.code, "detail": error.detail}
        call.say(found, f"BAD   {file}: {error.detail}.")
        return False
    except OSError as error:
        raise CommandFailed(f"{file} cannot be read: {error.strerror or error}.") from error
    found = {"file": str(file), "good": not broken, "manifest": manifest, "broken": broken}
    lines = [
        f"BAD   {one.what}{f'  event {one.version}' if one.version else ''}: {one.detail}." for one in broken
    ]
    if broken:
        lines.append(f"      {file} is as it was written, and keeps these as they were then.")
    call.say(found, *lines, f"{'BAD ' if broken else 'good'}  {file}  {told_of(manifest)}")
    return not broken


def _unproven(file: Path, manifest: Manifest) -> tuple[Unproven, ...]:
    found = tuple(unproven_in(file, manifest, _problem_of_digest, _proving))
    show_progress("")
    return found


def _problem_of_digest(content: bytes) -> str:
    try:
        read_digest(content)
    except DigestUnreadable as error:
        return error.detail
    return ""


def told_of(manifest: Manifest) -> str:
    """Return what a backup holds, in a line."""
    archive = f"{manifest.archived} archived" if manifest.archive else "the archive left out"
    return (
        f"{number_of(manifest.matches, 'match', 'matches')} with {number_of(manifest.events, 'event')}, "
        f"{number_of(manifest.tombstones, 'tombstone')}, {archive}, {number_of(manifest.digests, 'digest')}, "
        f"{manifest.keys} tokens, sessions and names; begun {manifest.began}"
    )


def _tell(call: Call, file: Path, manifest: Manifest, broken: tuple[Unproven, ...], seconds: float) -> None:
    size = file.stat().st_size
    proven = f"all but {len(broken)} proven" if broken else "all of it proven"
    told = {"file": str(file), "bytes": size, "seconds": round(seconds, 3)}
    call.say(
        {**told, "manifest": manifest, "broken": broken},
        f"{file}  {size / 1e6:.2f} MB in {seconds:.1f} s, read back, compared, {proven}.",
        f"In it: {told_of(manifest)}.",
        "It holds the installation's secret: keep it where nobody else can read it.",
    )


def _proving(matches: int) -> None:
    if matches % _EVERY == 0:
        show_progress(f"{matches} matches proven")


def _progress(counts: Counts) -> None:
    matches = counts.matches + counts.tombstones
    show_progress(f"{matches} matches, {counts.keys} other keys, {counts.archived} files of the archive")
