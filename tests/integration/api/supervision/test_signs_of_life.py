"""A process that does not end and does not work either is noticed, killed and started again."""

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace

import pytest

from api.supervision.child import Child, Keeper, Phase

BEATING = """
import time
from services.log.embedded.start_report import report_started
pulse = report_started()
while True:
    time.sleep(0.1)
    pulse.beat()
"""
SILENT = """
import signal
from services.log.embedded.start_report import report_started
report_started()
signal.pause()
"""
LONGEST_SILENCE = 1.0


def until(condition: Callable[[], object], *, seconds: float = 20) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.02)


@pytest.fixture
def kept() -> Iterator[Callable[[str], Keeper]]:
    keepers = []

    def started(program: str) -> Keeper:
        keeper = Keeper(
            Child(
                name="child",
                argv=(sys.executable, "-c", program),
                reports=True,
                longest_silence=LONGEST_SILENCE,
            )
        )
        keepers.append(keeper)
        keeper.start()
        until(keeper.check_ready)
        return keeper

    yield started
    for keeper in keepers:
        if keeper.status is None and keeper.pid is not None:
            os.kill(keeper.pid, signal.SIGKILL)
        keeper.clear()


def listen_for(keeper: Keeper, seconds: float) -> None:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        keeper.listen()
        time.sleep(0.02)


def test_a_process_that_gives_signs_of_life_is_left_alone(kept):
    keeper = kept(BEATING)
    listen_for(keeper, 2 * LONGEST_SILENCE)
    assert keeper.status is None
    assert keeper.phase is Phase.READY


def test_a_frozen_process_is_killed(kept):
    keeper = kept(BEATING)
    os.kill(keeper.pid, signal.SIGSTOP)
    listen_for(keeper, 2 * LONGEST_SILENCE)
    until(lambda: keeper.status == -signal.SIGKILL)


def test_a_process_that_falls_silent_is_killed(kept):
    keeper = kept(SILENT)
    listen_for(keeper, 2 * LONGEST_SILENCE)
    until(lambda: keeper.status == -signal.SIGKILL)


def test_a_supervisor_that_was_frozen_itself_does_not_blame_its_processes(kept, monkeypatch):
    """The machine slept, or Ctrl-Z stopped the supervisor: all processes may have slept with it."""
    keeper = kept(SILENT)
    awake = time.monotonic()
    keeper.listen()
    monkeypatch.setattr("api.supervision.child.LISTEN_EVERY", LONGEST_SILENCE / 4)
    monkeypatch.setattr("api.supervision.child.time", SimpleNamespace(monotonic=lambda: awake + 3600))
    keeper.listen()
    assert keeper.status is None
