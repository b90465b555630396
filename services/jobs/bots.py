"""The queue of bots' turns on its server, for those who send jobs, those who take them, and those who look."""

from typing import Final

import redis
from redis.backoff import NoBackoff
from redis.retry import Retry
from rq import Queue
from rq.serializers import JSONSerializer

QUEUE_NAME: Final = "bots"

SENDING_SECONDS: Final = 2.0
"""How long a question to the queue's server may take."""


def bots_queue(connection: "redis.Redis") -> Queue:
    """Return the queue of bots' turns on a server.

    JSON, not pickle: who can write to the queue's server must not be able to run code here.
    """
    return Queue(QUEUE_NAME, connection=connection, serializer=JSONSerializer)


def connect(job_store_url: str) -> "redis.Redis":
    """Return a client of the jobs' server that gives up soon: what it would send can be derived again.

    Only a broken connection is tried once more, such as one that the server closed when it was started anew.
    """
    return redis.Redis.from_url(
        job_store_url,
        socket_connect_timeout=SENDING_SECONDS,
        socket_timeout=SENDING_SECONDS,
        retry=Retry(NoBackoff(), 1, supported_errors=(redis.ConnectionError,)),
    )
