"""A process of the service: its description, and its state over all its starts."""

import enum
import math
import os
import subprocess
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import msgspec
import structlog

from services.log.embedded.processes import start_dependent, sweep
from services.log.embedded.start_report import StartReport
from services.log.embedded.stores import Answer, Store

_log = structlog.get_logger("tablee.supervision")

# Seconds before the second, third, … start in a row; the last one repeats.
_BACKOFF = (0.0, 0.5, 1.0, 2.0, 5.0)
# A process that was ready for this long has recovered, and its next end starts a new row. The pauses exist so that
# repeated failures do not use up the machine; one start in so many seconds does not.
_STABLE_AFTER = 5.0
# How often a watched process is listened to. If more than twice this has passed, the supervisor itself was frozen or
# the machine asleep, and so perhaps were its processes.
LISTEN_EVERY = 1.0


class Child(msgspec.Struct, frozen=True, kw_only=True):
    """The description of one process of the service.

    Attributes:
        name: For people: ``log store``, ``API``, ``worker 1``.
        needs: Names of processes that must be ready before this one starts, and that stop after it.
        environment: Its whole environment; by default the supervisor's own.
        reports: Whether it calls ``services.log.embedded.start_report.report_started`` itself when it is ready.
        longest_silence: After how many seconds without a sign of life it is killed; None if it is not watched. A frozen
            process does not end by itself, and its work would wait for ever.
        awaited: Whether the service is ready only once this process is.
        ready: Probes the process repeatedly after the start; must answer within a second. An OSError or ValueError
            means "not yet": a probe of a starting process may lose its connection. Without this and ``reports``, the
            process counts as ready once it has been started.
        busy: Tells whether it is alive but still preparing, such as reading its files; then the patience starts again.
        patience: Seconds until it must be ready.
        grace: Seconds between SIGTERM and SIGKILL.
        inherited: File descriptors that stay open in it.
        output: A file for its standard output and error; by default the supervisor's own.
        explanation: Returns what is known of the cause, and how to go on, for the message if it does not start.
    """

    name: str
    argv: tuple[str, ...]
    needs: tuple[str, ...] = ()
    environment: Mapping[str, str] | None = None
    reports: bool = False
    longest_silence: float | None = None
    awaited: bool = True
    ready: Callable[[], bool] | None = None
    busy: Callable[[], bool] | None = None
    patience: float = 30.0
    grace: float = 10.0
    inherited: tuple[int, ...] = ()
    output: Path | None = None
    explanation: Callable[[], str] | None = None


def store_child(store: Store) -> Child:
    """Describe an embedded store as a process of the service."""
    return Child(
        name=store.name,
        argv=store.argv,
        ready=store.is_ready,
        busy=lambda: store.answer() is Answer.LOADING,
        inherited=store.inherited,
        output=store.output,
        explanation=store.explanation,
    )


class Phase(enum.Enum):
    """Where a process is in its life."""

    WAITING = "waiting"  # for what it needs, or for its next start
    STARTING = "starting"
    READY = "ready"
    STOPPING = "stopping"
    ENDED = "ended"  # and not to be started again


