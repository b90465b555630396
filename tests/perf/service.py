"""``tablee up`` as an operator starts it, in a folder of its own, and what its processes use."""

import contextlib
import http.client
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Self

from services.log.embedded.processes import is_alive
from services.log.embedded.running import Running, find_running
from tests.faults.running_service import free_port
from tests.kit.checkout import ROOT
from tests.kit.environment import without_settings

PATIENCE = 60.0

_TICKS = os.sysconf("SC_CLK_TCK")


class Service:
    """The service, as a context manager that removes its data at the end; takes variables for its environment."""

    def __init__(self, **variables: str) -> None:
        self._folder = TemporaryDirectory(prefix="tb-")
        self.data = Path(self._folder.name) / "d"
        self._log = Path(self._folder.name) / "log"
        self._variables = variables
        self._process: subprocess.Popen[bytes] | None = None
        self.port = 0

    def __enter__(self) -> Self:
        self.start()
        self.published()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop it, and remove its data."""
        self.stop()
        self._folder.cleanup()

    def start(self, path: str = "/health/ready") -> float:
        """Start it; return the seconds until a path was answered with 200."""
        self.port = free_port()
        command = [sys.executable, "-m", "api.command_line.main", "up", "--log-format", "json"]
        command += ["--data", str(self.data), "--port", str(self.port)]
        kept = without_settings()
        begun = time.perf_counter()
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                command, cwd=ROOT, env={**kept, **self._variables}, stdout=log, stderr=log
            )
        while not self._answers(path):
            if self._process.poll() is not None or time.perf_counter() > begun + PATIENCE:
                raise RuntimeError(self._log.read_text()[-3000:])
            time.sleep(0.005)
        return time.perf_counter() - begun

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(30)
            self._process = None

    def kill(self) -> None:
        """End all of its processes with SIGKILL, as a power cut would as far as a process can tell."""
        assert self._process is not None
        pids = self.processes().values()
        for pid in pids:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()
        self._process = None
        while any(map(is_alive, pids)):
            time.sleep(0.005)

    def published(self) -> Running:
        """Return the service's readiness, once all its parts are up."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            running = find_running(self.data)
            if running is not None and "loops" in running.pids:
                return running
            time.sleep(0.02)
        raise RuntimeError(self._log.read_text()[-3000:])

    def processes(self) -> dict[str, int]:
        """Return the ids of all processes by name, including the supervisor's."""
        running = self.published()
        return {"supervisor": running.pid, **running.pids}

    def processor_time(self) -> dict[str, float]:
        """Return the CPU seconds of each process, including the children it has waited for."""
        return {name: processor_time(pid) for name, pid in self.processes().items()}

    def memory(self) -> dict[str, float]:
        """Return the memory of each process in MB; shared pages count in proportion (PSS)."""
        return {name: proportional_memory(pid) for name, pid in self.processes().items()}

    def _answers(self, path: str) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
        try:
            connection.request("GET", path)
            return connection.getresponse().status == 200
        except (OSError, http.client.HTTPException):
            return False
        finally:
            connection.close()


def processor_time(pid: int) -> float:
    """Return the CPU seconds of a process, including the children it has waited for (Linux only)."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return sum(map(int, fields[11:15])) / _TICKS


def proportional_memory(pid: int) -> float:
    """Return a process's share of memory in MB (Linux only)."""
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            return int(line.split()[1]) / 1000
    raise AssertionError(pid)


def used_since(before: Mapping[str, float], after: Mapping[str, float]) -> dict[str, float]:
    """Return what each process used between two measurements."""
    return {name: after[name] - before.get(name, 0.0) for name in after}
