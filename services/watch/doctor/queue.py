"""Do workers take the bots' jobs and finish them, and are the loops alive?"""

import asyncio
import time
from collections.abc import Sequence
from contextlib import suppress
from typing import Final, NamedTuple

import msgspec
import redis.asyncio
from redis.exceptions import RedisError

from domain.instants import Instant, milliseconds_of
from services.jobs.errors import JobStoreUnavailable
from services.jobs.queues import JobQueues
from services.jobs.seen import Jobs, JobSeen, Kind, QueueStanding, WorkerSeen
from services.watch.doctor.diagnosis import Diagnosis, act, fine, look
from services.watch.findings import Severity
from services.watch.metrics.kept_counts import loops_live
from services.watch.metrics.workers import WORKER_SILENCE_SECONDS

_WAITING_TOO_LONG_SECONDS: Final = 15.0
_FAILURES_NAMED: Final = 5
_PAUSE: Final = 0.5
_OF_THE_STORES: Final = ("services.errors.", "redis.", "rq.")


class QueueFacts(msgspec.Struct, frozen=True):
    """What the jobs' server says.

    Attributes:
        standing: Jobs and workers.
        loops: Whether the loops have given a sign of life lately.
    """

    standing: QueueStanding
    loops: bool


class JobsAsked(NamedTuple):
    """The servers for jobs, as the doctor asks them.

    Attributes:
        clients: A client of each, for what is beside the queues.
    """

    queues: JobQueues
    clients: "tuple[redis.asyncio.Redis, ...]"


async def queue_facts(asked: JobsAsked, patience: float = 6.0) -> QueueFacts | None:
    """Ask the servers for jobs; None if none answers.

    Args:
        asked: The servers.
        patience: For how many seconds to wait for workers and loops where there are none: those that were started just
            now, or anew, load for some seconds before they report.
    """
    end = time.monotonic() + patience
    facts = await _facts(asked)
    while facts is not None and not _is_complete(facts) and time.monotonic() < end:
        await asyncio.sleep(_PAUSE)
        facts = await _facts(asked)
    return facts


def _is_complete(facts: QueueFacts) -> bool:
    return bool(facts.standing.workers and not facts.standing.unserved and facts.loops)


async def _facts(asked: JobsAsked) -> QueueFacts | None:
    try:
        standing = await asyncio.to_thread(asked.queues.look)
    except JobStoreUnavailable:
        return None
    live = False
    for client in asked.clients:
        with suppress(RedisError, OSError):
            live = live or await loops_live(client)
    return QueueFacts(standing, live)


def judge_queue(facts: QueueFacts | None, now: int) -> list[Diagnosis]:
    """Judge what a running service's queue says, None if its server does not answer, at an instant in milliseconds."""
    if facts is None:
        return [_unreachable("The jobs' server does not answer.")]
    workers, queued = facts.standing.workers, _of(facts.standing, "queued")
    away = [_unreachable(f"The jobs' server {name} does not answer.") for name in facts.standing.away]
    found = [*away, *_loops(facts), *_workers(facts.standing, now), *_jobs(facts.standing, now)]
    told = f"{len(workers)} worker(s) take jobs, the loops live; {queued.count} wait, none has failed lately."
    return found or [fine("jobs.taken", told)]


def _unreachable(found: str) -> Diagnosis:
    return act(
        "jobs.unreachable",
        found,
        "Bots at its tables play only when the clock makes them, after half a minute.",
        "Look at the process `job store`, or at TABLEE_JOB_STORE_URL. What was in it may be lost: the service "
        "derives it from the log again.",
    )


def _of(standing: QueueStanding, kind: Kind) -> Jobs:
    return next((jobs for jobs in standing.jobs if jobs.kind == kind), Jobs(kind, 0, ()))


def _loops(facts: QueueFacts) -> list[Diagnosis]:
    if facts.loops:
        return []
    return [
        act(
            "loops.silent",
            "The loops have not given a sign of life for 15 s.",
            "No deadline ends, bots are not asked, finished matches do not go to the archive, lists stand still.",
            "`process.…` says whether they are frozen; where processes are started one by one: `python -m "
            "workers.loops`. The service log tells what holds them up.",
        )
    ]


def _workers(standing: QueueStanding, now: int) -> list[Diagnosis]:
    if not standing.workers:
        return [_missing("No worker is registered with the queue.")]
    unserved = [_missing(f"No worker takes jobs from the server {name}.") for name in standing.unserved]
    return [*unserved, *_silent(standing.workers, now)]


def _missing(found: str) -> Diagnosis:
    return act(
        "worker.missing",
        found,
        "Bots at its tables play only when the clock makes them, after half a minute, and without thinking.",
        "`tablee up` starts one for each server; where processes are started one by one: `python -m "
        "workers.rq_worker`, with the server's number where there are several. The service log tells why one ended.",
    )


def _silent(workers: Sequence[WorkerSeen], now: int) -> list[Diagnosis]:
    silences = [(worker, _seconds_since(worker.heartbeat, now)) for worker in workers]
    alive = {worker.server for worker, silence in silences if silence <= WORKER_SILENCE_SECONDS}
    return [
        Diagnosis(
            "worker.silent",
            # One that was killed stands in the registry for a minute and a half beside the one that took its place.
            Severity.LOOK if worker.server in alive else Severity.ACT,
            f"The worker with process id {worker.pid} has not reported for {silence:.0f} s.",
            "Another worker takes the jobs."
            if worker.server in alive
            else "Bots play only when the clock makes them.",
            "It is frozen, hangs, or was killed a moment ago: `ps -o stat,cmd -p PID` tells. The service kills and "
            "replaces a worker that was silent for 90 s.",
        )
        for worker, silence in silences
        if silence > WORKER_SILENCE_SECONDS
    ]


def _jobs(standing: QueueStanding, now: int) -> list[Diagnosis]:
    queued, found = _of(standing, "queued"), []
    longest = max((_seconds_since(job.since, now) for job in queued.seen), default=0.0)
    if longest > _WAITING_TOO_LONG_SECONDS:
        found.append(
            look(
                "jobs.wait",
                f"{queued.count} job(s) wait, the first for {longest:.0f} s.",
                "Bots are slow.",
                "Are there workers, and enough of them? `tablee up --workers 2` starts two.",
            )
        )
    return [*found, *(_failed(job) for job in _of(standing, "failed").seen[:_FAILURES_NAMED])]


def _failed(job: JobSeen) -> Diagnosis:
    return look(
        "job.failed",
        f"The job {job.id} failed{f' at {job.since}' if job.since else ''}: "
        f"{_spoken(job.reason) or 'its worker was killed'}.",
        "The bot's turn was not lost: the clock has it played all the same.",
        f"`tablee log {job.match or 'MATCH'}` shows whether the bot has moved since; "
        f"`tablee trace {job.trace or 'ID'}` what led to the job, and the service log at that instant why it failed.",
        match=job.match,
    )


def _spoken(line: str) -> str:
    """Return what may be shown of an error: the words of a stranger's might hold a card that is still sealed."""
    return line if line.startswith(_OF_THE_STORES) else line.partition(":")[0]


def _seconds_since(instant: Instant | None, now: int) -> float:
    return 0.0 if instant is None else (now - milliseconds_of(instant)) / 1000
