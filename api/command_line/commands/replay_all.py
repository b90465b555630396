"""``tablee replay-all``."""

import asyncio
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import click
import msgspec

from api.command_line.group import CommandFailed
from api.command_line.opening import LogAddress, log_address, work_on
from api.command_line.options import Location, json_option, location_options
from api.command_line.output import number_of, say, say_json
from services.bootstrap.parts import LogParts
from services.log.proof import Readable, read_what_can_be
from services.matches.refolding import Baseline, Refolded, baseline_of, read_baselines, rejudge

Result = TypeVar("Result")

_SOMETHING_WRONG = 1
_PIECE = 64
"""How many matches a process takes at once."""


@click.command("replay-all")
@click.option(
    "--write",
    "written",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write what every match folds to into a file, for the next release to compare with.",
)
@click.option(
    "--against",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Compare with a file that --write wrote.",
)
@click.option(
    "--fold-only",
    is_flag=True,
    help="Do not decide every command again: in a quarter of the time, but blind to a rule that has changed.",
)
@json_option
@location_options
@click.pass_context
def replay_all(
    ctx: click.Context,
    *,
    written: Path | None,
    against: Path | None,
    fold_only: bool,
    as_json: bool,
    data: Path | None,
    redis: str | None,
) -> None:
    """Prove that this release reads and judges every stored match as before. Nothing is changed.

    Every match is folded and verified, and every command is decided again, as by `tablee verify --all`. So a rule that
    has changed is found, and an event or a field of a newer release.

    Before an upgrade, the old release writes a file with --write. The new release compares with that file, with
    --against. The command names the first event that is wrong, or that leads to another state, and exits with 1.
    """
    if written is not None and against is not None:
        raise click.UsageError("--write and --against are for two different runs.")
    try:
        baselines = read_baselines(against) if against is not None else {}
    except OSError as error:
        raise CommandFailed(f"{against} cannot be read: {error.strerror}.") from error
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise CommandFailed(f"{against} is not a file that tablee replay-all --write wrote.") from error
    location = Location(data, redis)
    with log_address(location, purpose="tablee replay-all") as log:
        names = work_on(log, _names)
        if written is not None:
            _write(log, names, written)
        elif not _compare(log, names, baselines, fold_only=fold_only, as_json=as_json):
            ctx.exit(_SOMETHING_WRONG)


def _write(log: LogAddress, names: list[str], file: Path) -> None:
    draft = file.with_name(file.name + ".part")
    count = 0
    try:
        with draft.open("wb") as out:
            for piece in _in_parallel(partial(_baselines, log), names):
                for found in piece:
                    if isinstance(found, Refolded):
                        raise CommandFailed(f"{found.match} cannot be read: {found.detail}.")
                    out.write(msgspec.json.encode(found) + b"\n")
                    count += 1
                _progress(count, len(names))
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
    _progress(None, 0)
    say(f"{number_of(count, 'match', 'matches')} written to {file}.")


def _compare(
    log: LogAddress,
    names: list[str],
    baselines: Mapping[str, Baseline],
    *,
    fold_only: bool,
    as_json: bool,
) -> bool:
    good = bad = events = 0
    for piece in _in_parallel(partial(_judged, log, baselines, fold_only=fold_only), names):
        for result in piece:
            good, bad, events = good + (not result.code), bad + bool(result.code), events + result.events
            _tell(result, as_json=as_json)
        _progress(good + bad, len(names))
    _progress(None, 0)
    for match in sorted(baselines.keys() - set(names)):
        bad += 1
        _tell(
            Refolded(match, 0, "fold.missing", 1, "the match is not in this store any more"), as_json=as_json
        )
    if not as_json:
        matches = number_of(good + bad, "match", "matches")
        done = "folded" if fold_only else "folded and decided again"
        say(f"{matches} with {number_of(events, 'event')} {done}: {good} good, {bad} bad.")
    return not bad


def _in_parallel(work: Callable[[list[str]], list[Result]], names: list[str]) -> Iterator[list[Result]]:
    """Do work on pieces of the names, on all processors, and yield what each piece came to, in order."""
    pieces = [names[start : start + _PIECE] for start in range(0, len(names), _PIECE)]
    if len(pieces) < 2:  # noqa: PLR2004 - one piece needs no second process
        yield from map(work, pieces)
        return
    with ProcessPoolExecutor(max_workers=os.cpu_count()) as pool:
        yield from pool.map(work, pieces)


def _baselines(log: LogAddress, names: list[str]) -> list[Baseline | Refolded]:
    def work(match: str, read: Readable) -> Baseline | Refolded:
        problem = read.log_problem
        if problem is not None:
            return Refolded(match, 0, problem.code, problem.version, str(problem))
        return baseline_of(match, read.entries)

    return work_on(log, lambda parts: _each(parts, names, work))


def _judged(
    log: LogAddress, baselines: Mapping[str, Baseline], names: list[str], *, fold_only: bool
) -> list[Refolded]:
    def work(match: str, read: Readable) -> Refolded:
        return rejudge(match, read, baselines.get(match), fold_only=fold_only)

    return work_on(log, lambda parts: _each(parts, names, work))


async def _each(parts: LogParts, names: list[str], work: Callable[[str, Readable], Result]) -> list[Result]:
    done: list[Result] = []
    reading = _begun(parts, names[0])
    for match, following in pairwise([*names, None]):
        read = await reading
        if following is not None:
            # The server looks for the next one while this one is folded.
            reading = _begun(parts, following)
            await asyncio.sleep(0)
        done.append(work(str(match), read))
    return done


def _begun(parts: LogParts, match: str) -> "asyncio.Task[Readable]":
    return asyncio.create_task(read_what_can_be(parts.store, match))


async def _names(parts: LogParts) -> list[str]:
    return sorted([match async for match in parts.store.matches()])


def _tell(result: Refolded, *, as_json: bool) -> None:
    if as_json:
        say_json(result)
    elif result.code:
        say(f"BAD   {result.match}  event {result.bad_version}: {result.code}: {result.detail}")


def _progress(count: int | None, of: int) -> None:
    """Show on a terminal how far the work is; None takes that away again."""
    if sys.stderr.isatty():
        click.echo("\r\033[K" if count is None else f"\r{count} of {of} matches", nl=False, err=True)
