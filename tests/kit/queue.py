"""A queue of bots' jobs that keeps what it was sent, and may be unreachable or lose everything."""

from collections.abc import Sequence
from typing import NamedTuple

from services.jobs.errors import JobStoreUnavailable
from workers.jobs import BotsQueue


class Sent(NamedTuple):
    """A job as it was sent."""

    job_id: str
    match: str
    trace: str


class FakeQueue(BotsQueue):
    """Stands in for the queue on its server. Empty at first, and already asked whether it was emptied.

    Attributes:
        sent: All accepted jobs, oldest first.
        away: Whether the server does not answer.
        emptied: Whether the server has just lost everything.
        alone: The matches of bots only.
        long: Whether jobs still wait in the queue; if not, workers have taken them.
    """

    def __init__(self) -> None:
        self.sent: list[Sent] = []
        self.away = False
        self.emptied = False
        self.long = False
        self.alone: set[str] = set()

    def send(
        self, job_id: str, match: str, trace: str, unless: Sequence[str] = (), *, alone: bool = False
    ) -> bool:
        """Accept a job, unless one with this id is here."""
        self._check()
        known = {job_id, *(unless if self.long else ())}
        if any(job.job_id in known for job in self.sent):
            return False
        self.sent.append(Sent(job_id, match, trace))
        if alone:
            self.alone.add(match)
        return True

    def was_emptied(self) -> bool:
        """Tell whether everything was lost since the last call."""
        self._check()
        emptied, self.emptied = self.emptied, False
        return emptied

    def _check(self) -> None:
        if self.away:
            raise JobStoreUnavailable("gone fishing")

    @property
    def matches(self) -> list[str]:
        """The matches that jobs were sent for."""
        return [job.match for job in self.sent]
