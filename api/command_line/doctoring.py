"""What ``tablee doctor`` does with the log open: rounds, matches in several processes, repairs."""

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import inf
from pathlib import Path
from typing import Final, NamedTuple

from api.command_line.examining import Lot, examined_lots
from api.command_line.opening import LogAddress, work_on
from domain.instants import instant_from_milliseconds, milliseconds_of
from services.bootstrap import present_instant
from services.bootstrap.doctor import (
    opened_job_queues,
    practice_on,
    repairer_on,
    rows_rebuilt_on,
)
from services.bootstrap.log_parts import LogParts
from services.jobs.servers import JobServers
from services.log.belonging import kept_installation_id
from services.log.high_water_mark import HighWaterMarkFile
from services.watch.doctor.archive_rounds import ArchiveRoundFile, Turn
from services.watch.doctor.diagnosis import Diagnosis, contradicts, fine
from services.watch.doctor.examination import Examined, Moment
from services.watch.doctor.machine import ClockFacts
from services.watch.doctor.repairs import Repaired
from services.watch.doctor.rounds import (
    Looked,
    grounds_of,
    look_at_feed,
    look_at_heights,
    look_at_keeping,
    look_at_notices,
    look_at_projections,
    look_at_queue,
    look_at_store,
    look_at_traces,
    read_in_turn,
    told_of,
)
from services.watch.doctor.survey import Survey, Surveyed, survey
from services.watch.doctor.visits import VisitsFile, judge_going_on

_EVERYDAY_SECONDS: Final = 16.0
"""For so long an everyday look examines logs; what is left is examined at the next one."""

_LISTING_SECONDS: Final = 5.0
"""For so long it lists the archive's files."""


class Case(NamedTuple):
    """What is looked at.

    Attributes:
        job_servers: Where the jobs are; None if nobody says.
        accepted: The operator accepts weak durability.
        here: Whether the log's server runs on this machine.
        by_address: Whether the log was named by its address, and not by a data folder.
        secret_mark: The mark of the present secret; None if there is no secret.
        moment: Under which circumstances.
        jobs: In how many processes matches are examined.
        anew: Whether a full look begins anew where an earlier one was ended on the way.
    """

    log: LogAddress
    job_servers: JobServers | None
    data_folder: Path
    accepted: bool
    here: bool
    by_address: bool
    secret_mark: str | None
    moment: Moment
    jobs: int
    anew: bool = False


def findings_of(case: Case, progress: Callable[[str], None]) -> list[Diagnosis]:
    """Return everything that is found in a log that can be opened.

    Raises:
        StoreUnavailable: It went away.
        CommandFailed: The server holds no log.
    """
    ends = time.monotonic() + _EVERYDAY_SECONDS
    progress("looking at the log's server, the feed and the queue")
    first, clock, installation = work_on(case.log, lambda parts: _around(parts, case))
    now = instant_from_milliseconds(case.moment.now)
    rounds, visits = ArchiveRoundFile(case.data_folder), VisitsFile(case.data_folder, installation)
    turn = None if case.moment.deep else Turn(rounds.read(now))
    noted, listing = visits.read(), inf if case.moment.deep else _LISTING_SECONDS
    seen = work_on(
        case.log,
        lambda parts: _surveyed(parts, case.moment, turn, progress, first=noted.listed, listing=listing),
    )
    looked, found = Looked(), list[Diagnosis]()
    if case.moment.deep:
        found += _proven(case, seen, visits, looked, progress)
    else:
        # Where comparing took long, because the machine is busy, some logs are read all the same.
        ends = max(ends, time.monotonic() + _EVERYDAY_SECONDS / 2)
        _visited(case, seen, visits, looked, ends, progress)
    good = sum(one.good for one in seen.shards)
    progress("looking at the archive's files and the lists")
    last = work_on(case.log, lambda parts: _behind(parts, case, turn, rounds))
    progress("")
    return [
        *first,
        *looked.of_instants(clock, milliseconds_of(present_instant())),
        *told_of(case.moment, seen.strays),
        *seen.findings,
        *found,
        *last,
        *looked.of_matches(good, seen.total, deep=case.moment.deep),
    ]


