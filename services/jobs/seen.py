"""What operators see of the queue. Free of RQ, so that code that displays it need not load RQ."""

from typing import Final, Literal

import msgspec

from domain.instants import Instant

MOST_JOBS: Final = 50
"""How many jobs of each kind are shown, the next ones first."""

Kind = Literal["queued", "running", "failed", "scheduled"]


class JobSeen(msgspec.Struct, frozen=True):
    """A job in the queue.

    Attributes:
        id: Its id: the bot's command id and the attempt.
        match: The match whose bots it moves; empty if its arguments cannot be read.
        trace: Correlation id of the command that asked the bots to move.
        since: When it entered its present state; None if RQ does not know.
        reason: Why it failed: the last line of the exception.
        server: Which server has it; empty where there is one only.
    """

    id: str
    match: str
    trace: str
    since: Instant | None
    reason: str = ""
    server: str = ""


class Jobs(msgspec.Struct, frozen=True):
    """The jobs of one kind.

    Attributes:
        kind: Their state.
        count: How many there are.
        seen: The first :data:`MOST_JOBS` of them.
    """

    kind: Kind
    count: int
    seen: tuple[JobSeen, ...]


class WorkerSeen(msgspec.Struct, frozen=True):
    """A process that takes jobs.

    Attributes:
        state: What it is doing, in RQ's words: ``idle``, ``busy``.
        pid: Its process id; 0 if unknown.
        job: The job it is working on; empty for none.
        heartbeat: Its last sign of life.
        done: How many jobs it has finished.
        failed: How many of its jobs failed.
        server: From which server it takes them; empty where there is one only.
    """

    name: str
    state: str
    pid: int
    job: str
    heartbeat: Instant | None
    done: int
    failed: int
    server: str = ""


class QueueStanding(msgspec.Struct, frozen=True):
    """The state of the queue.

    Attributes:
        workers: The processes that take them.
        servers: The servers that answered, by name; empty where there is one only.
        away: Those that did not.
    """

    jobs: tuple[Jobs, ...]
    workers: tuple[WorkerSeen, ...]
    servers: tuple[str, ...] = ()
    away: tuple[str, ...] = ()

    @property
    def unserved(self) -> tuple[str, ...]:
        """The servers that answered and from which no worker takes jobs; empty where there is one only."""
        served = {worker.server for worker in self.workers}
        return tuple(name for name in self.servers if name not in served)
