"""What ``tablee doctor`` does with the log open: rounds, matches in several processes, repairs."""

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from api.command_line.many import spread
from api.command_line.opening import LogAddress, work_on
from domain.instants import milliseconds_of
from services.bootstrap import present_instant
from services.bootstrap.doctor import (
    examiner_on,
    opened_job_server,
    practice_on,
    repairer_on,
    rows_rebuilt_on,
)
from services.bootstrap.log_parts import LogParts
from services.log.event_store.contract import Meta
from services.log.high_water_mark import HighWaterMarkFile
from services.watch.doctor.archive_rounds import ArchiveRoundFile
from services.watch.doctor.diagnosis import Diagnosis, contradicts
from services.watch.doctor.examination import Examined, Moment
from services.watch.doctor.machine import ClockFacts
from services.watch.doctor.repairs import Repaired
from services.watch.doctor.rounds import (
    judge_matches,
    look_at_archive,
    look_at_feed,
    look_at_heights,
    look_at_instants,
    look_at_keeping,
    look_at_notices,
    look_at_projections,
    look_at_queue,
    look_at_store,
    look_at_strays,
    look_at_traces,
    look_into_archive,
)

_AT_ONCE: Final = 8


class Case(NamedTuple):
    """What is looked at.

    Attributes:
        job_store_url: Where the jobs are; None if nobody says.
        accepted: The operator accepts weak durability.
        here: Whether the log's server runs on this machine.
        by_address: Whether the log was named by its address, and not by a data folder.
        secret_mark: The mark of the present secret; None if there is no secret.
        moment: Under which circumstances.
        jobs: In how many processes matches are examined.
    """

    log: LogAddress
    job_store_url: str | None
    data_folder: Path
    accepted: bool
    here: bool
    by_address: bool
    secret_mark: str | None
    moment: Moment
    jobs: int


def findings_of(case: Case, progress: Callable[[str], None]) -> list[Diagnosis]:
    """Return everything that is found in a log that can be opened.

    Raises:
        StoreUnavailable: It went away.
        CommandFailed: The server holds no log.
    """
    progress("looking at the log's server, the feed and the queue")
    first, clock, matches = work_on(case.log, lambda parts: _around(parts, case))
    examined = []
    work = partial(_examined, case.log, case.moment)
    for one in spread(work, matches, case.jobs):
        examined.append(one)
        progress(f"{len(examined)} of {len(matches)} matches examined")
    progress("looking at the archive and its digests")
    last = work_on(case.log, lambda parts: _behind(parts, case, examined))
    progress("")
    return [
        *first,
        *look_at_instants(clock, milliseconds_of(present_instant()), examined),
        *last,
        *judge_matches(examined, deep=case.moment.deep),
    ]


class Proof(NamedTuple):
    """What proving an installation, or some matches of it, comes to.

    Attributes:
        examined: The matches, one by one, as they are done.
        rest: Everything else that contradicts the logs; to be called when all matches are done.
    """

    examined: Iterator[Examined]
    rest: Callable[[], list[Diagnosis]]


def proof_of(log: LogAddress, matches: Sequence[str] | None, jobs: int) -> tuple[int, Proof]:
    """Prove matches; with all (None), everything else that the installation knows; return how many there are, too."""
    moment = Moment(milliseconds_of(present_instant()), running=False, deep=True)
    chosen = list(matches) if matches is not None else work_on(log, _all)
    metas: dict[str, Meta | None] = {}

    def examined() -> Iterator[Examined]:
        for one in spread(partial(_examined, log, moment), chosen, jobs):
            metas[one.match] = one.meta
            yield one

    def rest() -> list[Diagnosis]:
        if matches is not None:
            return []
        return [one for one in work_on(log, lambda parts: _derived(parts, moment, metas)) if contradicts(one)]

    return len(chosen), Proof(examined(), rest)


async def _all(parts: LogParts) -> list[str]:
    return [match async for match in parts.store.matches()]


async def _derived(parts: LogParts, moment: Moment, metas: Mapping[str, Meta | None]) -> list[Diagnosis]:
    """Look at what was derived from the logs, and at what knows of matches without one."""
    practice = practice_on(parts, moment)
    return [
        *await look_at_strays(practice, frozenset(metas)),
        *await look_at_archive(practice, metas),
        *await look_at_traces(practice),
    ]


async def _around(parts: LogParts, case: Case) -> tuple[list[Diagnosis], ClockFacts, list[str]]:
    practice = practice_on(parts, case.moment)
    found, clock = await look_at_store(practice, accepted=case.accepted, here=case.here)
    found += await look_at_feed(practice)
    found += await look_at_heights(practice, HighWaterMarkFile(case.data_folder, case.log.url))
    async with opened_job_server(case.job_store_url) as server:
        found += await look_at_queue(practice, server)
        found += await look_at_notices(practice)
    found += await look_at_keeping(practice, case.secret_mark, here=not case.by_address)
    return found, clock, await _all(parts)


def _examined(log: LogAddress, moment: Moment, matches: tuple[str, ...]) -> list[Examined]:
    return work_on(log, lambda parts: _examine(parts, moment, matches))


async def _examine(parts: LogParts, moment: Moment, matches: Sequence[str]) -> list[Examined]:
    examiner = examiner_on(parts, moment)
    examined: list[Examined] = []
    for start in range(0, len(matches), _AT_ONCE):
        # The store answers one while another is folded.
        examined += await asyncio.gather(*map(examiner.examine, matches[start : start + _AT_ONCE]))
    return examined


async def _behind(parts: LogParts, case: Case, examined: Sequence[Examined]) -> list[Diagnosis]:
    metas = {one.match: one.meta for one in examined}
    practice = practice_on(parts, case.moment)
    # Looking deeply has read all files of the archive.
    read = (
        []
        if case.moment.deep
        else await look_into_archive(practice, metas, ArchiveRoundFile(case.data_folder))
    )
    return [
        *await look_at_strays(practice, frozenset(metas)),
        *await look_at_archive(practice, metas),
        *read,
        *await look_at_projections(practice),
        *(await look_at_traces(practice) if case.moment.deep else ()),
    ]


def repaired(
    log: LogAddress, findings: Sequence[Diagnosis], tell: Callable[[Diagnosis], None]
) -> list[Repaired]:
    """Repair what the findings name, and tell before each repair.

    Raises:
        StoreUnavailable: The log's server went away; what was not told was not begun.
    """
    return work_on(log, lambda parts: _repaired(parts, findings, tell))


async def _repaired(
    parts: LogParts, findings: Sequence[Diagnosis], tell: Callable[[Diagnosis], None]
) -> list[Repaired]:
    done = []
    repairer = repairer_on(parts)
    for finding in findings:
        if finding.repair != "rows":
            tell(finding)
            done.append(await repairer.repair(finding))
    if wrong := [finding for finding in findings if finding.repair == "rows"]:
        tell(wrong[0])
        done += await rows_rebuilt_on(parts, wrong)
    return done
