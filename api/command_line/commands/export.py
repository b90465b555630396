"""``tablee export``."""

import os
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import IO

import click

from api.command_line.call import Call, call_options, require_good
from api.command_line.eyes import check_unsealing, viewer_of
from api.command_line.group import CommandFailed
from api.command_line.many import Exported, exported, spread
from api.command_line.opening import meta_of, work_on
from api.command_line.options import jobs_option, unseal_option
from api.command_line.output import tell
from api.command_line.remote import Remote, asked, shown
from api.command_line.unsealing import open_log, whole_log
from api.command_line.values import EYES, MATCH_ID
from domain.errors import BrokenLog
from domain.match.fold import beginning, follow
from domain.viewers import SPECTATOR, Viewer
from services.bootstrap.log_parts import LogParts
from services.log.archive.documents import document_of, file_end
from services.log.event_store.contract import Status


@click.command()
@click.argument("matches", metavar="MATCH...", nargs=-1, type=MATCH_ID)
@click.option("--all", "all_matches", is_flag=True, help="All matches, including those in the archive.")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write.  [default: standard output]",
)
@click.option(
    "--as",
    "eyes",
    type=EYES,
    metavar="WHO",
    default="spectator",
    show_default=True,
    help="Who may read a running match: spectator, seat0, seat1, ... or everything. All of a finished match is open.",
)
@unseal_option
@jobs_option
@call_options(json=False, remote=True)
def export(
    *,
    matches: tuple[str, ...],
    all_matches: bool,
    output: Path | None,
    eyes: str,
    unseal: str | None,
    jobs: int,
    call: Call,
) -> None:
    """Write matches into a file, as lines of JSON that anybody can verify. See docs/reference/format.md.

    Complete logs can be imported elsewhere. Matches that are over are exported completely; running ones with --as
    everything --unseal REASON. What a viewer may not see is left out of their file, and it can still be verified.
    """
    if bool(matches) == all_matches:
        raise click.UsageError("Name matches, or say --all, not both.")
    call.refuse_with_server(
        "the token says who looks", unseal=unseal, **{"as": None if eyes == "spectator" else eyes}
    )
    if call.remote is not None:
        _write(output, _shown_by(call.remote, matches))
        return
    check_unsealing(call, eyes, unseal)
    viewer = viewer_of(eyes)
    with call.log() as log:
        chosen = work_on(log, lambda parts: _chosen(parts, matches, viewer, unseal))
        work = partial(exported, log, viewer)
        problems = _write(output, spread(work, chosen, jobs))
    for problem in problems:
        tell(f"tablee: not exported: {problem}")
    require_good(not problems)


def _shown_by(remote: Remote, matches: tuple[str, ...]) -> Iterator[Exported]:
    with asked(remote) as client:
        for match in sorted(set(matches)) or sorted(row.match for row in client.matches()):
            seen = shown(client, match)
            terms, viewer = seen.view["terms"], seen.view["viewer"]
            if seen.over:
                document = document_of(match, terms["game"], terms["rules"], seen.entries)
            else:
                document = document_of(
                    match, terms["game"], terms["rules"], seen.entries, complete=False, seat=viewer
                )
            yield Exported(match, document)


async def _chosen(parts: LogParts, matches: tuple[str, ...], viewer: Viewer, unseal: str | None) -> list[str]:
    chosen = sorted(set(matches)) or sorted([match async for match in parts.store.matches()])
    running = [match for match in chosen if (await meta_of(parts.store, match)).status is Status.OPEN]
    if viewer != SPECTATOR:
        # All seats are looked for before the first log says that it was looked into.
        whole = [match for match in running if await _has_seat(parts, match, viewer)]
        for match in whole:
            await open_log(parts, match, unseal, f"To export {match} with what is hidden in it")
    return chosen


async def _has_seat(parts: LogParts, match: str, viewer: Viewer) -> bool:
    """Tell whether a viewer has a place at a table; a log that does not hold is told of when it is exported."""
    try:
        first = follow(beginning(match), (await whole_log(parts, match))[:1])
    except BrokenLog:
        return False
    seats = len(first.state.seats)
    if viewer.seat is not None and viewer.seat >= seats:
        raise CommandFailed(f"There is no seat{viewer.seat} at {match}, only seat0 to seat{seats - 1}.")
    return True


def _write(output: Path | None, documents: Iterator[Exported]) -> list[str]:
    if output is None:
        return _written(sys.stdout.buffer, documents)
    # Under another name first: a file that bears its name is whole.
    draft = output.with_name(f".{output.name}.{os.getpid()}")
    try:
        with draft.open("wb") as file:
            problems = _written(file, documents)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(output)
    except OSError as error:
        raise CommandFailed(f"{output} cannot be written: {error.strerror}.") from error
    finally:
        draft.unlink(missing_ok=True)
    return problems


def _written(file: IO[bytes], documents: Iterator[Exported]) -> list[str]:
    count, problems = 0, []
    for document in documents:
        if document.problem:
            problems.append(f"{document.match}: {document.problem}")
            continue
        file.write(document.document)
        count += 1
    file.write(file_end(count))
    file.flush()
    return problems
