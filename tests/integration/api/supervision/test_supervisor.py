import json
import os
import pty
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from redis import Redis

from services.log.embedded.data_folder import DataFolder
from services.log.embedded.processes import is_alive
from services.log.embedded.running import Running, find_running
from services.log.embedded.stores import LOG_STORE, may_answer
from tests.integration.api.supervision.service import IDLE, REPORT
from tests.kit.checkout import ROOT

STUBBORN = f"""
import signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
{REPORT}
while True:
    signal.pause()
"""
FORKING = "import os, signal; os.fork(); signal.pause()"

T = TypeVar("T")


def until(condition: Callable[[], T | None], *, seconds: float = 15) -> T:
    deadline = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.01)


class Service:
    """A service in a process of its own, with its service log in a file."""

    def __init__(self, data: Path, log: Path, *programs: str) -> None:
        self.data = data
        self.log = log
        command = [sys.executable, "-m", "tests.integration.api.supervision.service", str(data), *programs]
        with log.open("ab") as sink:
            self.process = subprocess.Popen(command, cwd=ROOT, stderr=sink, start_new_session=True)

    def running(self) -> Running:
        def found() -> Running | None:
            assert self.process.poll() is None, self.log.read_text()
            running = find_running(self.data)
            return running if running and running.pid == self.process.pid else None

        return until(found)

    def restarted(self, name: str, old: int) -> Running:
        """What it says when a child has got another process id and the log store answers."""

        def found() -> Running | None:
            running = self.running()
            return (
                running if running.pids.get(name, old) != old and may_answer(running.log_store_url) else None
            )

        return until(found)

    def lines(self) -> list[dict[str, object]]:
        return [json.loads(line) for line in self.log.read_text().splitlines() if line.startswith("{")]

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(15)


@pytest.fixture
def data(tmp_path_factory) -> Path:
    folder: Path = tmp_path_factory.mktemp("t")
    return folder / "d"


@pytest.fixture
def start(data) -> Iterator[Callable[..., Service]]:
    services = []

    def started(*programs: str) -> Service:
        services.append(Service(data, data.with_name("service.log"), *programs))
        return services[-1]

    yield started
    for service in services:
        service.process.kill()
        service.process.wait()


def alive(pids: dict[str, int]) -> list[str]:
    return [name for name, pid in pids.items() if is_alive(pid)]


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_one_signal_stops_all_and_nothing_is_lost(start, data, number):
    if signal.getsignal(number) is signal.SIG_IGN:
        pytest.skip("who started the tests lets them ignore it, as nohup does")
    service = start()
    running = service.running()
    assert sorted(running.pids) == ["idler", "job store", "log store"]
    with Redis.from_url(running.log_store_url) as log:
        log.set("key", "acknowledged")
    assert service.stop(number) == 0
    assert alive(running.pids) == []
    assert find_running(data) is None

    again = start().running()
    with Redis.from_url(again.log_store_url) as log:
        assert log.get("key") == b"acknowledged"


def test_the_stores_stop_after_those_that_need_them(start):
    # It writes to the log store when it is asked to stop: so that must still be there, or this fails.
    program = f"""
import os, redis, signal, sys
def last_words(*_):
    redis.Redis(unix_socket_path={str(_log_socket(start))!r}).set("last", "words")
    sys.exit()
signal.signal(signal.SIGTERM, last_words)
{REPORT}
while True:
    signal.pause()
"""
    service = start(f"writer={program}")
    service.running()
    assert service.stop() == 0
    again = start().running()
    with Redis.from_url(again.log_store_url) as log:
        assert log.get("last") == b"words"


def test_a_killed_store_is_back_at_the_same_address_with_all_that_it_acknowledged(start):
    service = start()
    running = service.running()
    pid = running.pids[LOG_STORE]
    with Redis.from_url(running.log_store_url) as log:
        for number in range(100):
            log.xadd("stream", {"n": number}, id=f"{number + 1}-0")
        os.kill(pid, signal.SIGKILL)
        again = service.restarted(LOG_STORE, pid)
        assert again.log_store_url == running.log_store_url
        # The very same client goes on.
        assert log.xlen("stream") == 100
    assert again.pids["idler"] == running.pids["idler"]
    assert any(
        line["message"] == "process ended, starting it again"
        and (line["child"], line["status"]) == (LOG_STORE, -9)
        for line in service.lines()
    )


