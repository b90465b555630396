"""Rebuilding all rows from the log while the present rows are still read."""

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Final

import msgspec
import structlog

from domain.instants import Instant
from services.log.event_store.contract import EventStore
from services.log.subscription import Subscription
from services.matches.reader import MatchReader
from services.projections.errors import SetReplaced
from services.projections.following import Follower
from services.projections.generations import Building, Generations
from services.projections.keys import RowSet
from services.projections.ledger import Ledger, RowUpdate
from services.projections.matches import LAYOUT, NAME
from services.projections.row_updates import RowUpdater

_PIECE: Final = 50
"""Matches read between two reports."""

_COUNTED: Final = 10_000
"""Matches counted between two signs of life."""

_log = structlog.get_logger(__name__)


class Rebuilt(msgspec.Struct, frozen=True):
    """The result of a rebuild.

    Attributes:
        rows: How many matches have a row.
        parked: How many are dead letters.
    """

    projection: str
    generation: int
    rows: int
    parked: int


class Rebuilder:
    """Builds a new generation of rows and makes it the one that is read."""

    def __init__(
        self,
        ledger: Ledger,
        generations: Generations,
        store: EventStore,
        now: Callable[[], Instant],
    ) -> None:
        self._ledger: Final = ledger
        self._generations: Final = generations
        self._store: Final = store
        self._now: Final = now

    async def rebuild(self, report: Callable[[Building], None] = lambda _: None) -> Rebuilt:
        """Read all matches into new rows, follow the feed to its end, then switch readers to these rows.

        A rebuild killed on the way has changed nothing that is read. The next one removes what it left behind.

        Raises:
            AlreadyRebuilding: Another rebuild is under way.
            SetReplaced: Another rebuild took over because this one was silent for too long.
            StoreUnavailable: The store or the archive did not answer.
        """
        building = await self._generations.begin(self._now())
        try:
            return await self._built(building, report)
        except BaseException:
            await self._generations.give_up(building)
            raise

    async def _built(self, building: Building, report: Callable[[Building], None]) -> Rebuilt:
        rows = self._ledger.of(building.generation)
        await self.tidy()
        # Register before reading the first match, so that the feed keeps everything from here on.
        start = Subscription(self._store, rows.consumer)
        await start.commit(await start.next(1, 0))
        # Its own reader: a rebuild would push the matches in play out of the shared one.
        updater = RowUpdater(self._store, MatchReader(self._store, kept=1), self._now)
        matches: list[str] = []
        async for match in self._store.matches():
            matches.append(match)
            if len(matches) % _COUNTED == 0:
                await self._generations.tell(building)
        taken = parked = 0
        async for piece in self._filled(rows, updater, matches):
            taken += sum(bool(update.row) for update in piece)
            parked += sum(bool(update.failure) for update in piece)
            building = msgspec.structs.replace(building, read=taken + parked, of=len(matches))
            await self._generations.tell(building)
            report(building)
        follower = Follower(self._ledger, rows, updater, self._store)
        while await follower.step(0):
            await self._generations.tell(building)
        await self._generations.swap(building)
        await self.tidy()
        _log.info("projection_rebuilt", projection=NAME, rows=taken, parked=parked)
        return Rebuilt(NAME, building.generation, taken, parked)

    async def _filled(
        self, rows: RowSet, updater: RowUpdater, matches: Sequence[str]
    ) -> AsyncIterator[Sequence[RowUpdate]]:
        for start in range(0, len(matches), _PIECE):
            piece = matches[start : start + _PIECE]
            updates = await updater.updates(dict.fromkeys(piece, 0), {})
            if not await self._ledger.commit(rows, updates):
                raise SetReplaced("Somebody else writes these rows.")
            yield updates

    async def tidy(self) -> None:
        """Remove rows that nobody reads or builds: older generations, and what killed rebuilds left.

        Otherwise their checkpoints would keep the feed from ever being trimmed.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        # In this order: a generation that existed before, and is now neither read nor built, never will be.
        names = await self._ledger.generations()
        standing = await self._generations.standing()
        used = {standing.current, standing.building.generation if standing.building is not None else None}
        for name in names - {f"{LAYOUT}-{number}" for number in used}:
            await self._ledger.drop(name)
