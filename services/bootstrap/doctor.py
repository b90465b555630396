"""What ``tablee doctor`` works with, put together."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

from services.bootstrap import present_instant
from services.bootstrap.clients import LOOKING, client
from services.bootstrap.log_parts import LogParts
from services.bootstrap.queue import opened_queue
from services.jobs.servers import JobServers
from services.watch.doctor.diagnosis import Diagnosis
from services.watch.doctor.examination import Examiner, Moment
from services.watch.doctor.projection_rows import RowLooker
from services.watch.doctor.queue import JobsAsked
from services.watch.doctor.repairs import Repaired, Repairer, rebuilt_rows
from services.watch.doctor.rounds import Practice
from services.watch.kept_records import KeptRecords


def practice_on(parts: LogParts, moment: Moment) -> Practice:
    """Return what the rounds are made with."""
    return Practice(
        parts.store,
        parts.log_client,
        parts.archive,
        parts.digests,
        parts.closed,
        moment,
        parts.live_store.look,
    )


def examiner_on(parts: LogParts, moment: Moment) -> Examiner:
    """Return what examines single matches."""
    shards = parts.live_store.shards
    records, rows = KeptRecords(parts.log_client, shards), RowLooker(parts.log_client, shards)
    return Examiner(parts.live_store, parts.store, parts.archive, records, rows, moment)


def repairer_on(parts: LogParts) -> Repairer:
    """Return what repairs single matches."""
    return Repairer(parts.live_store, parts.log_client)


async def rows_rebuilt_on(parts: LogParts, findings: list[Diagnosis]) -> list[Repaired]:
    """Build all rows anew because some of them are wrong."""
    return await rebuilt_rows(parts.store, parts.log_client, findings, present_instant)


@asynccontextmanager
async def opened_job_queues(servers: JobServers | None) -> AsyncIterator[JobsAsked | None]:
    """Open the servers for jobs; None if nobody says where they are."""
    if servers is None:
        yield None
        return
    async with AsyncExitStack() as stack:
        queues = stack.enter_context(opened_queue(servers))
        clients = [await stack.enter_async_context(client(url, LOOKING)) for url in servers.urls]
        yield JobsAsked(queues, tuple(clients))
