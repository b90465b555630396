"""Noticing a clock that leaps ahead: nobody's turn may be played because a clock is wrong."""

import time
from collections.abc import Callable
from typing import Final

import redis.asyncio
import structlog

from domain.instants import Instant, instant_from_milliseconds, milliseconds_of
from services.log.held_clock import SAY_EVERY_SECONDS, Held, clock_held, say_held
from services.log.redis_errors import available

LEAP_MILLISECONDS: Final = 180_000
"""How far ahead the clock may get between two looks; smaller steps are time that was set right."""

_log = structlog.get_logger(__name__)


def elapsed_seconds() -> float:
    """Return the seconds since some moment, whatever the clock is set to; a machine's sleep counts."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))


class ClockWatch:
    """Compares the clock with the time that has really passed, and at first with the clock of the log's server."""

    def __init__(
        self,
        now: Callable[[], Instant],
        client: "redis.asyncio.Redis",
        elapsed: Callable[[], float] = elapsed_seconds,
    ) -> None:
        self._now = now
        self._client = client
        self._elapsed = elapsed
        self._right: int | None = None
        """What a right clock says, less what has elapsed, in milliseconds."""
        self._ahead = 0
        self._said_at = 0.0

    async def look(self) -> int:
        """Return by how many milliseconds the clock is ahead of what it can be; 0 while it is right.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        if self._right is None:
            self._right = await self._first()
        now, elapsed = milliseconds_of(self._now()), self._elapsed()
        ahead = now - round(elapsed * 1000) - self._right
        if abs(ahead) <= LEAP_MILLISECONDS:
            self._right, ahead = self._right + ahead, 0
        # A clock that runs behind plays nobody's turn too early; when it is set right, that is no leap.
        ahead = max(ahead, 0)
        await self._say(ahead, elapsed)
        self._ahead = ahead
        return ahead

    async def _first(self) -> int:
        """Return what is right: what the clock says, unless the log's server, or a process before, knows better."""
        held = await clock_held(self._client)
        if held is not None:
            # That process was killed: whoever stops one says that the clock is right.
            self._ahead = held.ahead
            return held.right
        with available():
            seconds, microseconds = await self._client.time()
        here, there = milliseconds_of(self._now()), int(seconds) * 1000 + int(microseconds) // 1000
        return (there if here - there > LEAP_MILLISECONDS else here) - round(self._elapsed() * 1000)

    async def _say(self, ahead: int, elapsed: float) -> None:
        if bool(ahead) != bool(self._ahead):
            if ahead:
                right = instant_from_milliseconds(milliseconds_of(self._now()) - ahead)
                _log.error("clock_leapt", seconds_ahead=ahead // 1000, expected=right)
            else:
                _log.info("clock_agrees_again")
        elif not ahead or elapsed < self._said_at + SAY_EVERY_SECONDS:
            return
        await say_held(self._client, Held(ahead, self._right or 0) if ahead else None)
        self._said_at = elapsed