def test_a_child_that_keeps_dying_is_started_again_with_growing_pauses(start):
    service = start()
    pid = service.running().pids["idler"]
    for _ in range(3):
        os.kill(pid, signal.SIGKILL)
        pid = service.restarted("idler", pid).pids["idler"]
    pauses = [
        line["after"] for line in service.lines() if line["message"] == "process ended, starting it again"
    ]
    assert pauses == [0.0, 0.5, 1.0]


def test_a_killed_supervisor_leaves_nothing_behind_and_the_next_start_goes_on(start):
    service = start()
    running = service.running()
    with Redis.from_url(running.log_store_url) as log:
        log.set("key", "acknowledged")
    service.process.kill()
    service.process.wait()
    again = start().running()
    assert alive(running.pids) == []
    with Redis.from_url(again.log_store_url) as log:
        assert log.get("key") == b"acknowledged"


def test_what_a_dead_child_has_forked_ends_with_it(start):
    service = start(f"forker={FORKING}")
    pid = service.running().pids["forker"]
    (fork,) = until(lambda: _children(pid))
    os.kill(pid, signal.SIGKILL)
    until(lambda: not is_alive(fork))
    assert service.stop() == 0


def test_a_child_that_does_not_end_when_asked_is_killed_after_its_grace(start):
    service = start(f"stubborn={STUBBORN}")
    running = service.running()
    assert service.stop() == 0
    assert alive(running.pids) == []
    assert {"stubborn"} == {line["child"] for line in service.lines() if line["message"] == "process killed"}


def test_a_second_ctrl_c_hurries(start):
    service = start(f"patient={STUBBORN}")
    running = service.running()
    service.process.send_signal(signal.SIGINT)
    until(lambda: [line for line in service.lines() if line["message"] == "stopping"])
    asked = time.monotonic()

    def ended() -> bool:
        service.process.send_signal(signal.SIGINT)
        return service.process.poll() is not None

    # The first ones may come too close to the first Ctrl-C to count as another wish.
    while time.monotonic() < asked + 0.35:
        time.sleep(0.01)
    until(ended)
    assert service.process.returncode in {0, -signal.SIGINT}
    assert any(line.get("why") == "hurried" for line in service.lines())
    assert alive(running.pids) == []


def test_a_child_that_never_gets_going_ends_the_start_with_a_clear_message(start, data):
    service = start(f"broken=raise SystemExit(3); {REPORT}", f"idler={IDLE}")
    assert service.process.wait(15) == 1
    assert "The broken ended with status 3 before it was ready." in service.log.read_text()
    with DataFolder(data, purpose="a test"):
        pass


def test_ctrl_c_in_the_terminal_reaches_the_supervisor_only(data):
    controller, terminal = pty.openpty()
    command = [sys.executable, "-m", "tests.integration.api.supervision.service", str(data)]
    # setsid --ctty would do; the standard library can do it by opening the terminal in the new session.
    program = "import os, sys; os.close(os.open(sys.argv[1], os.O_RDWR)); os.execv(sys.argv[2], sys.argv[2:])"
    sink = data.with_name("service.log").open("wb")
    process = subprocess.Popen(
        [sys.executable, "-c", program, os.ttyname(terminal), *command],
        cwd=ROOT,
        stdin=terminal,
        stdout=terminal,
        stderr=sink,
        start_new_session=True,
    )
    try:
        running = until(lambda: find_running(data))
        os.write(controller, b"\x03")
        assert process.wait(15) == 0
    finally:
        process.kill()
        process.wait()
        os.close(controller)
        os.close(terminal)
        sink.close()
    assert alive(running.pids) == []
    log = data.with_name("service.log").read_text()
    assert log.count('"stopping"') == 1
    assert "starting it again" not in log


def _log_socket(start: Callable[..., Service]) -> Path:
    """Where the log store of these tests will listen."""
    service = start()
    url = service.running().log_store_url
    service.stop()
    return Path(url.removeprefix("unix://"))


def _children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
