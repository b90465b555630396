"""The loop that erases who never came back, finishes erasures that broke off, and closes clubs that nobody uses."""

from collections.abc import Callable
from typing import Final

import structlog

from domain.instants import Instant
from services.errors import OutcomeUnknown, StoreUnavailable
from services.people.clubs.clubs import Clubs
from services.people.dossiers import Dossiers
from workers.running import keep_running

PAUSE_SECONDS: Final = 60.0
"""Nobody waits for this."""

MOST: Final = 200
"""How many persons one turn erases: others' moves go first."""

_log = structlog.get_logger(__name__)


class ForgettingLoop:
    """Erases provisional persons, and closes unused clubs, whose time is over."""

    def __init__(self, dossiers: Dossiers, clubs: Clubs, now: Callable[[], Instant]) -> None:
        self._dossiers = dossiers
        self._clubs = clubs
        self._now = now

    async def run(self) -> None:
        """Work for ever; while the store is away, keep trying."""
        await keep_running("forgetting", _log, self._turn, PAUSE_SECONDS)

    async def _turn(self) -> float:
        try:
            erased = await self.step()
        except (StoreUnavailable, OutcomeUnknown):
            raise
        except Exception:  # noqa: BLE001
            # Matches can be played without this loop, so it must not take the other loops down.
            _log.exception("forgetting_failed")
            return PAUSE_SECONDS
        return 0.0 if erased == MOST else PAUSE_SECONDS

    async def step(self) -> int:
        """Erase those whose time is over; return how many."""
        erased = await self._dossiers.sweep(self._now(), MOST)
        if erased:
            _log.info("persons_forgotten", persons=erased)
        closed = await self._clubs.close_unused(self._now(), MOST)
        if closed:
            _log.info("clubs_closed", clubs=closed)
        return erased
