"""How a process reports to its supervisor that it works: through a pipe, named by an environment variable.

The first byte says that the process is ready. A watched process goes on writing a byte now and then: this is how its
supervisor notices a process that is frozen or in an endless loop and so does not end.
"""

import asyncio
import os
from contextlib import suppress

_VARIABLE = "TABLEE_START_REPORT"
_MUCH = 65_536
_BEAT_EVERY = 1.0


class StartReport:
    """The supervisor's end of the pipe.

    Attributes:
        descriptor: The other end, for the process to inherit.
    """

    def __init__(self) -> None:
        self._ear, self.descriptor = os.pipe()
        os.set_blocking(self._ear, False)
        self.environment = {_VARIABLE: str(self.descriptor)}

    def started(self) -> None:
        """Close our copy of the process's end. Call this once the process has been started."""
        os.close(self.descriptor)

    def heard(self) -> bool:
        """Tell whether the process has given a sign of life since the last call; the first one says it is ready."""
        try:
            return bool(os.read(self._ear, _MUCH))
        except BlockingIOError:
            return False

    def close(self) -> None:
        """Stop listening."""
        os.close(self._ear)


class Pulse:
    """A watched process's end of the pipe; silent without one."""

    def __init__(self, descriptor: int | None) -> None:
        self._descriptor = descriptor
        if descriptor is not None:
            # A supervisor that does not listen must not block the work.
            os.set_blocking(descriptor, False)

    def beat(self) -> None:
        """Give a sign of life."""
        if self._descriptor is not None:
            # A full pipe: nobody is listening at the moment. A broken one: nobody ever will.
            with suppress(BlockingIOError, BrokenPipeError):
                os.write(self._descriptor, b"1")

    async def keep_beating(self) -> None:
        """Give a sign of life every second until cancelled, which shows that the event loop is not blocked for long."""
        while True:
            await asyncio.sleep(_BEAT_EVERY)
            self.beat()


def report_started() -> Pulse:
    """Tell the supervisor, if there is one, that this process is ready; return its pulse."""
    descriptor = os.environ.pop(_VARIABLE, "")
    pulse = Pulse(int(descriptor) if descriptor.isdecimal() else None)
    pulse.beat()
    return pulse
