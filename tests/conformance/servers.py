"""Real servers for tests: on a unix socket in a folder of their own, every acknowledged write synced to the disk."""

import contextlib
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from services.log.embedded.processes import start_dependent, stop
from services.log.embedded.stores import server_binary

_LONGEST_START = 20.0


class Server:
    """One server, which can be stopped, killed and started again on the same data."""

    def __init__(
        self, program: str, folder: Path, *, wrapped_in: tuple[str, ...] = (), fsync: str = "always"
    ) -> None:
        self.socket = folder / "s"
        self.log = folder / "output"
        self._process: subprocess.Popen[bytes] | None = None
        self._command = (
            *wrapped_in,
            *(program, "--port", "0", "--unixsocket", str(self.socket), "--dir", str(folder), "--save", ""),
            *("--appendonly", "yes", "--appendfsync", fsync, "--stream-node-max-bytes", "2048"),
        )

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def url(self, database: int = 0) -> str:
        return f"unix://{self.socket}?db={database}"

    def start(self) -> None:
        self._process = start_dependent(self._command, output=self.log)
        deadline = time.monotonic() + _LONGEST_START
        while not self._answers():
            assert self._process.poll() is None, self.log.read_text()
            assert time.monotonic() < deadline, self.log.read_text()
            time.sleep(0.005)

    def _answers(self) -> bool:
        with contextlib.suppress(OSError), socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(1)
            connection.connect(str(self.socket))
            connection.sendall(b"PING\r\n")
            return connection.recv(16).startswith(b"+PONG")
        return False

    def kill(self) -> None:
        """End it as a power cut would, as far as a process can tell."""
        assert self._process is not None
        self._process.kill()
        self._process.wait()
        self._process = None

    def stop(self) -> None:
        if self._process is not None:
            stop(self._process, grace=5)
            self._process = None


def valkey_program() -> str:
    return str(server_binary())


def redis_program() -> str:
    """Return Debian's server; skip the test where it is missing, but fail in CI, which must have it."""
    program = shutil.which("redis-server")
    if program is None:
        missing = "redis-server is not installed (Debian: apt-get install redis-server)"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)
    return program


@contextlib.contextmanager
def running(program: str, *, wrapped_in: tuple[str, ...] = (), fsync: str = "always") -> Iterator[Server]:
    """Run a server in a temporary folder; its path is short, as a socket's must be."""
    with TemporaryDirectory(prefix="tb-") as folder:
        server = Server(program, Path(folder), wrapped_in=wrapped_in, fsync=fsync)
        server.start()
        try:
            yield server
        finally:
            server.stop()
