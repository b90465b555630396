"""Repeating work and timing it, in CPU time or in wall time."""

import time
from collections.abc import Callable
from typing import NamedTuple

from tests.perf.report import median

REPEATS = 60
_SHORTEST = 0.005


class Cpu(NamedTuple):
    """The CPU seconds that some work took.

    Where others use the machine too, a shared core is a slower one; the quickest repeat tells what the work takes when
    they leave the core alone for a moment.
    """

    median: float
    quickest: float


def cpu(work: Callable[[], object], repeats: int = REPEATS) -> Cpu:
    """Return the seconds of this process's CPU time that some work takes."""
    work()
    inner, begun = 0, time.process_time()
    while time.process_time() - begun < _SHORTEST:  # the clock is too coarse for a single one
        work()
        inner += 1
    times = []
    for _ in range(repeats):
        begun = time.process_time()
        for _ in range(inner):
            work()
        times.append((time.process_time() - begun) / inner)
    return Cpu(median(times), min(times))


def wall_of(work: Callable[[], object], repeats: int = 100) -> list[float]:
    """Return the seconds that some work takes, each time."""
    work()
    times = []
    for _ in range(repeats):
        begun = time.perf_counter()
        work()
        times.append(time.perf_counter() - begun)
    return times
