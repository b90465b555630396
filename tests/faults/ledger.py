"""What clients under load were told: the promises that the log must keep."""

from collections import Counter
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, NamedTuple


class Acknowledged(NamedTuple):
    """A command that was answered with a 2xx status.

    Attributes:
        match: The match's id.
        command_id: Its ``Idempotency-Key``; empty if the log shows another id because the key is a secret.
        first: The version of its first event, as answered.
        last: The version of its last event.
        answered: When the answer came, in monotonic seconds.
        sent: When it was sent first.
    """

    match: str
    command_id: str
    first: int
    last: int
    answered: float
    sent: float = 0.0


class Read(NamedTuple):
    """A position that somebody was shown.

    Attributes:
        match: The match's id.
        version: How many events were behind it.
        head: The chain hash at that version, as answered.
        sent: When the request that was answered was sent, in monotonic seconds.
        answered: When the answer came.
    """

    match: str
    version: int
    head: str
    sent: float
    answered: float


class Unknown(NamedTuple):
    """A command whose sender gave up before they heard what became of it."""

    match: str
    command_id: str
    sent: float


class Denied(NamedTuple):
    """A command that was refused, or answered with a 503 that says that nothing has changed."""

    match: str
    command_id: str
    code: str


class Trouble(NamedTuple):
    """A request that was not answered, or answered with 503 or 429, so that the client sent it again.

    Attributes:
        at: When, in monotonic seconds.
        status: 503, 429, or 0 for a connection that broke.
        headers: The answer's headers, in lower case.
        document: The answer's body.
        reason: What broke the connection.
    """

    at: float
    status: int
    headers: Mapping[str, str] = MappingProxyType({})
    document: Mapping[str, Any] = MappingProxyType({})
    reason: str = ""


class Wait(NamedTuple):
    """A person's request, until its answer came."""

    began: float
    ended: float


class Ledger:
    """Filled by many clients at once: appending to a list is one step in Python."""

    def __init__(self) -> None:
        self.acknowledged: list[Acknowledged] = []
        self.unknown: list[Unknown] = []
        self.denied: list[Denied] = []
        self.reads: list[Read] = []
        self.troubles: list[Trouble] = []
        self.refusals: Counter[str] = Counter()
        self.durability: Counter[str] = Counter()
        self.failures: list[BaseException] = []
        self.waits: list[Wait] = []
        self.commands_under_way: set[str] = set()
        self.last_answers: dict[int, float] = {}

    def troubles_since(self, instant: float) -> list[Trouble]:
        return [trouble for trouble in self.troubles if trouble.at >= instant]

    def acknowledged_since(self, instant: float) -> list[Acknowledged]:
        return [told for told in self.acknowledged if told.answered >= instant]

    def longest_wait(self, since: float = 0.0) -> float:
        """Return the longest that a person waited for an answer, resent requests included."""
        return max((wait.ended - wait.began for wait in self.waits if wait.began >= since), default=0.0)
