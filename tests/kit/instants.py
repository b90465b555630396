"""A fixed point in time, and a clock that moves only when told to."""

from domain.instants import Instant, after

NOON = Instant("2026-11-29T12:00:00.000Z")
"""When all tests begin."""


def at(seconds: float) -> Instant:
    """Return the instant so many seconds after noon."""
    return after(NOON, seconds)


class FakeClock:
    """A clock set by the test, starting at noon. Call it as the service calls the system's clock."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> Instant:
        """Return the present instant."""
        return at(self.seconds)

    def advance(self, seconds: float) -> None:
        """Let time pass, or run back if negative."""
        self.seconds += seconds

    def monotonic(self) -> float:
        """Return seconds as ``time.monotonic`` does."""
        return self.seconds
