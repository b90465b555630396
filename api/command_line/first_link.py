"""The operator's link that the first start of a service prints."""

import contextlib
import os
import subprocess
import sys

from services.process.settings import Settings

_MARK = "operator-link.printed"
_PATIENCE = 10.0


def first_link(settings: Settings) -> str:
    """Return the address of the installation's first operator's link; empty if there has been one, or it failed."""
    # Only so that later starts need not ask: whether there has been a link, the log's server knows.
    mark = settings.data_folder / _MARK
    if mark.exists():
        return ""
    try:
        # In a process of its own: a client library would stay in the supervisor's memory for good.
        done = subprocess.run(
            [sys.executable, "-m", "api.command_line.main", "operator-link", "--first"],
            env={**os.environ, **settings.to_environment()},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=_PATIENCE,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    with contextlib.suppress(OSError):
        mark.touch(mode=0o600)
    return done.stdout.decode().strip()
