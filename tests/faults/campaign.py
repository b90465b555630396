"""Rounds of faults on one running service, and their results."""

import random
import time
from typing import NamedTuple

from tests.faults.crowd import Crowd
from tests.faults.list_check import lists_that_differ
from tests.faults.log_check import Findings, check_log
from tests.faults.running_service import RunningService, waited_for_a_core
from tests.faults.strikes import WHOLE_SERVICE, Fault, Scene
from tests.faults.waiting import until_true

READY_WITHIN = 3.0
"""Seconds until the service must be ready again, less those spent waiting for a core of a busy machine."""

BOT_TURN_WITHIN = 60.0
"""The longest that a bot's turn may stay open, in seconds."""

UNNOTICED_WAIT = 5.0
"""The longest wait of a person's command, in seconds, on a busy machine, during a fault that nobody should notice."""

_AGAIN_PATIENCE = 60.0
_NEVER = ("request_failed", "match_parked", "match_unreadable", "bot_failed")
"""Messages that the service log must never hold, whatever happens to processes and stores."""


class Round(NamedTuple):
    """One fault, once.

    Attributes:
        fault: Its name.
        began: When, in monotonic seconds.
        ready_after: Seconds from its end until the service was ready again.
        waited: How many of those seconds its processes waited for a core.
    """

    fault: str
    began: float
    ready_after: float
    waited: float

    @property
    def ready_after_work(self) -> float:
        return max(0.0, self.ready_after - self.waited)


class Campaign:
    """A service and its crowd, under one fault after the other."""

    def __init__(self, service: RunningService, crowd: Crowd, seed: int, others: int = 1) -> None:
        self.rounds: list[Round] = []
        self._scene = Scene(service, crowd, random.Random(seed))
        # Loops and workers start after the API, so people may have begun without them.
        until_true(lambda: service.lines("bots_played"), seconds=_AGAIN_PATIENCE, what="a bot's move")
        for told in ("api_serves", "leases"):
            until_true(
                lambda told=told: len(service.lines(told)) >= others,
                seconds=_AGAIN_PATIENCE,
                what=f"{others} processes that say {told}",
            )
        # What the supervisor heard of their start it says when they are back.
        time.sleep(1.0 if others > 1 else 0.0)

    def run(self, fault: Fault) -> Round:
        """Strike once and wait until the service is ready again.

        Raises:
            AssertionError: The fault had effects that it must not have; carries the end of the service log as a note.
        """
        try:
            return self._run(fault)
        except AssertionError as error:
            error.add_note(self._scene.service.last_words())
            raise

    def _run(self, fault: Fault) -> Round:
        service, crowd = self._scene.service, self._scene.crowd
        killed = [name for name in fault.killed if name != WHOLE_SERVICE]
        told, back = self._ends_told(), self._backs_told()
        began = time.monotonic()
        over = fault.strike(self._scene)
        until_true(
            lambda: self._backs_told() == back + len(killed) and service.is_ready(),
            seconds=_AGAIN_PATIENCE,
            pause=0.03,
            what=f"ready again after: {fault.name}",
        )
        ready_after = time.monotonic() - over
        waited = sum(map(waited_for_a_core, self._awaited(fault)))
        crowd.wait_for_answers(time.monotonic())
        if not fault.people_notice:
            assert crowd.ledger.troubles_since(began) == [], fault.name
            assert crowd.ledger.longest_wait(began) <= UNNOTICED_WAIT, fault.name
        ended = self._ends_told()[len(told) :]
        assert sorted(ended) == sorted(killed), f"{fault.name}: the service log tells the end of {ended}"
        self.rounds.append(Round(fault.name, began, ready_after, waited))
        return self.rounds[-1]

    def finish(self) -> Findings:
        """Stop all people, let the bots finish their turns, and check the log."""
        crowd, service = self._scene.crowd, self._scene.service
        # Play must have resumed wherever a strike left a turn open.
        crowd.wait_for_moves(self.rounds[-1].began if self.rounds else 0.0)
        crowd.stop()
        crowd.require_no_failure()
        crowd.settle()
        for message in _NEVER:
            assert service.lines(message) == []
        url = service.log_store_url
        until_true(lambda: not lists_that_differ(url), seconds=_AGAIN_PATIENCE, what="the lists are complete")
        return check_log(url, crowd.ledger.acknowledged)

    def _awaited(self, fault: Fault) -> list[int]:
        """Return the processes that had to start, one after the other, before the service was ready again."""
        service = self._scene.service
        pids = service.pids
        if WHOLE_SERVICE in fault.killed:
            return [service.pid, pids["log store"], pids["API"]]
        return [pids[name] for name in fault.killed[:1]]

    def _ends_told(self) -> list[str]:
        lines = self._scene.service.lines("process ended, starting it again")
        return [str(line["child"]) for line in lines if line["status"] == -9]

    def _backs_told(self) -> int:
        return len(self._scene.service.lines("process is back"))