class Keeper:
    """One process over all its starts and ends.

    Attributes:
        was_ready: Whether it has been ready at least once.
        deadline: When to act on it if nothing happens before, in monotonic seconds.
    """

    def __init__(self, child: Child) -> None:
        self.child = child
        self.phase = Phase.WAITING
        self.was_ready = False
        self.deadline = 0.0
        self._process: subprocess.Popen[bytes] | None = None
        self._report: StartReport | None = None
        self._reported = False
        self._ready_at = 0.0
        self._silent_for = 0.0
        self._listened_at = 0.0
        self._failures = 0

    @property
    def is_up(self) -> bool:
        """Whether it is ready, or starting without being awaited."""
        return self.phase is Phase.READY or (self.phase is Phase.STARTING and not self.child.awaited)

    @property
    def is_watched(self) -> bool:
        """Whether it must give signs of life now."""
        return self.phase is Phase.READY and self.child.longest_silence is not None

    @property
    def pid(self) -> int | None:
        """The process id while it runs."""
        return self._process.pid if self._process is not None else None

    @property
    def status(self) -> int | None:
        """The exit status of a process that has ended and was not cleared yet."""
        return self._process.poll() if self._process is not None else None

    def start(self) -> None:
        """Start the process.

        Raises:
            OSError: The system cannot start it now, for want of memory, processes or room for its log.
        """
        child = self.child
        report = StartReport() if child.reports else None
        variables = dict(os.environ if child.environment is None else child.environment)
        try:
            self._process = start_dependent(
                child.argv,
                environment=variables | (report.environment if report else {}),
                inherited=(*child.inherited, *([report.descriptor] if report else [])),
                output=child.output,
            )
        except OSError:
            if report is not None:
                report.started()
                report.close()
            raise
        if report is not None:
            report.started()
        self._report = report
        self._reported = False
        self.phase = Phase.STARTING
        self.deadline = time.monotonic() + child.patience
        _log.debug("process started", child=child.name, pid=self.pid)

    def check_ready(self) -> bool:
        """Probe a starting process; if it is ready, mark it so."""
        if self._report is not None and not self._reported:
            self._reported = self._report.heard()
            if not self._reported:
                return False
        if not _says_yes(self.child.ready, otherwise=True):
            if _says_yes(self.child.busy, otherwise=False):
                self.deadline = time.monotonic() + self.child.patience
            return False
        if self.child.longest_silence is None:
            self._close_report()
        self.phase = Phase.READY
        self._ready_at = self._listened_at = time.monotonic()
        self._silent_for = 0.0
        if self.was_ready:
            _log.info("process is back", child=self.child.name, pid=self.pid)
        self.was_ready = True
        return True

    def listen(self) -> None:
        """Note a watched process's signs of life, and kill it if there were none for too long."""
        now = time.monotonic()
        passed, self._listened_at = now - self._listened_at, now
        if self._report is None or self._report.heard():
            self._silent_for = 0.0
            return
        self._silent_for += min(passed, 2 * LISTEN_EVERY)
        if self.child.longest_silence is not None and self._silent_for > self.child.longest_silence:
            self.kill(f"no sign of life for {self._silent_for:.0f} s")

    def clear(self) -> int:
        """Collect a process that has ended, and kill what it left behind; return its exit status."""
        assert self._process is not None  # noqa: S101 - asked for only after its end was seen
        status = self._process.wait()
        sweep(self._process.pid)
        self._process = None
        self._close_report()
        return status

    def _close_report(self) -> None:
        if self._report is not None:
            self._report.close()
            self._report = None

    def plan_restart(self, status: int) -> None:
        """Schedule another start after a pause, which grows with every failure in a row."""
        if self.phase is Phase.READY and time.monotonic() - self._ready_at > _STABLE_AFTER:
            self._failures = 0
        pause = self._wait_longer()
        _log.warning("process ended, starting it again", child=self.child.name, status=status, after=pause)

    def put_off(self, reason: str) -> None:
        """Postpone a start that failed just now by a pause, which grows with every failure in a row."""
        pause = self._wait_longer()
        _log.warning("process cannot be started now", child=self.child.name, reason=reason, after=pause)

    def _wait_longer(self) -> float:
        pause = _BACKOFF[min(self._failures, len(_BACKOFF) - 1)]
        self._failures += 1
        self.phase = Phase.WAITING
        self.deadline = time.monotonic() + pause
        return pause

    def terminate(self) -> None:
        """Ask the process to end; after its grace it is killed."""
        if self._process is None:
            self.phase = Phase.ENDED
            return
        self._process.terminate()
        self.phase = Phase.STOPPING
        self.deadline = time.monotonic() + self.child.grace

    def kill(self, why: str) -> None:
        """Kill the process; its end is noticed like any other."""
        if self._process is not None and self.deadline != math.inf:
            _log.warning("process killed", child=self.child.name, why=why)
            self._process.kill()
            self.deadline = math.inf


def _says_yes(question: Callable[[], bool] | None, *, otherwise: bool) -> bool:
    """Return a probe's answer, or ``otherwise`` without a probe; a lost connection counts as no."""
    if question is None:
        return otherwise
    try:
        return question()
    except (OSError, ValueError) as error:
        _log.debug("no answer yet", reason=str(error))
        return False
