"""Access to the queues of bots' turns, for code that sends jobs, takes them or looks at them."""

from typing import Final

import redis
from rq import Queue
from rq.serializers import JSONSerializer

QUEUE_NAME: Final = "bots"
"""Turns at tables where people play."""

ALONE_NAME: Final = "bots-alone"
"""Turns at tables of bots only: taken when nobody waits."""


def bots_queue(connection: "redis.Redis") -> Queue:
    """Return the queue of bots' turns at tables where people play.

    JSON, not pickle: whoever can write to the queue's server must not be able to run code here.
    """
    return Queue(QUEUE_NAME, connection=connection, serializer=JSONSerializer)


def alone_queue(connection: "redis.Redis") -> Queue:
    """Return the queue of bots' turns at tables of bots only."""
    return Queue(ALONE_NAME, connection=connection, serializer=JSONSerializer)
