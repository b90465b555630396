"""Random kills where the log is on one server: two APIs, two loops, two workers, and the stores of ``tablee up``."""

import random
import tempfile
from pathlib import Path
from typing import Final

from tests.faults.at_random import (
    SEVERAL,
    Faults,
    Result,
    Scene,
    clock_faults,
    freeze_process,
    kill_all,
    kill_processes,
    play,
)
from tests.faults.crowd import Crowd
from tests.faults.running_service import RunningService

FAULTS: Final[Faults] = {
    "up to three processes killed": kill_processes,
    "a process frozen": freeze_process,
    "tablee up killed": kill_all,
    **clock_faults(),
}


def run(minutes: float, seed: int, tables: int = 6, only: str = "") -> Result:
    """Let random faults strike for some minutes, then check everything."""
    with (
        tempfile.TemporaryDirectory(prefix="tb-") as folder,
        RunningService(Path(folder), *SEVERAL, TABLEE_LOOP_PROCESSES="2") as service,
        Crowd(service.port, tables=tables, seed=seed) as crowd,
    ):
        return play(
            Scene(service, crowd, random.Random(seed), service.log_store_url, None, []), FAULTS, minutes, only
        )
