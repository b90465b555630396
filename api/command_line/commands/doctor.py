"""``tablee doctor``."""

import contextlib
import shutil
import sys
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import urlsplit

import click
import msgspec

from api.command_line.call import Call, call_options
from api.command_line.doctoring import Case, findings_of, repaired
from api.command_line.opening import LogAddress
from api.command_line.options import jobs_option
from api.command_line.output import say, say_json, tell
from api.command_line.progress import show_progress
from api.command_line.purposes import UP
from api.command_line.remote import Remote, asked
from domain.instants import milliseconds_of
from services.bootstrap import present_instant
from services.jobs.servers import job_servers_at
from services.log.embedded.errors import EmbeddedError, FolderLocked, FolderUnusable, StoreFailed
from services.log.embedded.running import Running, find_running
from services.log.embedded.stores import may_answer
from services.log.secret_mark import mark_of
from services.process.service_log import configure_logs
from services.process.settings import Settings, present_secret
from services.watch.doctor.diagnosis import Diagnosis, act, worst
from services.watch.doctor.examination import Moment
from services.watch.doctor.machine import disk_facts, judge_disk
from services.watch.doctor.repairs import Repaired
from services.watch.doctor.rounds import look_at_service, silent_store
from services.watch.findings import Severity

_TOLD_OF_A_KIND = 10
_NARROWEST = 60
_WORDS = {Severity.OK: "ok", Severity.LOOK: "LOOK", Severity.ACT: "ACT"}
_LIVE = {True: "live", False: "silent", None: "unknown"}
_HERE = frozenset({"localhost", "127.0.0.1", "::1"})


@click.command()
@click.option(
    "--deep",
    is_flag=True,
    help="Prove everything that can be proven: seals, deals, the files of the archive.",
)
@click.option(
    "--anew",
    is_flag=True,
    help="With --deep: begin again, and not where the last such look was ended on the way.",
)
@click.option(
    "--repair",
    is_flag=True,
    help="Repair what follows from the log alone, and name each repair before and after.",
)
@jobs_option
@call_options(remote=True)
def doctor(*, deep: bool, anew: bool, repair: bool, jobs: int, call: Call) -> None:
    """Look for everything that can be wrong with an installation, and say what to do about it.

    Works on a running service, on the folder of a stopped one, and with --redis on any log. Looking changes no match
    and shows no cards.

    However many matches there are, it takes about half a minute: it compares what is known of all of them, and reads
    the logs of as many as it can, going on at the next visit. With --deep it reads everything, and takes as long as
    that takes; ended on the way, it goes on where it was.

    Exit codes: 0 all is well, 1 somebody should look, 2 act now (or the installation could not be examined).
    """
    if anew and not deep:
        raise click.UsageError("--anew is for --deep: only a full look goes on where it was ended.")
    call.refuse_with_server("they look at the store itself", deep=deep, repair=repair)
    if call.remote is not None:
        raise click.exceptions.Exit(_ask(call, call.remote))
    configure_logs("console", "warning", process="doctor")
    settings = call.location.settings()
    running = _running_service(
        settings, named=call.location.redis is not None or settings.log_store_url is not None
    )
    elsewhere = settings.log_store_url is not None
    findings = [
        *map(judge_disk, disk_facts(_folders(settings))),
        *look_at_service(running, elsewhere=elsewhere),
    ]
    done: list[Repaired] = []
    with _address(call, running, findings) as log:
        if log is not None:
            case = _case(settings, running, log, deep=deep, jobs=jobs, anew=anew)
            try:
                findings += findings_of(case, show_progress)
            except KeyboardInterrupt:
                show_progress("")
                if deep:
                    click.echo("Ended on the way: the next `tablee doctor --deep` goes on there.", err=True)
                raise
            if repair:
                done = _repair(call, log, findings)
    _tell(call, findings)
    _tell_repairs(call, findings, done, wanted=repair)
    raise click.exceptions.Exit(int(worst(_left(findings, done))))


def _ask(call: Call, remote: Remote) -> int:
    """Tell what a service says of itself: whether it is ready; return the exit code."""
    with asked(remote) as client:
        found = client.readiness()
        ready = bool(found["ready"])
        loops, workers, jobs = found.get("loops"), found.get("workers"), found["jobs"]
        durable = found["durability"]["durable"]
    call.say(
        found,
        f"{remote.address} is {'ready' if ready else 'NOT READY'}.",
        f"The log: {found['log']}, durable: {durable}. Jobs: {jobs}.",
        f"Loops: {_LIVE[loops]}. Workers: {'unknown' if workers is None else workers}.",
        "Only what the service tells over HTTP was looked at; tablee doctor on its machine looks at all.",
    )
    if call.as_json:
        return 0 if ready else int(Severity.ACT)
    return int(
        Severity.OK
        if ready and loops is not False and workers != 0
        else Severity.LOOK
        if ready
        else Severity.ACT
    )


def _running_service(settings: Settings, *, named: bool) -> Running | None:
    running = find_running(settings.data_folder)
    if running is None or running.purpose != UP:
        return None
    return running if not named or running.log_store_url == settings.log_store_url else None


def _folders(settings: Settings) -> list[tuple[str, Path]]:
    folders = [("data folder", settings.data_folder)]
    archive = Path(settings.archive_address)
    if not settings.archive_address.startswith("s3://") and archive.parent != settings.data_folder:
        folders.append(("archive", archive))
    return folders


