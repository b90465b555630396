"""How a piece of work thinks, and how it waits: in place, unless a worker has a way of its own.

A worker's event loop runs beside the thread in which it thinks, since only there thinking can be interrupted. While one
move waits for its time on the loop, that thread judges other tables' turns.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from typing import Final, TypeVar

T = TypeVar("T")

_COARSE_SECONDS: Final = 0.0012
"""By so much a loop's timers may be late: they count whole milliseconds."""


class Hands:
    """Thinks and waits in place.

    Attributes:
        left: Whether whoever sent this work waits for it no longer; then it must not think any more.
    """

    left = False

    async def think(self, thought: Callable[[], T]) -> T:
        """Return what a thought comes to. It may compute for seconds, and raise."""
        return thought()

    def leave(self) -> None:
        """Let nobody wait for the rest of the work, where that is possible."""

    async def wait(self, seconds: float) -> None:
        """Wait until it is time to carry out what was thought."""
        self.leave()
        end = time.monotonic() + seconds
        await asyncio.sleep(max(0.0, seconds - _COARSE_SECONDS))
        # By how much a timer is late depends on when it was set, and so on how long was thought before.
        while time.monotonic() < end:  # noqa: ASYNC110 - what is awaited is the time itself
            await asyncio.sleep(0)

    async def carry_out(self, act: Callable[[], Awaitable[T]]) -> T:
        """Do what was thought; it may be tried again, so it must have one effect at most."""
        return await act()


_IN_PLACE: Final = Hands()
HANDS: Final = ContextVar("HANDS", default=_IN_PLACE)
"""Those of the work under way."""
