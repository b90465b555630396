"""What an operator sees of the queue. Without RQ, so that whoever shows it need not load that."""

from typing import Final, Literal

import msgspec

from domain.instants import Instant

MOST_JOBS: Final = 50
"""How many jobs of each kind are told, the next ones first."""

Kind = Literal["queued", "running", "failed", "scheduled"]


class JobSeen(msgspec.Struct, frozen=True):
    """A job.

    Attributes:
        id: Its id: the bot's command id and the attempt.
        match: The match whose bots it moves; empty if its arguments cannot be read.
        trace: Correlation id of what made the bots move.
        since: When it came where it is; None if RQ does not know.
        reason: Why it failed: the last line of what was raised.
    """

    id: str
    match: str
    trace: str
    since: Instant | None
    reason: str = ""


class Jobs(msgspec.Struct, frozen=True):
    """The jobs of one kind.

    Attributes:
        kind: Where they are.
        count: How many there are.
        seen: The first :data:`MOST_JOBS` of them.
    """

    kind: Kind
    count: int
    seen: tuple[JobSeen, ...]


class WorkerSeen(msgspec.Struct, frozen=True):
    """A process that takes jobs.

    Attributes:
        name: RQ's name for it.
        state: What it does, in RQ's words: ``idle``, ``busy``.
        pid: Its process id; 0 if unknown.
        job: The job on which it works; empty for none.
        heartbeat: Its last sign of life.
        done: How many jobs it has finished.
        failed: How many failed in its hands.
    """

    name: str
    state: str
    pid: int
    job: str
    heartbeat: Instant | None
    done: int
    failed: int


class QueueStanding(msgspec.Struct, frozen=True):
    """How the queue stands.

    Attributes:
        jobs: Its jobs, by kind.
        workers: Those who take them.
    """

    jobs: tuple[Jobs, ...]
    workers: tuple[WorkerSeen, ...]
