"""What works on the queue of bots' turns, put together."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from services.bootstrap.clients import SENDING, blocking_client

if TYPE_CHECKING:
    from services.jobs.standing import JobQueue


@contextmanager
def opened_queue(job_store_url: str) -> Iterator["JobQueue"]:
    """Open the queue, for as long as an operator's question takes."""
    # Loaded only for those who look: RQ takes memory that everybody else can do without.
    from services.jobs.standing import JobQueue

    with blocking_client(job_store_url, SENDING) as connection:
        yield JobQueue(connection)
