"""The queue of bots' turns on its server, for those who send jobs, those who take them, and those who look."""

from typing import Final

import redis
from rq import Queue
from rq.serializers import JSONSerializer

QUEUE_NAME: Final = "bots"


def bots_queue(connection: "redis.Redis") -> Queue:
    """Return the queue of bots' turns on a server.

    JSON, not pickle: who can write to the queue's server must not be able to run code here.
    """
    return Queue(QUEUE_NAME, connection=connection, serializer=JSONSerializer)
