"""Waiting for conditions, with deadlines."""

import time
from typing import Any


def until_true(condition: Any, *, seconds: float, what: str, pause: float = 0.02) -> Any:
    """Wait for a condition; return what it returned.

    Raises:
        AssertionError: It did not come true in time.
    """
    deadline = time.monotonic() + seconds
    while True:
        found = condition()
        if found:
            return found
        if time.monotonic() > deadline:
            raise AssertionError(f"{what}: not within {seconds:.0f} s")
        time.sleep(pause)
