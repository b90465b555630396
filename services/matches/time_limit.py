"""A limit on the time that a piece of thought may take."""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Final

_AGAIN: Final = 0.2
"""Seconds until a thought that caught the exception is interrupted once more."""


class TookTooLong(Exception):
    """The time was up."""


@contextmanager
def at_most(seconds: float) -> Iterator[None]:
    """Interrupt what runs within after so many seconds.

    It works in the main thread, where bots think; elsewhere there is no limit. An alarm that was set before, such as
    RQ's for a whole job, goes off when it would have done, or right afterwards.

    Raises:
        TookTooLong: The time was up.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    is_over = False

    def interrupt(_number: int, _frame: FrameType | None) -> None:
        if not is_over:
            raise TookTooLong(f"not done after {seconds} s")

    began = time.monotonic()
    left, _ = signal.setitimer(signal.ITIMER_REAL, 0)
    former = signal.signal(signal.SIGALRM, interrupt)
    signal.setitimer(signal.ITIMER_REAL, seconds, _AGAIN)
    try:
        yield
    finally:
        is_over = True
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)
        if left:
            signal.setitimer(signal.ITIMER_REAL, max(0.001, left - (time.monotonic() - began)))
