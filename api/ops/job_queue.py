"""Questions to the job queues, asked beside the event loop: any question, or the jobs of one match."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from services.bootstrap.queue import opened_queue
from services.jobs.errors import JobStoreUnavailable
from services.jobs.seen import JobSeen, Kind
from services.jobs.servers import JobServers

if TYPE_CHECKING:
    from services.jobs.queues import JobQueues

T = TypeVar("T")


async def ask_queue(servers: JobServers, question: Callable[["JobQueues"], T]) -> T:
    """Return the answer to a question, which runs in a thread of its own.

    Raises:
        JobStoreUnavailable: None of the servers that could answer did.
    """

    def asked() -> T:
        with opened_queue(servers) as queue:
            return question(queue)

    return await asyncio.to_thread(asked)


async def jobs_of(match: str, servers: JobServers | None) -> tuple[tuple[Kind, JobSeen], ...] | None:
    """Return the jobs of a match among the first of each kind; None without a queue, or when it does not answer."""
    if servers is None:
        return None
    try:
        found = await ask_queue(servers, lambda queue: queue.look())
    except JobStoreUnavailable:
        return None
    return tuple((jobs.kind, seen) for jobs in found.jobs for seen in jobs.seen if seen.match == match)
