"""Access to the queue of bots' turns, for code that sends jobs, takes them or looks at them."""

from typing import Final

import redis
from rq import Queue
from rq.serializers import JSONSerializer

QUEUE_NAME: Final = "bots"


def bots_queue(connection: "redis.Redis") -> Queue:
    """Return the queue of bots' turns on a server.

    JSON, not pickle: whoever can write to the queue's server must not be able to run code here.
    """
    return Queue(QUEUE_NAME, connection=connection, serializer=JSONSerializer)
