"""What works on the queues of bots' turns, put together."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING

import redis

from services.bootstrap.clients import SENDING, Purpose, blocking_client
from services.jobs.servers import JobServers, Spread

if TYPE_CHECKING:
    from services.jobs.queues import JobQueues


@contextmanager
def opened_jobs(servers: JobServers, purpose: Purpose) -> Iterator[Spread["redis.Redis"]]:
    """Open clients of all servers for jobs."""
    with ExitStack() as stack:
        yield Spread(servers, lambda url: stack.enter_context(blocking_client(url, purpose)))


@contextmanager
def opened_queue(servers: JobServers) -> Iterator["JobQueues"]:
    """Open the queues, for as long as an operator's question takes."""
    # Loaded only for those who look: RQ takes memory that everybody else can do without.
    from services.jobs.queues import JobQueues

    with opened_jobs(servers, SENDING) as connections:
        yield JobQueues(connections)
