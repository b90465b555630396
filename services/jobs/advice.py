"""Asking for an expert's advice, and where it is kept: for a month on the jobs' server, and made again when lost."""

from collections.abc import Callable
from typing import Final, TypeVar

import redis
from redis.exceptions import RedisError
from rq.exceptions import DuplicateJobError

from services.jobs.bots import alone_queue
from services.jobs.errors import JobStoreUnavailable

Answer = TypeVar("Answer")

JOB_SECONDS: Final = 15
"""How long the expert may take before RQ ends it."""

_KEPT_SECONDS: Final = 30 * 86_400
_FAILURE_KEPT_SECONDS: Final = 600


class AdviceDesk:
    """The desk at which advice is asked for and fetched. Its jobs wait behind all bots at which people wait."""

    def __init__(self, connection: "redis.Redis") -> None:
        self._connection = connection

    def fetch(self, match: str, version: int, seat: int) -> bytes | None:
        """Return the advice on a turn, as it was kept; None if there is none yet, and then ask for it.

        Raises:
            JobStoreUnavailable: The jobs' server did not answer.
        """
        kept = self._ask(lambda: self._connection.get(_key(match, version, seat)))
        if isinstance(kept, bytes):
            return kept
        self._ask(lambda: self._send(match, version, seat))
        return None

    def keep(self, match: str, version: int, seat: int, advice: bytes) -> None:
        """Keep the advice on a turn.

        Raises:
            JobStoreUnavailable: The jobs' server did not take it.
        """
        self._ask(lambda: self._connection.set(_key(match, version, seat), advice, ex=_KEPT_SECONDS))

    def _send(self, match: str, version: int, seat: int) -> None:
        try:
            alone_queue(self._connection).enqueue_call(
                "workers.advice_jobs.advise_on",
                args=(match, version),
                job_id=f"advice-{match}-{version}-{seat}",
                unique=True,
                timeout=JOB_SECONDS,
                result_ttl=0,
                failure_ttl=_FAILURE_KEPT_SECONDS,
                description=match,
            )
        except DuplicateJobError:
            return

    def _ask(self, question: Callable[[], Answer]) -> Answer:
        try:
            return question()
        except (RedisError, OSError) as error:
            raise JobStoreUnavailable(str(error)) from error


def _key(match: str, version: int, seat: int) -> str:
    return f"tablee:advice:{match}:{version}:{seat}"
