"""The loop that keeps lists up to date: what happened in the log is in them within a second."""

import asyncio
from collections.abc import Callable
from typing import Final

import redis.asyncio
import structlog

from domain.instants import Instant
from services.errors import StoreUnavailable
from services.log.event_store.contract import EventStore
from services.log.event_store.errors import FeedGap
from services.log.leases import Holding
from services.log.subscription import StoreWentBack
from services.matches.reader import MatchReader
from services.projections.errors import AlreadyRebuilding, SetReplaced
from services.projections.following import Follower
from services.projections.generations import Halt
from services.projections.keeper import Keeper
from services.projections.matches import NAME

BLOCK_SECONDS: Final = 1.0
PAUSE_SECONDS: Final = 0.25
"""Between two steps. Under load each step takes more pointers instead, so that the store syncs its disk less often."""

RETRY_SECONDS: Final = 1.0

TIDY_SECONDS: Final = 60.0
"""How often the loop looks for rows that killed rebuilds have left."""

_log = structlog.get_logger(__name__)


class ProjectionLoop:
    """Keeps the projection up to date, and rebuilds it when it must."""

    def __init__(
        self,
        client: "redis.asyncio.Redis",
        store: EventStore,
        reader: MatchReader,
        now: Callable[[], Instant],
        holding: Holding | None = None,
    ) -> None:
        self._now: Final = now
        self._keeper: Final = Keeper(client, store, reader, now, holding)
        self._generations: Final = self._keeper.generations
        self._rebuilder: Final = self._keeper.rebuilder
        self._follower: Follower | None = None
        self._rebuilding: asyncio.Task[None] | None = None
        self._told = ""
        self._tidied_at = 0.0

    async def run(self) -> None:
        """Keep the projection for ever; while the store is away, keep trying."""
        try:
            while True:
                pause = await self._turn()
                await asyncio.sleep(pause)
        finally:
            if self._rebuilding is not None:
                self._rebuilding.cancel()
                await asyncio.gather(self._rebuilding, return_exceptions=True)

    async def _turn(self) -> float:
        """Do one step; return how long to wait before the next one."""
        try:
            moved = await self.step(BLOCK_SECONDS)
        except StoreUnavailable as error:
            self._tell("projection_waits", str(error))
        except Exception as error:  # noqa: BLE001
            # Matches can be played without this loop, so it must not take the other loops down.
            if self._told != repr(error):
                _log.exception("projection_failed", projection=NAME)
            self._told = repr(error)
        else:
            if self._told and moved is not None:
                _log.info("projection_goes_on", projection=NAME)
                self._told = ""
            return RETRY_SECONDS if moved is None else PAUSE_SECONDS
        return RETRY_SECONDS

    async def step(self, block: float) -> int | None:
        """Take what is new; return how many pointers there were, or None when the projection stands still."""
        standing = await self._generations.standing()
        if standing.wanted and await self._generations.take_request():
            self._begin_rebuild("somebody asked for it")
        await self._tidy()
        if standing.current is None:
            await self._build_first()
            return None
        if standing.halted is not None:
            self._tell("projection_halted", standing.halted.reason)
            return None
        if self._follower is None or self._follower.rows.generation != standing.current:
            self._follower = self._keeper.follower(standing.current)
        try:
            return await self._follower.step(block)
        except StoreWentBack as error:
            await self._halt(str(error))
        except SetReplaced as error:
            await self._look_again(standing.current, str(error))
        except FeedGap as error:
            self._begin_rebuild(str(error))
        return None

    async def _tidy(self) -> None:
        present = asyncio.get_running_loop().time()
        if present >= self._tidied_at + TIDY_SECONDS or not self._tidied_at:
            self._tidied_at = present
            await self._rebuilder.tidy()

    async def _halt(self, reason: str) -> None:
        self._follower = None
        _log.critical("store_went_back", projection=NAME, reason=reason)
        await self._generations.halt(Halt(reason, self._now()))

    async def _look_again(self, generation: int, reason: str) -> None:
        """Find out why there are no checkpoints. Usually other rows are read by now."""
        self._follower = None
        if (await self._generations.standing()).current == generation:
            # Nobody replaced these rows, so somebody removed fields of the log's own hashes.
            self._begin_rebuild(reason)

    async def _build_first(self) -> None:
        """Build the first rows. Until they are there, the feed need not be followed."""
        try:
            await self._rebuilder.rebuild()
        except AlreadyRebuilding as error:
            self._tell("projection_waits", str(error))

    def _begin_rebuild(self, reason: str) -> None:
        if self._rebuilding is None or self._rebuilding.done():
            _log.warning("projection_rebuilds", projection=NAME, reason=reason)
            self._rebuilding = asyncio.create_task(self._rebuild())

    async def _rebuild(self) -> None:
        try:
            await self._rebuilder.rebuild()
        except (AlreadyRebuilding, SetReplaced, StoreUnavailable) as error:
            _log.warning("projection_not_rebuilt", projection=NAME, reason=str(error))
        except Exception:  # noqa: BLE001
            _log.exception("projection_not_rebuilt", projection=NAME)

    def _tell(self, event: str, reason: str) -> None:
        """Log a reason once, not again with every step."""
        if self._told != reason:
            log = _log.warning if event == "projection_waits" else _log.error
            log(event, projection=NAME, reason=reason)
            self._told = reason
