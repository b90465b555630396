"""The jobs of one match that the queue holds now."""

import msgspec

from api.ops.job_queue import ask_queue
from api.ops.match_looking import Look
from services.jobs.errors import JobStoreUnavailable
from services.jobs.seen import JobSeen, Kind


class MatchJob(msgspec.Struct, frozen=True):
    """A job of the match.

    Attributes:
        kind: Where it is.
        seen: What the queue says of it.
    """

    kind: Kind
    seen: JobSeen


async def jobs_of(look: Look) -> tuple[MatchJob, ...] | None:
    """Return the jobs of a match that the queue holds, among the first of each kind.

    Returns:
        The jobs; None if there is no queue, or its server does not answer.
    """
    url = look.visit.parts.settings.job_store_url
    if url is None:
        return None
    try:
        found = await ask_queue(url, lambda queue: queue.look())
    except JobStoreUnavailable:
        return None
    return tuple(
        MatchJob(jobs.kind, seen) for jobs in found.jobs for seen in jobs.seen if seen.match == look.match
    )
