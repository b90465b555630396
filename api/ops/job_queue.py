"""Questions to the job queue, asked beside the event loop: any question, or the jobs of one match."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from services.bootstrap.queue import opened_queue
from services.jobs.errors import JobStoreUnavailable
from services.jobs.seen import JobSeen, Kind

if TYPE_CHECKING:
    from services.jobs.standing import JobQueue

T = TypeVar("T")


async def ask_queue(job_store_url: str, question: Callable[["JobQueue"], T]) -> T:
    """Return the answer to a question, which runs in a thread of its own.

    Raises:
        JobStoreUnavailable: The queue's server did not answer.
    """

    def asked() -> T:
        with opened_queue(job_store_url) as queue:
            return question(queue)

    return await asyncio.to_thread(asked)


async def jobs_of(match: str, job_store_url: str | None) -> tuple[tuple[Kind, JobSeen], ...] | None:
    """Return the jobs of a match among the first of each kind; None without a queue, or when it does not answer."""
    if job_store_url is None:
        return None
    try:
        found = await ask_queue(job_store_url, lambda queue: queue.look())
    except JobStoreUnavailable:
        return None
    return tuple((jobs.kind, seen) for jobs in found.jobs for seen in jobs.seen if seen.match == match)
