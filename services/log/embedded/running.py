"""``running.json``: where the service that holds a data folder listens, so that commands find it."""

from pathlib import Path

import msgspec

from services.log.embedded.processes import is_alive
from services.log.whole_files import replace_file

_NAME = "running.json"


class Running(msgspec.Struct, frozen=True, kw_only=True):
    """A running service, as it describes itself.

    Attributes:
        pid: The process that holds the data folder's lock.
        purpose: What it is: ``tablee up``.
        api_url: Where the API answers; absent if nothing serves it.
        public_url: How people reach it, if its settings say so.
        pids: The process ids of its parts, by name.
        code: A digest of the code with which it started; empty if it did not say so.
    """

    pid: int
    purpose: str
    log_store_url: str
    job_store_url: str
    api_url: str | None = None
    public_url: str | None = None
    pids: dict[str, int] = {}
    code: str = ""


def publish(folder: Path, running: Running) -> None:
    """Write the description, whole or not at all, readable by the owner only."""
    replace_file(folder / _NAME, msgspec.json.format(msgspec.json.encode(running)))


def withdraw(folder: Path) -> None:
    """Remove the description when the service stops."""
    (folder / _NAME).unlink(missing_ok=True)


def find_running(folder: Path) -> Running | None:
    """Return the service that runs on a data folder; None if there is none.

    A description left by a killed process is recognised by its process id and ignored. It can still be out of date
    for the moment in which the service stops, so a client must expect to be refused.
    """
    try:
        running = msgspec.json.decode((folder.expanduser() / _NAME).read_bytes(), type=Running)
    except (OSError, msgspec.MsgspecError):
        return None
    return running if is_alive(running.pid) else None
