"""The queue of jobs: where the loops put bots' turns, and where RQ workers take them from.

Jobs carry ids only. The queue's server may lose everything: whatever is still needed is derived from the log again.
"""

import redis
import structlog
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry
from rq import Queue
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer

QUEUE_NAME = "bots"

JOB_SECONDS = 60
"""How long a job may run before RQ ends it."""

SENDING_SECONDS = 2.0
"""How long sending a job may take."""

_FAILURE_KEPT_SECONDS = 600

_log = structlog.get_logger(__name__)


def bots_queue(connection: "redis.Redis") -> Queue:
    """Return the queue of bots' turns on a server.

    JSON, not pickle: who can write to the queue's server must not be able to run code here.
    """
    return Queue(QUEUE_NAME, connection=connection, serializer=JSONSerializer)


def connect(job_store_url: str) -> "redis.Redis":
    """Return a client of the jobs' server that gives up soon: what it would send can be derived again."""
    return redis.Redis.from_url(
        job_store_url,
        socket_connect_timeout=SENDING_SECONDS,
        socket_timeout=SENDING_SECONDS,
        retry=Retry(NoBackoff(), 1),
    )


def connect_worker(job_store_url: str) -> "redis.Redis":
    """Return a client of the jobs' server that waits for jobs as long as it takes."""
    return redis.Redis.from_url(job_store_url)


def send_bot_turns(queue: Queue, job_id: str, match: str, trace: str) -> bool:
    """Queue a job that plays the bots' turns of a match.

    Args:
        queue: The queue.
        job_id: The bot's command id and the attempt: the same turn is queued once for each attempt.
        match: The match's id.
        trace: Correlation id.

    Returns:
        Whether it was queued; False when it was already, or when the queue's server is away (the clock tries again).
    """
    try:
        queue.enqueue_call(
            "workers.bot_turns.play",
            args=(match, trace),
            job_id=job_id,
            unique=True,
            timeout=JOB_SECONDS,
            result_ttl=0,
            failure_ttl=_FAILURE_KEPT_SECONDS,
            description=job_id,
        )
    except DuplicateJobError:
        return False
    except (RedisError, OSError) as error:
        _log.warning("jobs_store_unavailable", job=job_id, reason=str(error))
        return False
    return True