def _visited(
    case: Case,
    seen: Survey,
    file: VisitsFile,
    looked: Looked,
    ends: float,
    progress: Callable[[str], None],
) -> None:
    """Examine matches while there is time, and note where the next visit goes on."""
    visits, examined = file.read(), 0
    again = frozenset(visits.bad)
    lots = [_lot(shard, seen.shards[shard], again) for shard in visits.order(len(seen.shards))]
    first_left: int | None = None
    for lot, results, whole in examined_lots(case.log, case.moment, lots, case.jobs, ends):
        for one in results:
            looked.take(one)
        examined += len(results)
        progress(f"{examined} matches examined, of {seen.total - sum(one.good for one in seen.shards)}")
        if not whole and first_left is None:
            first_left = lot.shard
    file.note(visits.visited(first_left, seen.unlisted, [*looked.bad]))


def _lot(shard: int, seen: Surveyed, again: frozenset[str]) -> Lot:
    """Return what is examined of a shard: first what does not agree, and what was not well at the last visit."""
    return Lot(
        shard,
        (*seen.suspects, *(match for match in seen.others if match in again)),
        tuple(match for match in seen.others if match not in again),
    )


def _proven(
    case: Case, seen: Survey, file: VisitsFile, looked: Looked, progress: Callable[[str], None]
) -> list[Diagnosis]:
    """Prove all matches and what was derived from them, shard by shard, from where the last full look was ended."""
    visits = file.read().gone_on(instant_from_milliseconds(case.moment.now), anew=case.anew)
    found, done = judge_going_on(visits, len(seen.shards)), visits.full.done if visits.full else ()
    examined, traces = sum(seen.shards[shard].total for shard in done if shard < len(seen.shards)), 0
    looked.known_good(examined)
    lots = [Lot(number, one.suspects) for number, one in enumerate(seen.shards) if number not in done]
    for lot, results, _ in examined_lots(case.log, case.moment, lots, case.jobs, inf):
        for one in results:
            looked.take(one)
        examined += len(results)
        progress(f"{examined} of {seen.total} matches proven")
        wrong = work_on(case.log, partial(_traces, case.moment, lot.shard))
        found, traces = found + wrong, traces + len(wrong)
        if not wrong and not any(one.findings for one in results):
            # What was ended on the way goes on here; what is not well is looked at again.
            visits = visits.proven(lot.shard)
            file.note(visits)
    file.note(visits.ended())
    if not traces:
        found.append(fine("feed.holds", "The feed's pointers and the indexes of lists agree with the logs."))
    return found


async def _traces(moment: Moment, shard: int, parts: LogParts) -> list[Diagnosis]:
    return await look_at_traces(practice_on(parts, moment), (shard,))


async def _surveyed(
    parts: LogParts,
    moment: Moment,
    turn: Turn | None,
    progress: Callable[[str], None],
    *,
    first: int = 0,
    listing: float = inf,
) -> Survey:
    return await survey(grounds_of(practice_on(parts, moment), first, listing), turn, progress)


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
    if matches is not None:
        return len(matches), Proof(_examined(log, moment, [Lot(0, matches)], jobs), list)
    seen = work_on(log, lambda parts: _surveyed(parts, moment, None, lambda _: None))
    lots = [Lot(number, one.suspects) for number, one in enumerate(seen.shards)]

    def rest() -> list[Diagnosis]:
        shards = range(len(seen.shards))
        traces = work_on(log, lambda parts: look_at_traces(practice_on(parts, moment), shards))
        return [one for one in (*told_of(moment, seen.strays), *seen.findings, *traces) if contradicts(one)]

    return seen.total, Proof(_examined(log, moment, lots, jobs), rest)


def _examined(log: LogAddress, moment: Moment, lots: Sequence[Lot], jobs: int) -> Iterator[Examined]:
    return (one for _, results, _ in examined_lots(log, moment, lots, jobs, inf) for one in results)


async def _around(parts: LogParts, case: Case) -> tuple[list[Diagnosis], ClockFacts, str]:
    practice = practice_on(parts, case.moment)
    found, clock = await look_at_store(practice, accepted=case.accepted, here=case.here)
    found += await look_at_feed(practice)
    found += await look_at_heights(practice, HighWaterMarkFile(case.data_folder, case.log.url))
    async with opened_job_queues(case.job_servers) as asked:
        found += await look_at_queue(practice, asked)
        found += await look_at_notices(practice)
    found += await look_at_keeping(practice, case.secret_mark, here=not case.by_address)
    return found, clock, await kept_installation_id(parts.log_client)


async def _behind(
    parts: LogParts, case: Case, turn: Turn | None, rounds: ArchiveRoundFile
) -> list[Diagnosis]:
    practice = practice_on(parts, case.moment)
    # Looking deeply has read all files of the archive.
    read = [] if turn is None else await read_in_turn(practice, turn, rounds)
    return [*read, *await look_at_projections(practice)]


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
