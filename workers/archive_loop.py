"""The loop that takes closed matches to the archive once their grace period is over, and publishes the day's heads."""

from typing import Final

import structlog

from services.audit.digests import DigestMaker
from services.errors import StoreUnavailable
from services.log.archive.archivist import Archivist
from services.log.archive.following import ClosedMatchesFollower
from services.log.leases import Holding
from workers.running import keep_running

PAUSE_SECONDS: Final = 20.0
"""How often this loop looks. Nothing here is urgent, so it reads the feed in large pieces and never waits for it."""

_log = structlog.get_logger(__name__)


class ArchiveLoop:
    """Archives closed matches, and makes the day's digest."""

    def __init__(
        self,
        follower: ClosedMatchesFollower,
        archivist: Archivist,
        digests: DigestMaker,
        grace_seconds: float,
        holding: Holding | None = None,
        publishing: Holding | None = None,
    ) -> None:
        """Take what does it; of several processes each archives what it holds, and one publishes."""
        self._follower = follower
        self._archivist = archivist
        self._digests = digests
        self._grace = grace_seconds
        self._holding = holding
        self._publishing = publishing

    async def run(self) -> None:
        """Work for ever; while the store or the archive is away, keep trying."""
        await keep_running("archive", _log, self._turn, PAUSE_SECONDS)

    async def _turn(self) -> float:
        try:
            await self.step()
        except StoreUnavailable:
            raise
        except Exception:  # noqa: BLE001
            # Matches can be played without this loop, so it must not take the other loops down.
            _log.exception("archive_loop_failed")
        return PAUSE_SECONDS

    async def step(self) -> int:
        """Read what is new, archive what is due, make a digest if one is due; return how many were archived."""
        await self._follower.follow()
        publishes = self._publishing is None or self._publishing.shards()
        digest = await self._digests.make_if_due() if publishes else None
        if digest is not None:
            _log.info("digest_made", digest=digest.line.digest, heads=digest.line.heads, sha256=digest.sha256)
        shards = None if self._holding is None else self._holding.shards()
        return await self._archivist.archive_waiting(self._grace, shards)
