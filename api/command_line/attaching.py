"""Using the running service, or one of one's own for as long as a command needs it."""

import contextlib
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from api.command_line.group import CommandFailed
from api.command_line.options import Location
from api.supervision.probes import http_answers
from services.log.embedded.processes import start_dependent, stop
from services.log.embedded.running import find_running
from services.process.settings import Settings

_STOP_GRACE = 30.0
_START_PATIENCE = 60.0
_POLL = 0.02
_OWN_HOST = "127.0.0.1"


class Service(NamedTuple):
    """A service that answers.

    Attributes:
        address: Where: ``http://127.0.0.1:8000``.
        own: Whether it ends with this command.
        here: Whether it runs on this machine.
    """

    address: str
    own: bool
    here: bool = True


@contextlib.contextmanager
def running_service(location: Location, server: str | None = None) -> Iterator[Service]:
    """Use the service at an address, or the one that runs on a data folder; start one in the background if none does.

    Yields:
        The service.

    Raises:
        CommandFailed: None runs, and none can be started.
    """
    if server:
        yield Service(server, own=False, here=False)
        return
    settings = location.settings()
    running = find_running(settings.data_folder)
    fits = running is not None and location.redis in {None, running.log_store_url}
    if running is not None and running.api_url is not None and fits:
        yield Service(running.api_url, own=False)
        return
    output = _output(settings.data_folder)
    port = _free_port()
    argv = [sys.executable, "-m", "api.command_line.main", "up", "--data", str(settings.data_folder)]
    argv += ["--host", _OWN_HOST, "--port", str(port), "--log-level", "warning", "--background"]
    if location.redis is not None:
        argv += ["--redis", location.redis]
    process = start_dependent(argv, output=output)
    try:
        _wait_until_ready(process, settings, port, output)
        yield Service(f"http://{_OWN_HOST}:{port}", own=True)
    finally:
        stop(process, grace=_STOP_GRACE)


def _output(folder: Path) -> Path:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise CommandFailed(f"The data folder {folder} cannot be used: {error.strerror}.") from error
    return folder / "background.log"


def _free_port() -> int:
    with socket.socket() as attempt:
        attempt.bind((_OWN_HOST, 0))
        port: int = attempt.getsockname()[1]
    return port


def _wait_until_ready(process: subprocess.Popen[bytes], settings: Settings, port: int, output: Path) -> None:
    end = time.monotonic() + _START_PATIENCE
    while True:
        running = find_running(settings.data_folder)
        published = running is not None and running.pid == process.pid
        if published and http_answers(_OWN_HOST, port, "/health/ready"):
            return
        if process.poll() is not None or time.monotonic() > end:
            raise CommandFailed(_last_words(output))
        time.sleep(_POLL)


def _last_words(output: Path) -> str:
    """Return why the service did not start: the message with which it ended."""
    lines = output.read_text(errors="replace").splitlines()
    told = [line for line in lines if line.startswith("tablee: ")]
    return told[-1].removeprefix("tablee: ") if told else f"The service did not start; see {output}."
