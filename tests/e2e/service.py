"""The service and the browser, as processes of their own."""

import contextlib
import shutil
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx

from tests.kit.environment import without_settings
from tests.kit.unlimited import UNLIMITED

CHROMIUM = shutil.which("chromium") or "/usr/bin/chromium"

FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


class Service:
    """A running service that can be stopped and started again on the same data."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.data = folder / "data"
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        command = [sys.executable, "-m", "api.command_line.main", "up"]
        command += ["--port", str(self.port), "--data", str(self.data), "--log-format", "json"]
        environment = without_settings()
        with (self._folder / "service.log").open("ab") as log:
            self._process = subprocess.Popen(command, stdout=log, stderr=log, env=environment | UNLIMITED)
        until = time.monotonic() + 60
        while time.monotonic() < until:
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(f"{self.address}/health/ready").status_code == 200:
                    return
            if self._process.poll() is not None:
                break
            time.sleep(0.1)
        self._process.kill()
        self._process.wait()
        raise AssertionError((self._folder / "service.log").read_text()[-3000:])

    def stop(self) -> float:
        """Stop it as Ctrl-C does; return the seconds that took."""
        assert self._process is not None
        begun = time.monotonic()
        self._process.terminate()
        try:
            self._process.wait(30)
        finally:
            self._process.kill()
            self._process.wait()
        return time.monotonic() - begun
