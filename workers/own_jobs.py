"""Making sure, at a process's start, that the jobs' server is this installation's."""

from contextlib import suppress

import redis
import structlog

from services.errors import BelongsElsewhere
from services.jobs.claim import claim_jobs
from services.jobs.errors import JobStoreUnavailable
from services.log.secret_mark import mark_of
from services.process.settings import Settings, installation_secret

_log = structlog.get_logger(__name__)


def require_own_jobs_or_end(connection: "redis.Redis", settings: Settings) -> None:
    """Do the same for a process that does nothing else; end it if the server is not this installation's."""
    try:
        require_own_jobs(connection, settings)
    except BelongsElsewhere as error:
        _log.critical("worker_not_started", code=error.code, reason=str(error))
        raise SystemExit(1) from None


def require_own_jobs(connection: "redis.Redis", settings: Settings) -> None:
    """Claim the jobs' server; one that does not answer is claimed by the loops when it does.

    Raises:
        BelongsElsewhere: Another installation uses it.
    """
    with suppress(JobStoreUnavailable):
        claim_jobs(connection, mark_of(installation_secret(settings)))
