"""Making sure, at a process's start, that the servers for jobs are this installation's, and the same for all."""

from contextlib import suppress

import redis
import structlog

from services.errors import BelongsElsewhere
from services.jobs.claim import claim_all, claim_jobs
from services.jobs.errors import JobStoreUnavailable
from services.jobs.servers import JobServers, Spread, job_servers
from services.log.secret_mark import mark_of
from services.process.settings import Settings, installation_secret

_log = structlog.get_logger(__name__)


def own_servers(settings: Settings) -> JobServers:
    """Return the servers for jobs, for a process that is nothing without them."""
    servers = job_servers(settings)
    if servers is None:
        raise SystemExit("TABLEE_JOB_STORE_URL must be set")
    return servers


def own_index(servers: JobServers, arguments: list[str]) -> int:
    """Return which server a worker serves, from 0: its only argument says so, from 1, where there are several."""
    count = len(servers.urls)
    given = arguments[0] if arguments else "1" if count == 1 else ""
    if not (given.isdecimal() and 1 <= int(given) <= count):
        raise SystemExit(
            f"There are {count} servers for jobs (TABLEE_JOB_STORE_URL), and a worker serves one: give its number, "
            f"from 1 to {count}, as the argument."
        )
    return int(given) - 1


def require_own_jobs_or_end(connection: "redis.Redis", settings: Settings, place: str) -> None:
    """Claim the server that this process serves; end the process if it is not this installation's, or another one."""
    try:
        with suppress(JobStoreUnavailable):
            claim_jobs(connection, mark_of(installation_secret(settings)), place)
    except BelongsElsewhere as error:
        _log.critical("worker_not_started", code=error.code, reason=str(error))
        raise SystemExit(1) from None


def require_own_jobs(connections: Spread["redis.Redis"], settings: Settings) -> None:
    """Claim all servers; one that does not answer is claimed by the loops when it does.

    Raises:
        BelongsElsewhere: Another installation uses one, or other processes use others.
    """
    claim_all(connections.servers, connections.all, mark_of(installation_secret(settings)))
