"""``tablee replay-all``."""

import asyncio
import os
from collections.abc import Callable, Mapping
from functools import partial
from itertools import pairwise
from pathlib import Path
from typing import TypeVar

import click
import msgspec

from api.command_line.call import Call, call_options, require_good
from api.command_line.group import CommandFailed
from api.command_line.many import shown, spread
from api.command_line.opening import LogAddress, work_on
from api.command_line.output import number_of, say, say_json
from services.bootstrap.log_parts import LogParts
from services.log.proof import Readable, read_what_can_be
from services.matches.refolding import Baseline, Refolded, baseline_of, read_baselines, rejudge

Result = TypeVar("Result")

_PROCESSES = os.cpu_count() or 1


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
@call_options()
def replay_all(*, written: Path | None, against: Path | None, fold_only: bool, call: Call) -> None:
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
    with call.log() as log:
        names = work_on(log, _names)
        if written is not None:
            _write(log, names, written)
        else:
            require_good(_compare(call, log, names, baselines, fold_only=fold_only))


def _write(log: LogAddress, names: list[str], file: Path) -> None:
    draft = file.with_name(file.name + ".part")
    count = 0
    try:
        with draft.open("wb") as out:
            found = spread(partial(_baselines, log), names, _PROCESSES)
            for one in shown(found, lambda done: f"{done} of {len(names)} matches"):
                if isinstance(one, Refolded):
                    raise CommandFailed(f"{one.match} cannot be read: {one.detail}.")
                out.write(msgspec.json.encode(one) + b"\n")
                count += 1
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
    say(f"{number_of(count, 'match', 'matches')} written to {file}.")


def _compare(
    call: Call, log: LogAddress, names: list[str], baselines: Mapping[str, Baseline], *, fold_only: bool
) -> bool:
    good = bad = events = 0
    matches = [(name, baselines.get(name)) for name in names]
    results = spread(partial(_judged, log, fold_only=fold_only), matches, _PROCESSES)
    for result in shown(results, lambda done: f"{done} of {len(names)} matches"):
        good, bad, events = good + (not result.code), bad + bool(result.code), events + result.events
        _tell(call, result)
    for match in sorted(baselines.keys() - set(names)):
        bad += 1
        _tell(call, Refolded(match, 0, "fold.missing", 1, "the match is not in this store any more"))
    if not call.as_json:
        judged = number_of(good + bad, "match", "matches")
        done = "folded" if fold_only else "folded and decided again"
        say(f"{judged} with {number_of(events, 'event')} {done}: {good} good, {bad} bad.")
    return not bad


def _baselines(log: LogAddress, names: tuple[str, ...]) -> list[Baseline | Refolded]:
    def work(match: str, read: Readable) -> Baseline | Refolded:
        problem = read.log_problem
        if problem is not None:
            return Refolded(match, 0, problem.code, problem.version, str(problem))
        return baseline_of(match, read.entries)

    return work_on(log, lambda parts: _each(parts, names, work))


def _judged(
    log: LogAddress, matches: tuple[tuple[str, Baseline | None], ...], *, fold_only: bool
) -> list[Refolded]:
    baselines = dict(matches)

    def work(match: str, read: Readable) -> Refolded:
        return rejudge(match, read, baselines[match], fold_only=fold_only)

    return work_on(log, lambda parts: _each(parts, tuple(baselines), work))


async def _each(
    parts: LogParts, names: tuple[str, ...], work: Callable[[str, Readable], Result]
) -> list[Result]:
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


def _tell(call: Call, result: Refolded) -> None:
    if call.as_json:
        say_json(result)
    elif result.code:
        say(f"BAD   {result.match}  event {result.bad_version}: {result.code}: {result.detail}")
