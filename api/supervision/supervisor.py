"""Starts the processes of a service, keeps them running, and stops them in order.

One loop in one thread sleeps until a signal arrives (a child ended, or somebody wants to stop) or until the earliest
deadline, then looks at every process once.
"""

import contextlib
import math
import os
import selectors
import signal
import time
from collections.abc import Callable, Iterator, Sequence

import structlog

from api.supervision.child import LISTEN_EVERY, Child, Keeper, Phase
from api.supervision.errors import ChildFailed

_log = structlog.get_logger("tablee.supervision")

_STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# How often a starting process is probed.
_ASK_EVERY = 0.02
# Stop signals closer together than this count as one.
_SAME_WISH = 0.3
# Signals wake the loop; this is only in case one gets lost.
_LONGEST_SLEEP = 5.0


class Supervisor:
    """The processes of one service.

    A process that ends by itself is restarted, at once the first time, then after pauses of up to five seconds. The
    first SIGINT, SIGTERM or SIGHUP stops them all, each after those that need it; a second one kills them. If the
    supervisor is killed, the kernel kills its processes.
    """

    def __init__(
        self, children: Sequence[Child], *, on_ready: Callable[["Supervisor"], None] | None = None
    ) -> None:
        """Prepare the processes; nothing is started yet.

        Args:
            children: The processes.
            on_ready: Called once all of them are ready for the first time, and again after each restart, so that it can
                publish the new process ids.

        Raises:
            ValueError: Two have the same name, or one needs an unknown one, or they need each other in a circle.
        """
        self._keepers = {child.name: Keeper(child) for child in children}
        if len(self._keepers) != len(children):
            raise ValueError("two processes have the same name")
        _require_order(children)
        self._on_ready = on_ready
        self._announced: dict[str, int] = {}
        self._unannounced = False
        self._came_up = False
        self._stop_requests = 0
        self._last_stop_request = -math.inf
        self._failure: ChildFailed | None = None

    @property
    def pids(self) -> dict[str, int]:
        """The ids of the running processes, by name."""
        return {name: keeper.pid for name, keeper in self._keepers.items() if keeper.pid is not None}

    def stop(self) -> None:
        """Do what a first SIGTERM does. Safe to call from ``on_ready``."""
        self._stop_requests += 1

    def run(self) -> int:
        """Run the service until somebody stops it. Call this in the main thread.

        Returns:
            0: it was stopped on request.

        Raises:
            ChildFailed: A process did not become ready at the first start; the others were stopped.
        """
        with _wakeups(self._on_signal) as wait:
            try:
                pause = self._step()
                while not self._is_over():
                    wait(pause)
                    pause = self._step()
            finally:
                # Anything is left here only after an unforeseen error.
                for keeper in self._keepers.values():
                    keeper.kill("the supervisor fails")
        if self._failure is not None:
            raise self._failure
        return 0

    def _on_signal(self, number: int) -> None:
        if number not in _STOP_SIGNALS:
            return
        now = time.monotonic()
        # A terminal and a shell may both pass on the same keystroke: only a second keystroke counts as a second signal.
        if now - self._last_stop_request > _SAME_WISH:
            self._stop_requests += 1
            _log.info("stopping", signal=signal.Signals(number).name, hurry=self._stop_requests > 1)
        self._last_stop_request = now

    def _is_over(self) -> bool:
        return all(keeper.phase is Phase.ENDED for keeper in self._keepers.values())

    def _step(self) -> float:
        """Look at every process once; return the seconds until the next look, unless a signal comes first."""
        for keeper in self._keepers.values():
            if keeper.status is not None:
                self._take_note_of_end(keeper)
        if self._stop_requests:
            self._stop_next()
        else:
            self._start_next()
        now = time.monotonic()
        return max(0.0, min([_LONGEST_SLEEP, *(at - now for at in self._next_looks())]))

    def _next_looks(self) -> Iterator[float]:
        for keeper in self._keepers.values():
            if keeper.phase is Phase.STARTING:
                yield time.monotonic() + _ASK_EVERY
            elif keeper.is_watched:
                yield time.monotonic() + LISTEN_EVERY
            elif keeper.phase is Phase.STOPPING or (
                keeper.phase is Phase.WAITING and self._may_start(keeper)
            ):
                yield keeper.deadline

    def _take_note_of_end(self, keeper: Keeper) -> None:
        status = keeper.clear()
        if keeper.phase is Phase.STOPPING or self._stop_requests:
            keeper.phase = Phase.ENDED
        elif self._is_vital(keeper):
            keeper.phase = Phase.ENDED
            self._fail(keeper, f"ended with status {status} before it was ready", status)
        else:
            keeper.plan_restart(status)

    def _fail(self, keeper: Keeper, reason: str, status: int | None) -> None:
        explanation = keeper.child.explanation() if keeper.child.explanation is not None else ""
        self._failure = self._failure or ChildFailed(keeper.child.name, reason, status, explanation)
        self._stop_requests = max(1, self._stop_requests)

    def _start_next(self) -> None:
        now = time.monotonic()
        for keeper in self._keepers.values():
            if keeper.phase is Phase.WAITING and keeper.deadline <= now and self._may_start(keeper):
                self._start(keeper)
            elif keeper.phase is Phase.STARTING and not keeper.check_ready() and keeper.deadline <= now:
                if self._is_vital(keeper):
                    self._fail(keeper, f"was not ready after {keeper.child.patience:.0f} s", None)
                else:
                    keeper.kill("not ready in time")
            elif keeper.is_watched:
                keeper.listen()
        if not all(keeper.is_up for keeper in self._keepers.values()):
            return
        self._came_up = True
        if self._on_ready is not None and self.pids != self._announced:
            self._announce(self._on_ready)

    def _announce(self, on_ready: Callable[["Supervisor"], None]) -> None:
        """Announce the processes; if that fails, do it again at the next look, until it succeeds."""
        pids = self.pids
        try:
            on_ready(self)
        except OSError:
            # A full disk must not stop a service on which people play.
            if not self._unannounced:
                _log.exception("the service could not be announced")
            self._unannounced = True
        else:
            self._announced, self._unannounced = pids, False

    def _start(self, keeper: Keeper) -> None:
        try:
            keeper.start()
        except OSError as error:
            if self._is_vital(keeper):
                raise
            # A momentary lack of memory or disk must not stop the other processes.
            keeper.put_off(str(error))

    def _is_vital(self, keeper: Keeper) -> bool:
        """Tell whether its failure now ends the start. A service that has once come up completely is kept running."""
        return not keeper.was_ready and not self._came_up

    def _may_start(self, keeper: Keeper) -> bool:
        # Only the first start waits for its needs: once it has run, a process copes with their absence.
        return all(self._keepers[name].was_ready for name in keeper.child.needs)

    def _stop_next(self) -> None:
        needed = {name for keeper in self._living() for name in keeper.child.needs}
        for keeper in self._living():
            if self._stop_requests > 1:
                keeper.kill("hurried")
            elif keeper.phase is Phase.STOPPING:
                if keeper.deadline <= time.monotonic():
                    keeper.kill("did not end when asked")
            elif keeper.child.name not in needed:
                keeper.terminate()

    def _living(self) -> list[Keeper]:
        return [keeper for keeper in self._keepers.values() if keeper.phase is not Phase.ENDED]


