"""How a process tells the one that started it that it is ready: a pipe, and a variable that names it."""

import os

_VARIABLE = "TABLEE_START_REPORT"


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

    def arrived(self) -> bool:
        """Whether the process has reported. Once it has, the answer is given only once."""
        try:
            return bool(os.read(self._ear, 1))
        except BlockingIOError:
            return False

    def close(self) -> None:
        """Stop listening."""
        os.close(self._ear)


def report_started() -> None:
    """Tell the supervisor that this process does its work from now on; without a supervisor, do nothing."""
    descriptor = os.environ.pop(_VARIABLE, "")
    if descriptor.isdecimal():
        with os.fdopen(int(descriptor), "wb", buffering=0) as pipe:
            pipe.write(b"1")