@contextlib.contextmanager
def _address(call: Call, running: Running | None, findings: list[Diagnosis]) -> Iterator[LogAddress | None]:
    """Use the log; None if it cannot be used, which is then one of the findings."""
    if running is not None and not may_answer(running.log_store_url):
        findings.append(silent_store(running))
        yield None
        return
    with contextlib.ExitStack() as stack:
        try:
            log = stack.enter_context(call.log())
        except StoreFailed as error:
            findings.append(_does_not_start(error))
            log = None
        except (FolderLocked, FolderUnusable) as error:
            findings.append(_cannot_be_used(error))
            log = None
        yield log


def _cannot_be_used(error: EmbeddedError) -> Diagnosis:
    do = "What the system says is the cause; `disk.…` may say more."
    if isinstance(error, FolderLocked):
        do = (
            "It may be a service that is just starting, or one whose store has ended: look again in a minute."
        )
    means = "The log could not be looked at, and no service can start on this folder as it is."
    return act(error.code, str(error), means, do)


def _does_not_start(error: StoreFailed) -> Diagnosis:
    return act(
        "store.does_not_start",
        str(error),
        "The service cannot start. What was acknowledged is in the folder `log`; keep a copy before you change it.",
        "The finding says why: is the disk full, did somebody else's file come in, was a file damaged? "
        "`tablee restore` puts a backup into another folder.",
    )


def _case(
    settings: Settings, running: Running | None, log: LogAddress, *, deep: bool, jobs: int, anew: bool
) -> Case:
    parts = urlsplit(log.url)
    secret = present_secret(settings)
    # With --redis the service may run anywhere: it is taken for running, and what it does shows whether it does.
    runs = running is not None or settings.log_store_url is not None
    return Case(
        log=log,
        job_servers=job_servers_at(
            (running.job_store_url if running is not None else settings.job_store_url) or "", settings.shards
        ),
        data_folder=settings.data_folder,
        accepted=settings.accept_weak_durability,
        here=parts.scheme == "unix" or parts.hostname in _HERE,
        by_address=settings.log_store_url is not None,
        secret_mark=None if secret is None else mark_of(secret),
        moment=Moment(milliseconds_of(present_instant()), runs, deep),
        jobs=jobs,
        anew=anew,
    )


def _repair(call: Call, log: LogAddress, findings: Sequence[Diagnosis]) -> list[Repaired]:
    def before(finding: Diagnosis) -> None:
        if not call.as_json:
            tell(f"repairing {finding.code}: {finding.found}")

    return repaired(log, [finding for finding in findings if finding.repair], before)


def _left(findings: Sequence[Diagnosis], done: Sequence[Repaired]) -> list[Diagnosis]:
    mended = {(one.code, one.match) for one in done if one.done}
    return [finding for finding in findings if (finding.code, finding.match) not in mended]


def _tell(call: Call, findings: Sequence[Diagnosis]) -> None:
    """Tell what was found, the most urgent first, and what is of one kind together."""
    kinds: dict[tuple[Severity, str], list[Diagnosis]] = {}
    for finding in sorted(findings, key=lambda one: -one.severity):
        kinds.setdefault((finding.severity, finding.code), []).append(finding)
    for same in kinds.values():
        if call.as_json:
            for finding in same:
                say_json({**msgspec.to_builtins(finding), "severity": _WORDS[finding.severity].lower()})
        else:
            _say_kind(same)


def _say_kind(same: Sequence[Diagnosis]) -> None:
    """Say findings of one kind: a few one by one, of many the first, how many more there are, and where."""
    shown = same if len(same) <= _TOLD_OF_A_KIND else same[:1]
    for finding in shown:
        _say(finding, explained=finding is same[0])
    if more := same[len(shown) :]:
        where = list(dict.fromkeys(finding.match for finding in more if finding.match))
        named = ", ".join(where[:_TOLD_OF_A_KIND]) + (", …" if len(where) > _TOLD_OF_A_KIND else "")
        told = f": {named}" if named else ""
        _say_wrapped("      ", f"… and {len(more)} more of {same[0].code}{told}; --json tells all of them.")


def _say(finding: Diagnosis, *, explained: bool) -> None:
    _say_wrapped(f"{_WORDS[finding.severity]:<4}  ", f"{finding.code}: {finding.found}")
    if explained and finding.means:
        _say_wrapped("      What it means: ", finding.means)
    if explained and finding.do:
        _say_wrapped("      What to do:    ", finding.do)


def _say_wrapped(start: str, text: str) -> None:
    """Say a paragraph: as wide as the terminal; in one line to a file or a program."""
    if not sys.stdout.isatty():
        say(start + text)
        return
    width = max(_NARROWEST, shutil.get_terminal_size().columns - 1)
    indent = " " * len(start)
    say(textwrap.fill(text, width, initial_indent=start, subsequent_indent=indent, break_on_hyphens=False))


def _tell_repairs(
    call: Call, findings: Sequence[Diagnosis], done: Sequence[Repaired], *, wanted: bool
) -> None:
    for one in done:
        call.say(
            {"repair": one.code, "match": one.match, "done": one.done, "told": one.told},
            f"{'mended' if one.done else 'not mended'}  {one.code}: {one.match}: {one.told}.",
        )
    if call.as_json:
        return
    counts = [sum(one.severity is severity for one in _left(findings, done)) for severity in Severity]
    said = f"{counts[Severity.ACT]} to act on now, {counts[Severity.LOOK]} to look at, {counts[Severity.OK]} fine."
    mendable = sum(bool(finding.repair) for finding in findings)
    said += f" {mendable} can be mended: tablee doctor --repair" if mendable and not wanted else ""
    say(said)
