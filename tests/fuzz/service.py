"""The real API process on embedded stores of its own, and its service log."""

import contextlib
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from services.log.embedded.session import running_stores
from tests.faults.running_service import free_port
from tests.faults.waiting import until_true
from tests.kit.checkout import ROOT
from tests.kit.environment import without_settings
from tests.kit.unlimited import UNLIMITED

_START = 60.0


class Running(NamedTuple):
    """A running service.

    Attributes:
        port: Where it listens on this machine.
        log_store_url: The store that holds its log.
        service_log: The file with its service log.
    """

    port: int
    log_store_url: str
    service_log: Path

    def lines(self) -> str:
        """Return all that it has written so far."""
        return self.service_log.read_text(errors="replace")


@contextlib.contextmanager
def running_service() -> Iterator[Running]:
    """Run the service until the block ends.

    Without workers, so that a match moves on only when the one who asks moves it; its limits are so high that they are
    counted and never met; what a proxy would say of its clients is read.
    """
    with (
        TemporaryDirectory(prefix="tb-") as folder,
        running_stores(Path(folder), purpose="fuzzing") as stores,
    ):
        running = Running(free_port(), stores.log_store_url, Path(folder) / "service.log")
        kept = without_settings()
        environment = kept | {
            "TABLEE_DATA": folder,
            "TABLEE_LOG_STORE_URL": stores.log_store_url,
            "TABLEE_JOB_STORE_URL": stores.job_store_url,
            "TABLEE_PORT": str(running.port),
            "TABLEE_LOG_FORMAT": "json",
            **dict.fromkeys(UNLIMITED, "1000000"),
            "TABLEE_TRUSTED_PROXIES": "127.0.0.0/8",
        }
        with running.service_log.open("wb") as sink:
            process = subprocess.Popen(
                [sys.executable, "-m", "api.server"], cwd=ROOT, env=environment, stdout=sink, stderr=sink
            )
        try:
            until_true(lambda: _answers(running, process), seconds=_START, what="the service's start")
            yield running
        finally:
            process.terminate()
            try:
                process.wait(20)
            finally:
                process.kill()
                process.wait()


def _answers(running: Running, process: "subprocess.Popen[bytes]") -> bool:
    assert process.poll() is None, running.lines()[-3000:]
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", running.port), 1):
        return True
    return False
