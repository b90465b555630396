"""``tablee up`` in a data folder of its own, as an operator starts it, with means to hurt it."""

import contextlib
import http.client
import json
import os
import random
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from services.log.embedded.processes import is_alive
from tests.faults.waiting import until_true
from tests.kit.checkout import ROOT
from tests.kit.environment import without_settings
from tests.kit.unlimited import UNLIMITED

START_PATIENCE = 60.0
_PROBE_PATIENCE = 3.0


class RunningService:
    """The service, over several starts on the same folder and the same port."""

    def __init__(self, folder: Path, *options: str, **variables: str) -> None:
        """Prepare a service.

        Args:
            folder: An empty folder, for its data and its service log.
            options: Options of ``tablee up``.
            variables: Variables of its environment.
        """
        self.data = folder / "d"
        self.log = folder / "service.log"
        self.port = free_port()
        self._options = options
        self._variables = variables
        self._process: subprocess.Popen[bytes] | None = None
        self._told: list[dict[str, Any]] = []
        self._read_to = 0

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def start(self, *, wait: bool = True) -> None:
        """Start it; return when it is ready, or at once."""
        command = [sys.executable, "-m", "api.command_line.main", "up", "--log-format", "json"]
        command += ["--data", str(self.data), "--port", str(self.port), *self._options]
        environment = without_settings()
        with self.log.open("ab") as sink:
            self._process = subprocess.Popen(
                command,
                cwd=ROOT,
                env=environment | UNLIMITED | self._variables,
                stdin=subprocess.DEVNULL,
                stdout=sink,
                stderr=sink,
                start_new_session=True,
            )
        if not wait:
            return
        try:
            until_true(self._is_up_or_ended, seconds=START_PATIENCE, what="the service's start")
        except BaseException:
            self.kill()
            raise

    def stop(self) -> None:
        """Stop it as an operator does, after thawing whatever a test has frozen."""
        if self._process is None or self._process.poll() is not None:
            return
        for pid in self._published().get("pids", {}).values():
            _send(pid, signal.SIGCONT)
        self._process.terminate()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            self.kill()

    def wait(self) -> int:
        """Wait until it ends by itself; return its exit status."""
        assert self._process is not None
        return self._process.wait(START_PATIENCE)

    def kill(self) -> None:
        """End ``tablee up`` itself with SIGKILL."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    @property
    def pids(self) -> dict[str, int]:
        """The service's processes, by name."""
        pids: dict[str, int] = self._published()["pids"]
        return pids

    @property
    def log_store_url(self) -> str:
        return str(self._published()["log_store_url"])

    @property
    def job_store_url(self) -> str:
        return str(self._published()["job_store_url"])

    def signal(self, name: str, number: signal.Signals) -> int:
        """Send a signal to one of its processes; after SIGKILL, wait for its end. Return the process's id."""
        pid = self.pids[name]
        os.kill(pid, number)
        if number is signal.SIGKILL:
            until_true(lambda: not is_alive(pid), seconds=10, what=f"the end of the {name}", pause=0.001)
        return pid

    def is_ready(self) -> bool:
        """Tell whether every process is running, and the service says that all is well."""
        published = self._published()
        if published.get("pid") != self.pid or not all(map(is_alive, published["pids"].values())):
            return False
        told = self.readiness()
        return bool(told and told["ready"] and told["jobs"] == "ok")

    def readiness(self) -> dict[str, Any] | None:
        """Return what ``/health/ready`` answers; None without an answer."""
        status, document, _ = self.ask("/health/ready")
        return {**document, "status": status} if status else None

    def ask(self, path: str) -> tuple[int, dict[str, Any], dict[str, str]]:
        """Return the status, body and headers of a GET; 0 for none."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=_PROBE_PATIENCE)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            headers = {name.lower(): value for name, value in answer.getheaders()}
            return answer.status, json.loads(answer.read()), headers
        except (OSError, http.client.HTTPException, ValueError):
            return 0, {}, {}
        finally:
            connection.close()

    def lines(self, message: str) -> list[dict[str, Any]]:
        """Return the lines of the service log with this message."""
        with self.log.open("rb") as log:
            log.seek(self._read_to)
            new = log.read()
        # A line that is just being written has no end yet. Lines about requests are skipped.
        whole = new[: new.rfind(b"\n") + 1]
        self._read_to += len(whole)
        lines = (line for line in whole.splitlines() if line.startswith(b"{") and b'"api.access"' not in line)
        self._told += map(json.loads, lines)
        return [told for told in self._told if told.get("message") == message]

    def last_words(self, count: int = 40, *, only_complaints: bool = False) -> str:
        """Return the end of the service log without its lines about requests, or only what it warns of."""
        passed_over = '"level":"info"' if only_complaints else '"api.access"'
        lines = self.log.read_text(errors="replace").splitlines()
        return "\n".join([line[:400] for line in lines if passed_over not in line][-count:])

    def _published(self) -> dict[str, Any]:
        try:
            published: dict[str, Any] = json.loads((self.data / "running.json").read_bytes())
        except FileNotFoundError:
            return {}
        return published

    def _is_up_or_ended(self) -> bool:
        assert self._process is not None
        assert self._process.poll() is None, self.log.read_text()[-3000:]
        return self.is_ready()


def waited_for_a_core(pid: int) -> float:
    """Return how many seconds a process was ready to run while others occupied every core (Linux only)."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[1]) / 1e9
    except OSError:
        return 0.0


@contextlib.contextmanager
def frozen(*pids: int) -> Iterator[None]:
    """Freeze processes while the block runs; it does not matter if they end meanwhile."""
    for pid in pids:
        _send(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in pids:
            _send(pid, signal.SIGCONT)


def _send(pid: int, number: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, number)


def free_port() -> int:
    """Return a port below the range that the system gives to outgoing connections.

    Within that range, a client that connects while the API is down could get the API's own port, and talk to itself.
    """
    while True:
        port = random.randrange(20_000, 32_000)
        with socket.socket() as attempt, contextlib.suppress(OSError):
            attempt.bind(("127.0.0.1", port))
            return port
