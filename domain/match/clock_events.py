"""The match's events about time that is given, or in which clocks rest."""

from domain.instants import Instant
from domain.match.clock import Rest
from domain.sealing import Event


class TimeGiven(Event, frozen=True, omit_defaults=True):
    """Somebody gave another seat more time for its present turn.

    Attributes:
        seat: Who gave.
        to: Who has it.
        seconds: How much.
    """

    seat: int
    to: int
    seconds: int


class ClockRested(Event, frozen=True, omit_defaults=True):
    """Nobody's clock runs in an interval.

    Attributes:
        begins: Its first instant.
        ends: The first instant after it.
        why: ``outage`` (the service was away, or its store was put back) or ``pause`` (all agreed to it).
        seat: For a pause: who asked for it.
    """

    begins: Instant
    ends: Instant
    why: str
    seat: int | None = None


class ClockResumed(Event, frozen=True, omit_defaults=True):
    """A pause ends before its time.

    Attributes:
        at: When clocks run again.
        seat: Who asked for it.
    """

    at: Instant
    seat: int


class RestsPlanned(Event, frozen=True, omit_defaults=True):
    """When the clocks of some seats will rest, by what their people have chosen; replaces what was planned before.

    Attributes:
        seats: The seats.
        begins: From when on this holds.
        until: How far it was planned; nothing is known of the time after.
        rests: The intervals.
    """

    seats: tuple[int, ...]
    begins: Instant
    until: Instant
    rests: tuple[Rest, ...] = ()
