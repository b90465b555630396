"""The queues of jobs: where the loops put bots' turns, and where RQ workers take them from.

Jobs carry ids only. The queue's server may lose everything: whatever is still needed is derived from the log again.
"""

import time
from collections.abc import Callable, Sequence

import redis
from redis.exceptions import RedisError
from rq import Queue
from rq.exceptions import DuplicateJobError

from services.jobs.bots import alone_queue, bots_queue
from services.jobs.errors import JobStoreUnavailable
from services.jobs.servers import Spread

JOB_SECONDS = 30
"""How long a job may run before RQ ends it."""

LEFT_ALONE_SECONDS = 5.0
"""How long the queue's server is not asked again after it has taken a question and given no answer."""

_FAILURE_KEPT_SECONDS = 600
_MARK = "tablee:jobs:sent"


class BotsQueue:
    """The queue for those who send.

    A server that does not answer is left alone for some seconds. Otherwise whoever sends would wait in vain for each
    single job, and the clock, which plays the turns that nobody else plays, would come late to all of them.
    """

    def __init__(
        self,
        connection: "redis.Redis",
        clock: Callable[[], float] = time.monotonic,
        *,
        is_one_of_several: bool = False,
    ) -> None:
        """Take a connection.

        Args:
            connection: To the queue's server.
            clock: A monotonic clock.
            is_one_of_several: Whether senders must not wait for this server twice: once it was silent, only
                :meth:`was_emptied` finds out whether it answers again.
        """
        self._connection = connection
        self._is_one_of_several = is_one_of_several
        self._queue = bots_queue(connection)
        self._alone = alone_queue(connection)
        self._clock = clock
        self._asked_again_at: float | None = None

    def send(
        self, job_id: str, match: str, trace: str, unless: Sequence[str] = (), *, alone: bool = False
    ) -> bool:
        """Queue a job that plays the bots' turns of a match.

        Args:
            job_id: The bot's command id and the attempt: the same turn is queued once for each attempt.
            match: The match's id.
            trace: Correlation id.
            unless: Ids of jobs that do for this one, as long as they wait in the queue.
            alone: Whether only bots play there: nobody waits for this job.

        Returns:
            Whether it was queued; False when it was already, or when one that does for it waits.

        Raises:
            JobStoreUnavailable: The queue's server did not take it.
        """
        try:
            queue = self._alone if alone else self._queue
            if unless and self._ask(lambda: self._any_waits(queue, unless)):
                return False
            self._ask(lambda: self._enqueue(queue, job_id, match, trace))
        except DuplicateJobError:
            return False
        return True

    def was_emptied(self) -> bool:
        """Tell whether the server has lost what was sent to it since this was asked last, or never got anything.

        Raises:
            JobStoreUnavailable: It did not answer.
        """
        return bool(self._ask(lambda: self._connection.set(_MARK, 1, nx=True), is_trial=True))

    def _ask(self, question: Callable[[], object], *, is_trial: bool = False) -> object:
        is_left_alone = self._asked_again_at is not None and (
            self._clock() < self._asked_again_at or (self._is_one_of_several and not is_trial)
        )
        if is_left_alone:
            raise JobStoreUnavailable("it did not answer a moment ago")
        try:
            answer = question()
        except redis.TimeoutError as error:
            self._asked_again_at = self._clock() + LEFT_ALONE_SECONDS
            raise JobStoreUnavailable(str(error)) from error
        except (RedisError, OSError) as error:
            raise JobStoreUnavailable(str(error)) from error
        self._asked_again_at = None
        return answer

    def _any_waits(self, queue: Queue, job_ids: Sequence[str]) -> bool:
        # The list itself is looked at: a job that died with its worker may be told "queued" for minutes.
        with self._connection.pipeline(transaction=False) as pipeline:
            for job_id in job_ids:
                pipeline.lpos(queue.key, job_id)
            return any(place is not None for place in pipeline.execute())

    def _enqueue(self, queue: Queue, job_id: str, match: str, trace: str) -> None:
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


class SpreadQueue(BotsQueue):
    """The same on several servers, of which each carries the jobs of its matches. One that is away stops no other."""

    def __init__(self, connections: Spread["redis.Redis"]) -> None:
        self._servers = connections.servers
        is_one_of_several = len(connections.all) > 1
        self._queues = [BotsQueue(one, is_one_of_several=is_one_of_several) for one in connections.all]

    def send(
        self, job_id: str, match: str, trace: str, unless: Sequence[str] = (), *, alone: bool = False
    ) -> bool:
        """Queue a job on its match's server; see :meth:`BotsQueue.send`."""
        return self._queues[self._servers.index_of(match)].send(job_id, match, trace, unless, alone=alone)

    def was_emptied(self) -> bool:
        """Tell whether one of the servers has lost what was sent to it since this was asked last.

        Raises:
            JobStoreUnavailable: None has, as far as they answer, and one did not.
        """
        emptied, silent = False, None
        for queue in self._queues:
            try:
                emptied |= queue.was_emptied()
            except JobStoreUnavailable as error:
                silent = error
        if silent is not None and not emptied:
            raise silent
        return emptied
