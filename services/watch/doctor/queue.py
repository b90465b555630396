"""Do workers take the bots' jobs and finish them, and are the loops alive?"""

import asyncio
import time
from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec
import redis.asyncio
from redis.exceptions import RedisError

from domain.instants import Instant, milliseconds_of
from services.jobs.errors import JobStoreUnavailable
from services.jobs.seen import Jobs, JobSeen, Kind, QueueStanding, WorkerSeen
from services.jobs.standing import JobQueue
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


class JobServer(NamedTuple):
    """The jobs' server, as the doctor asks it.

    Attributes:
        client: A client, for what is beside the queue.
    """

    queue: JobQueue
    client: "redis.asyncio.Redis"


async def queue_facts(server: JobServer, patience: float = 6.0) -> QueueFacts | None:
    """Ask the jobs' server; None if it does not answer.

    Args:
        server: The server.
        patience: For how many seconds to wait for workers and loops where there are none: those that were started just
            now, or anew, load for some seconds before they report.
    """
    end = time.monotonic() + patience
    facts = await _asked(server)
    while facts is not None and not (facts.standing.workers and facts.loops) and time.monotonic() < end:
        await asyncio.sleep(_PAUSE)
        facts = await _asked(server)
    return facts


async def _asked(server: JobServer) -> QueueFacts | None:
    try:
        return QueueFacts(await asyncio.to_thread(server.queue.look), await loops_live(server.client))
    except (JobStoreUnavailable, RedisError, OSError):
        return None


def judge_queue(facts: QueueFacts | None, now: int) -> list[Diagnosis]:
    """Judge what a running service's queue says, None if its server does not answer, at an instant in milliseconds."""
    if facts is None:
        return [
            act(
                "jobs.unreachable",
                "The jobs' server does not answer.",
                "Bots play only when the clock makes them, after half a minute.",
                "Look at the process `job store`, or at TABLEE_JOB_STORE_URL. What was in it may be lost: the service "
                "derives it from the log again.",
            )
        ]
    workers, queued = facts.standing.workers, _of(facts.standing, "queued")
    found = [*_loops(facts), *_workers(workers, now), *_jobs(facts.standing, now)]
    told = f"{len(workers)} worker(s) take jobs, the loops live; {queued.count} wait, none has failed lately."
    return found or [fine("jobs.taken", told)]


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


def _workers(workers: Sequence[WorkerSeen], now: int) -> list[Diagnosis]:
    if not workers:
        return [
            act(
                "worker.missing",
                "No worker is registered with the queue.",
                "Bots play only when the clock makes them, after half a minute, and without thinking.",
                "`tablee up` starts one; where processes are started one by one: `python -m workers.rq_worker`. The "
                "service log tells why one ended.",
            )
        ]
    silences = [(worker, _seconds_since(worker.heartbeat, now)) for worker in workers]
    alive = any(silence <= WORKER_SILENCE_SECONDS for _, silence in silences)
    return [
        Diagnosis(
            "worker.silent",
            # One that was killed stands in the registry for a minute and a half beside the one that took its place.
            Severity.LOOK if alive else Severity.ACT,
            f"The worker with process id {worker.pid} has not reported for {silence:.0f} s.",
            "Another worker takes the jobs." if alive else "Bots play only when the clock makes them.",
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
