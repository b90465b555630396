"""How a process tells the one that started it that it works: a pipe, and a variable that names it.

The first byte says that it is ready. Who is watched goes on writing one now and then: a process that is frozen, or
hangs in an endless loop, has not ended, and this is how its supervisor notices all the same.
"""

import asyncio
import os
from contextlib import suppress

_VARIABLE = "TABLEE_START_REPORT"
_MUCH = 65_536
_BEAT_EVERY = 1.0


class StartReport:
    """The ear of the one that starts the process.

    Attributes:
        descriptor: To be inherited by the process.
        environment: To be added to its environment.
    """

    def __init__(self) -> None:
        """Make the pipe."""
        self._ear, self.descriptor = os.pipe()
        os.set_blocking(self._ear, False)
        self.environment = {_VARIABLE: str(self.descriptor)}

    def started(self) -> None:
        """Call this after the start: from now on only the process holds the other end."""
        os.close(self.descriptor)

    def heard(self) -> bool:
        """Whether the process has given a sign of life since this was asked last; the first one says it is ready."""
        try:
            return bool(os.read(self._ear, _MUCH))
        except BlockingIOError:
            return False

    def close(self) -> None:
        """Stop listening."""
        os.close(self._ear)


class Pulse:
    """The mouth of a process that is watched."""

    def __init__(self, descriptor: int | None) -> None:
        """Speak into a pipe; into nothing without one."""
        self._descriptor = descriptor
        if descriptor is not None:
            # A supervisor that does not listen must not hold up the work.
            os.set_blocking(descriptor, False)

    def beat(self) -> None:
        """Give a sign of life."""
        if self._descriptor is not None:
            # Full: nobody listens at the moment. Broken: nobody ever will.
            with suppress(BlockingIOError, BrokenPipeError):
                os.write(self._descriptor, b"1")

    async def keep_beating(self) -> None:
        """Give a sign of life every second, until cancelled: the event loop is neither frozen nor held up for long."""
        while True:
            await asyncio.sleep(_BEAT_EVERY)
            self.beat()


def report_started() -> Pulse:
    """Tell the supervisor that this process does its work from now on; without a supervisor, do nothing.

    Returns:
        What gives further signs of life, for a process that the supervisor watches.
    """
    descriptor = os.environ.pop(_VARIABLE, "")
    pulse = Pulse(int(descriptor) if descriptor.isdecimal() else None)
    pulse.beat()
    return pulse
