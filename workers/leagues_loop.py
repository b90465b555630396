"""The loop that runs leagues: it opens their rounds, makes the tables, and settles those that are over."""

from typing import Final

import structlog

from services.errors import OutcomeUnknown, StoreUnavailable
from services.standings.leagues.running import LeagueRunner
from workers.running import keep_running

PAUSE_SECONDS: Final = 5.0
"""Between two looks at which leagues are due; each of them is due twice a minute at most."""

MOST: Final = 50
"""How many leagues one turn looks at: others' moves go first."""

_log = structlog.get_logger(__name__)


class LeaguesLoop:
    """Runs leagues. Any number of processes may run it at once."""

    def __init__(self, runner: LeagueRunner) -> None:
        self._runner = runner

    async def run(self) -> None:
        """Work for ever; while the store is away, keep trying."""
        await keep_running("leagues", _log, self._turn, PAUSE_SECONDS)

    async def _turn(self) -> float:
        try:
            await self._runner.step(MOST)
        except (StoreUnavailable, OutcomeUnknown):
            raise
        except Exception:  # noqa: BLE001
            # Matches can be played without this loop, so it must not take the other loops down.
            _log.exception("leagues_failed")
        return PAUSE_SECONDS
