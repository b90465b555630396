"""The queues of all servers together, for operators."""

from collections.abc import Callable
from typing import Final

import msgspec
import redis

from services.jobs.errors import JobStoreUnavailable
from services.jobs.seen import MOST_JOBS, Jobs, QueueStanding
from services.jobs.servers import Spread
from services.jobs.standing import JobQueue


class JobQueues:
    """Every method may raise :class:`JobStoreUnavailable` if no server answers, and may block for seconds."""

    def __init__(self, connections: Spread["redis.Redis"]) -> None:
        names = connections.servers.names
        self._queues: Final = {
            name if len(names) > 1 else "": JobQueue(connection)
            for name, connection in zip(names, connections.all, strict=True)
        }

    def look(self) -> QueueStanding:
        """Return the state of the queues, as far as their servers answer."""
        found, away = dict[str, QueueStanding](), dict[str, JobStoreUnavailable]()
        for name, queue in self._queues.items():
            try:
                found[name] = _named(queue.look(), name)
            except JobStoreUnavailable as error:
                away[name] = error
        if not found:
            raise next(iter(away.values()))
        standings = tuple(found.values())
        return QueueStanding(
            tuple(_together(several) for several in zip(*(one.jobs for one in standings), strict=True)),
            tuple(worker for one in standings for worker in one.workers),
            tuple(filter(None, found)),
            tuple(away),
        )

    def retry(self, job_id: str) -> bool:
        """Queue a failed job again; tell whether there was such a job."""
        return self._any(lambda queue: queue.retry(job_id))

    def discard(self, job_id: str) -> bool:
        """Delete a job that is not running; tell whether there was such a job."""
        return self._any(lambda queue: queue.discard(job_id))

    def _any(self, act: Callable[[JobQueue], bool]) -> bool:
        silent: JobStoreUnavailable | None = None
        for queue in self._queues.values():
            try:
                if act(queue):
                    return True
            except JobStoreUnavailable as error:
                silent = error
        if silent is not None:
            raise silent
        return False


def _named(standing: QueueStanding, server: str) -> QueueStanding:
    replace = msgspec.structs.replace
    return QueueStanding(
        tuple(
            replace(jobs, seen=tuple(replace(job, server=server) for job in jobs.seen))
            for jobs in standing.jobs
        ),
        tuple(replace(worker, server=server) for worker in standing.workers),
    )


def _together(several: tuple[Jobs, ...]) -> Jobs:
    if len(several) == 1:
        return several[0]
    seen = sorted((job for jobs in several for job in jobs.seen), key=lambda job: job.since or "")
    return Jobs(several[0].kind, sum(jobs.count for jobs in several), tuple(seen[:MOST_JOBS]))