def _require_order(children: Sequence[Child]) -> None:
    placed: set[str] = set()
    left = list(children)
    while left:
        next_ones = [child for child in left if placed.issuperset(child.needs)]
        if not next_ones:
            raise ValueError(
                f"these processes need unknown ones or each other: {[child.name for child in left]}"
            )
        placed.update(child.name for child in next_ones)
        left = [child for child in left if child.name not in placed]


@contextlib.contextmanager
def _wakeups(on_signal: Callable[[int], None]) -> Iterator[Callable[[float], None]]:
    """Make signals interrupt a sleep.

    Yields:
        A function that sleeps for some seconds or until a signal arrives, and passes on the signals that arrived.
    """
    reader, writer = os.pipe()
    os.set_blocking(reader, False)
    os.set_blocking(writer, False)
    previous = {
        number: signal.signal(number, _do_nothing)
        for number in (*_STOP_SIGNALS, signal.SIGCHLD)
        # Under nohup the service is meant to outlive its terminal.
        if not (number is signal.SIGHUP and signal.getsignal(number) is signal.SIG_IGN)
    }
    previous_writer = signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    selector = selectors.DefaultSelector()
    selector.register(reader, selectors.EVENT_READ)

    def wait(seconds: float) -> None:
        if selector.select(seconds):
            for number in os.read(reader, 4096):
                on_signal(number)

    try:
        yield wait
    finally:
        signal.set_wakeup_fd(previous_writer)
        for number, handler in previous.items():
            signal.signal(number, handler)
        selector.close()
        os.close(reader)
        os.close(writer)


def _do_nothing(_number: int, _frame: object) -> None:
    """Do nothing: without a handler, Python would not write the wake-up byte; the loop does the rest."""
