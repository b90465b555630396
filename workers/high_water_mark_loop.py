"""The loop that notes beside the store how far it has come, and says so when it is older than it was."""

import asyncio
from collections.abc import Callable
from typing import Final

import structlog

from domain.instants import Instant
from services.errors import StoreUnavailable
from services.log.event_store.contract import EventStore
from services.log.high_water_mark import HighWaterMarkFile, compared

PAUSE_SECONDS: Final = 5.0

_log = structlog.get_logger(__name__)


class HighWaterMarkLoop:
    """Looks every few seconds how far the feeds are."""

    def __init__(self, store: EventStore, mark: HighWaterMarkFile, now: Callable[[], Instant]) -> None:
        self._store: Final = store
        self._mark: Final = mark
        self._now: Final = now
        self._told = ""

    async def run(self) -> None:
        """Note it for ever."""
        while True:
            await self.step()
            await asyncio.sleep(PAUSE_SECONDS)

    async def step(self) -> None:
        """Note how far the feeds are, once."""
        try:
            # First the file: other processes of this folder note higher positions meanwhile.
            known = self._mark.read()
            positions = await self._store.secured_positions()
            if positions is not None:
                went_back = self._mark.note(positions, self._now(), known)
            elif known is not None:
                # What no replica has may be lost with the primary, and nobody was told that it is kept.
                went_back = compared(known, await self._store.positions(), self._now())
            else:
                went_back = None
        except StoreUnavailable:
            # The other loops say so.
            return
        except OSError as error:
            # A disk that is full, or a container without one: nothing else depends on this.
            self._tell("high_water_mark_not_noted", str(error))
            return
        if went_back is not None:
            self._tell("store_went_back", f"shard {went_back.shard}: {went_back.now} after {went_back.was}")

    def _tell(self, message: str, reason: str) -> None:
        if self._told != message:
            self._told = message
            log = _log.critical if message == "store_went_back" else _log.warning
            log(message, reason=reason, file=str(self._mark.file))
