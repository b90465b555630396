"""The state of the queue from RQ's own registries, and what operators can do about it.

Looking changes nothing: RQ would clean up its registries while counting, and is told not to.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Final

import redis
from redis.exceptions import RedisError
from rq import Queue, Worker
from rq.exceptions import DeserializationError, InvalidJobOperation, NoSuchJobError
from rq.job import Job
from rq.registry import BaseRegistry
from rq.serializers import JSONSerializer
from rq.worker.base import BaseWorker

from domain.instants import Instant, instant_of
from services.jobs.bots import alone_queue, bots_queue
from services.jobs.errors import JobStoreUnavailable
from services.jobs.seen import MOST_JOBS, Jobs, JobSeen, Kind, QueueStanding, WorkerSeen

_DISCARDED: Final = ("queued", "failed", "scheduled")


class JobQueue:
    """The queue, for operators. Every method may raise :class:`JobStoreUnavailable`, and may block for seconds."""

    def __init__(self, connection: "redis.Redis") -> None:
        self._connection = connection
        self._queue: Queue = bots_queue(connection)
        self._queues = self._queue, alone_queue(connection)

    def look(self) -> QueueStanding:
        """Return the state of the queue."""
        with _asking():
            waiting = [job_id for queue in self._queues for job_id in queue.get_job_ids(0, MOST_JOBS)]
            return QueueStanding(
                (
                    self._kind("queued", sum(queue.count for queue in self._queues), waiting, _queued_at),
                    self._registered(
                        "running", [one.started_job_registry for one in self._queues], _started_at
                    ),
                    self._registered("failed", [one.failed_job_registry for one in self._queues], _ended_at),
                    self._registered(
                        "scheduled", [one.scheduled_job_registry for one in self._queues], _queued_at
                    ),
                ),
                tuple(sorted((_worker(one) for one in self._workers()), key=lambda one: one.name)),
            )

    def retry(self, job_id: str) -> bool:
        """Queue a failed job again; tell whether there was such a job."""
        with _asking():
            for queue in self._queues:
                with suppress(NoSuchJobError, InvalidJobOperation, ValueError):
                    queue.failed_job_registry.requeue(job_id)
                    return True
        return False

    def discard(self, job_id: str) -> bool:
        """Delete a job that is not running; tell whether there was such a job.

        Its work is derived from the log again: the clock plays a bot's turn that nobody else plays.
        """
        with _asking():
            try:
                job = Job.fetch(job_id, connection=self._connection, serializer=JSONSerializer)
                if job.get_status() not in _DISCARDED:
                    return False
                job.delete()
            except (NoSuchJobError, InvalidJobOperation, ValueError):
                return False
        return True

    def _workers(self) -> Sequence[BaseWorker]:
        return Worker.all(queue=self._queue, serializer=JSONSerializer)

    def _registered(
        self, kind: Kind, registries: Sequence[BaseRegistry], since: Callable[[Job], datetime | None]
    ) -> Jobs:
        ids = [job_id for one in registries for job_id in one.get_job_ids(0, MOST_JOBS - 1, cleanup=False)]
        return self._kind(kind, sum(one.get_job_count(cleanup=False) for one in registries), ids, since)

    def _kind(
        self, kind: Kind, count: int, ids: Sequence[str], since: Callable[[Job], datetime | None]
    ) -> Jobs:
        ids = ids[:MOST_JOBS]
        found = Job.fetch_many(ids, connection=self._connection, serializer=JSONSerializer) if ids else []
        seen = (
            JobSeen(job_id, "", "", None)
            if job is None
            else _seen(job, since(job), is_failed=kind == "failed")
            for job_id, job in zip(ids, found, strict=True)
        )
        return Jobs(kind, count, tuple(seen))


def _seen(job: Job, since: datetime | None, *, is_failed: bool) -> JobSeen:
    match, trace = _arguments(job)
    return JobSeen(job.id, match, trace, _instant(since), _reason(job) if is_failed else "")


def _arguments(job: Job) -> tuple[str, str]:
    try:
        match, trace, *_ = map(str, job.args)
    except (DeserializationError, ValueError):
        return "", ""
    return match, trace


def _reason(job: Job) -> str:
    result = job.latest_result()
    lines = ((result.exc_string if result is not None else None) or "").strip().splitlines()
    return lines[-1] if lines else ""


def _queued_at(job: Job) -> datetime | None:
    return job.enqueued_at or job.created_at


def _started_at(job: Job) -> datetime | None:
    return job.started_at


def _ended_at(job: Job) -> datetime | None:
    return job.ended_at


def _worker(worker: BaseWorker) -> WorkerSeen:
    return WorkerSeen(
        name=worker.name,
        state=str(worker.get_state()),
        pid=worker.pid or 0,
        job=worker.get_current_job_id() or "",
        heartbeat=_instant(worker.last_heartbeat),
        done=worker.successful_job_count,
        failed=worker.failed_job_count,
    )


def _instant(moment: datetime | None) -> Instant | None:
    return None if moment is None else instant_of(moment)


@contextmanager
def _asking() -> Iterator[None]:
    try:
        yield
    except (RedisError, OSError) as error:
        raise JobStoreUnavailable(str(error)) from error
