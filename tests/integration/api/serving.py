"""The API's true process, on embedded stores, for tests."""

import contextlib
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from services.log.embedded.running import Running
from services.log.embedded.session import running_stores


class Server:
    """A running process of the API."""

    def __init__(self, folder: Path, stores: Running, code: str = "", **variables: str) -> None:
        """Start it; with some Python code in front of its own, it is another release."""
        self.variables = variables
        self._code = code
        self.folder = folder
        self.stores = stores
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._log = (folder / "api.log").open("ab")
        try:
            self.process = self._started()
        except BaseException:
            self._log.close()
            raise

    def spawned(self, **variables: str) -> "subprocess.Popen[bytes]":
        """Start a process, and wait for nothing."""
        environment = {
            **os.environ,
            "TABLEE_DATA": str(self.folder),
            "TABLEE_LOG_STORE_URL": self.stores.log_store_url,
            "TABLEE_JOB_STORE_URL": self.stores.job_store_url,
            "TABLEE_PORT": str(self.port),
            **self.variables,
            **variables,
        }
        started = (
            ["-c", f"{self._code}\nfrom api.server import main\nmain()"]
            if self._code
            else ["-m", "api.server"]
        )
        return subprocess.Popen(
            [sys.executable, *started], env=environment, stderr=self._log, stdout=self._log
        )

    def _started(self) -> "subprocess.Popen[bytes]":
        process = self.spawned()
        try:
            self._wait_for(process)
        except BaseException:
            process.kill()
            process.wait()
            raise
        return process

    def _wait_for(self, process: "subprocess.Popen[bytes]") -> None:
        until = time.monotonic() + 60
        while time.monotonic() < until:
            assert process.poll() is None, self.said()
            with (
                contextlib.suppress(OSError),
                socket.create_connection(("127.0.0.1", self.port), 1) as reached,
            ):
                # A port of the range that clients use may by chance be answered by its own caller.
                if reached.getsockname() != reached.getpeername():
                    return
            time.sleep(0.02)
        raise AssertionError(self.said())

    def said(self) -> str:
        return (self.folder / "api.log").read_text()

    def stop(self, number: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(20)

    def restart(self) -> None:
        self.stop()
        self.process = self._started()

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait(10)
        self._log.close()


@contextlib.contextmanager
def serving(folder: Path, **variables: str) -> Iterator[Server]:
    """Run the API on embedded stores of its own."""
    with running_stores(folder, purpose="tests of the API") as stores:
        server = Server(folder, stores, **variables)
        try:
            yield server
        finally:
            server.close()
