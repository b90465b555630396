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

    def fetch_review(self, match: str, *, ask: bool = True) -> bytes | None:
        """Return what is known of a match's costly moves; None for nothing yet, and then ask for it.

        Raises:
            JobStoreUnavailable: The jobs' server did not answer.
        """
        kept = self._ask(lambda: self._connection.get(_review_key(match)))
        if isinstance(kept, bytes):
            return kept
        if ask:
            self.ask_for_review(match, 0)
        return None

    def ask_for_review(self, match: str, looked_at: int) -> None:
        """Ask for a look at more turns of a match, of which so many were looked at.

        Raises:
            JobStoreUnavailable: The jobs' server did not take it.
        """
        self._ask(lambda: self._enqueue("review_more", (match,), f"review-{match}-{looked_at}", match))

    def keep_review(self, match: str, review: bytes) -> None:
        """Keep what is known of a match's costly moves.

        Raises:
            JobStoreUnavailable: The jobs' server did not take it.
        """
        self._ask(lambda: self._connection.set(_review_key(match), review, ex=_KEPT_SECONDS))

    def _send(self, match: str, version: int, seat: int) -> None:
        self._enqueue("advise_on", (match, version), f"advice-{match}-{version}-{seat}", match)

    def _enqueue(self, job: str, given: tuple[str | int, ...], job_id: str, match: str) -> None:
        try:
            alone_queue(self._connection).enqueue_call(
                f"workers.advice_jobs.{job}",
                args=given,
                job_id=job_id,
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


def _review_key(match: str) -> str:
    return f"tablee:review:{match}"
