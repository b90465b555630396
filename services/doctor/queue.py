"""Do workers take the bots' jobs from the queue, and come to an end with them?"""

import time
from datetime import UTC, datetime
from typing import Final

import msgspec
import redis
from redis.exceptions import RedisError
from rq import Queue, Worker
from rq.exceptions import NoSuchJobError
from rq.job import Job
from rq.registry import FailedJobRegistry
from rq.serializers import JSONSerializer

from domain.instants import Instant, instant_of
from services.doctor.findings import Finding, Severity, fine

SILENT_AFTER_SECONDS: Final = 30.0
"""A worker reports every ten seconds when it is idle, and every five while it plays."""

_WAITING_TOO_LONG_SECONDS: Final = 15.0
_FAILURES_NAMED: Final = 5
_PATIENCE: Final = 2.0
_PAUSE: Final = 0.5
_OF_THE_STORES: Final = ("services.errors.", "redis.", "rq.")


class WorkerFacts(msgspec.Struct, frozen=True):
    """A worker that is registered with the queue.

    Attributes:
        name: Its name in RQ.
        pid: Its process, on its own machine.
        silent: Seconds since it last reported.
    """

    name: str
    pid: int
    silent: float


class FailureFacts(msgspec.Struct, frozen=True):
    """A job that failed.

    Attributes:
        job: Its id.
        match: The match whose bots it was to play.
        at: When it ended; empty if it never did.
        reason: The last line of what it told.
    """

    job: str
    match: str
    at: Instant
    reason: str


class QueueFacts(msgspec.Struct, frozen=True):
    """What stands in the registries of RQ.

    Attributes:
        workers: Those that are registered.
        waiting: How many jobs wait.
        longest: For how many seconds the first of them has waited.
        failures: Jobs that failed and are still remembered.
    """

    workers: tuple[WorkerFacts, ...]
    waiting: int
    longest: float
    failures: tuple[FailureFacts, ...]


def queue_facts(url: str, patience: float = 6.0) -> QueueFacts | None:
    """Read the registries on the jobs' server; None if it does not answer.

    Args:
        url: Where it is.
        patience: For how many seconds to wait for a worker where there is none: one that was started just now, or
            anew, loads for some seconds before it registers.
    """
    end = time.monotonic() + patience
    facts = _asked(url)
    while facts is not None and not facts.workers and time.monotonic() < end:
        time.sleep(_PAUSE)
        facts = _asked(url)
    return facts


def _asked(url: str) -> QueueFacts | None:
    try:
        with redis.Redis.from_url(url, socket_timeout=_PATIENCE, socket_connect_timeout=_PATIENCE) as client:
            return _read(client)
    except (RedisError, OSError):
        return None


def _read(client: "redis.Redis") -> QueueFacts:
    present = datetime.now(UTC)
    workers = tuple(
        WorkerFacts(worker.name, worker.pid or 0, _seconds(worker.last_heartbeat, present))
        for worker in Worker.all(connection=client)
    )
    waiting, longest = 0, 0.0
    failures: list[FailureFacts] = []
    for queue in Queue.all(connection=client, serializer=JSONSerializer):
        waiting += queue.count
        for job_id in queue.get_job_ids(0, 1):
            job = _job(client, job_id)
            longest = max(longest, _seconds(job.enqueued_at, present) if job is not None else 0.0)
        registry = FailedJobRegistry(queue=queue)
        failures += [_failure(job_id, _job(client, job_id)) for job_id in registry.get_job_ids(cleanup=False)]
    return QueueFacts(workers, waiting, longest, tuple(failures))


def _job(client: "redis.Redis", job_id: str) -> Job | None:
    try:
        return Job.fetch(job_id, connection=client, serializer=JSONSerializer)
    except NoSuchJobError:
        return None


def _failure(job_id: str, job: Job | None) -> FailureFacts:
    if job is None:
        return FailureFacts(job_id, "", Instant(""), "")
    result = job.latest_result()
    told = (result.exc_string if result is not None else None) or ""
    match = str(job.args[0]) if job.args else ""
    ended = Instant("") if job.ended_at is None else instant_of(_aware(job.ended_at))
    return FailureFacts(job_id, match, ended, _spoken((told.strip().splitlines() or [""])[-1]))


def _spoken(line: str) -> str:
    """Return what may be shown of an error: the words of a stranger's might hold a card that is still sealed."""
    return line if line.startswith(_OF_THE_STORES) else line.partition(":")[0]


def _aware(moment: datetime) -> datetime:
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)


def _seconds(since: datetime | None, present: datetime) -> float:
    return 0.0 if since is None else max(0.0, (present - _aware(since)).total_seconds())


def judge_queue(facts: QueueFacts | None) -> list[Finding]:
    """Judge the queue of a service that runs."""
    if facts is None:
        return [
            Finding(
                "jobs.unreachable",
                Severity.ACT,
                "The jobs' server does not answer.",
                "Bots play only when the clock makes them, after half a minute.",
                "Look at the process `job store`, or at TABLEE_JOB_STORE_URL. What was in it may be lost: the service "
                "derives it from the log again.",
            )
        ]
    found = [*_workers(facts), *_jobs(facts)]
    return found or [
        fine(
            "jobs.taken",
            f"{len(facts.workers)} worker(s) take jobs; {facts.waiting} wait, none has failed lately.",
        )
    ]


def _workers(facts: QueueFacts) -> list[Finding]:
    if not facts.workers:
        return [
            Finding(
                "worker.missing",
                Severity.ACT,
                "No worker is registered with the queue.",
                "Bots play only when the clock makes them, after half a minute, and without thinking.",
                "`tablee up` starts one; where processes are started one by one: `python -m workers.rq_worker`. The "
                "service log tells why one ended.",
            )
        ]
    alive = sum(worker.silent <= SILENT_AFTER_SECONDS for worker in facts.workers)
    return [
        Finding(
            "worker.silent",
            # One that was killed stands in the registry for a minute and a half beside the one that took its place.
            Severity.LOOK if alive else Severity.ACT,
            f"The worker with process id {worker.pid} has not reported for {worker.silent:.0f} s.",
            "Another worker takes the jobs." if alive else "Bots play only when the clock makes them.",
            "It is frozen, hangs, or was killed a moment ago: `ps -o stat,cmd -p PID` tells. The service kills and "
            "replaces a worker that was silent for 90 s.",
        )
        for worker in facts.workers
        if worker.silent > SILENT_AFTER_SECONDS
    ]


def _jobs(facts: QueueFacts) -> list[Finding]:
    found = []
    if facts.longest > _WAITING_TOO_LONG_SECONDS:
        found.append(
            Finding(
                "jobs.wait",
                Severity.LOOK,
                f"{facts.waiting} job(s) wait, the first for {facts.longest:.0f} s.",
                "Bots are slow.",
                "Are there workers, and enough of them? `tablee up --workers 2` starts two.",
            )
        )
    found += [
        Finding(
            "job.failed",
            Severity.LOOK,
            f"The job {failure.job} failed{f' at {failure.at}' if failure.at else ''}: "
            f"{failure.reason or 'its worker was killed'}.",
            "The bot's turn was not lost: the clock has it played all the same.",
            f"`tablee log {failure.match or 'MATCH'}` shows whether the bot has moved since; the service log around "
            "that instant tells why the job failed.",
            match=failure.match,
        )
        for failure in facts.failures[:_FAILURES_NAMED]
    ]
    return found
