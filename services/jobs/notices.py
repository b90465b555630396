"""Access to the queue of notices: apart from the bots' one, so that no bot waits for a mail server."""

from typing import Final

import redis
from redis.exceptions import RedisError
from rq import Queue
from rq.exceptions import DuplicateJobError
from rq.serializers import JSONSerializer

from services.jobs.errors import JobStoreUnavailable
from services.jobs.servers import Spread

NOTICES: Final = "notices"

JOB_SECONDS: Final = 90
"""How long one attempt may take before RQ ends it; less than its claim lasts."""


def notices_queue(connection: "redis.Redis") -> Queue:
    """Return the queue of notices on a server."""
    return Queue(NOTICES, connection=connection, serializer=JSONSerializer)


class NoticesQueue:
    """The queue for those who send. Jobs carry the ids of messages only, and may be lost: they are sent again."""

    def __init__(self, connections: Spread["redis.Redis"]) -> None:
        self._queues = [notices_queue(one) for one in connections.all]
        self._servers = connections.servers

    def send(self, message_id: str) -> bool:
        """Queue one attempt at a message; tell whether it was not queued already.

        Raises:
            JobStoreUnavailable: The queue's server did not take it.
        """
        try:
            self._queues[self._servers.index_of(message_id)].enqueue_call(
                "workers.notice_jobs.deliver",
                args=(message_id,),
                job_id=f"notice-{message_id}",
                unique=True,
                timeout=JOB_SECONDS,
                result_ttl=0,
                failure_ttl=0,
                description=message_id,
            )
        except DuplicateJobError:
            return False
        except (RedisError, OSError) as error:
            raise JobStoreUnavailable(str(error)) from error
        return True
