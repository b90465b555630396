"""Questions to the job queue, asked beside the event loop."""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

from services.bootstrap.queue import opened_queue

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
