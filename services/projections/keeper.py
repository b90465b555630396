"""What keeps the projection up to date, built from its parts."""

from collections.abc import Callable
from typing import Final

import redis.asyncio

from domain.instants import Instant
from services.log.event_store.contract import EventStore
from services.log.event_store.errors import FeedGap
from services.log.leases import Holding
from services.log.subscription import StoreWentBack
from services.matches.reader import MatchReader
from services.projections.errors import AlreadyRebuilding, SetReplaced
from services.projections.following import Follower
from services.projections.generations import Generations
from services.projections.ledger import Ledger
from services.projections.rebuilding import Rebuilder
from services.projections.row_updates import RowUpdater


class Keeper:
    """Keeps the projection up to date.

    Attributes:
        generations: Which rows are read.
        rebuilder: Builds new ones.
    """

    def __init__(
        self,
        client: "redis.asyncio.Redis",
        store: EventStore,
        reader: MatchReader,
        now: Callable[[], Instant],
        holding: Holding | None = None,
    ) -> None:
        self.ledger: Final = Ledger(client, store.shards)
        self.generations: Final = Generations(client, store.shards)
        self.rebuilder: Final = Rebuilder(self.ledger, self.generations, store, now)
        self._updater: Final = RowUpdater(store, reader, now)
        self._store: Final = store
        self._holding: Final = holding

    def follower(self, generation: int) -> Follower:
        """Return the follower of a generation of rows."""
        return Follower(self.ledger, self.ledger.of(generation), self._updater, self._store, self._holding)

    async def catch_up(self) -> str:
        """Bring the rows up to date, or build them, even beside a service; tell why that failed, empty if not.

        Raises:
            StoreUnavailable: The store or the archive did not answer.
        """
        standing = await self.generations.standing()
        if standing.halted is not None:
            return standing.halted.reason
        try:
            if standing.current is None:
                await self.rebuilder.rebuild()
                return ""
            follower = self.follower(standing.current)
            while await follower.step(0):
                pass
        except AlreadyRebuilding as error:
            return str(error)
        except (StoreWentBack, SetReplaced, FeedGap) as error:
            return f"{error} A rebuild reads everything anew."
        return ""
