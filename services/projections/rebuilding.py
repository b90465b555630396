"""Rebuilding all rows from the log, beside the rows that are read meanwhile."""

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
from services.projections.ledger import Ledger, Taking
from services.projections.matches import LAYOUT, NAME
from services.projections.row_updates import Taker

_PIECE: Final = 50
"""How many matches are read between two reports."""

_COUNTED: Final = 10_000
"""How many matches are counted between two signs of life."""

_log = structlog.get_logger(__name__)


class Rebuilt(msgspec.Struct, frozen=True):
    """The result of a rebuild.

    Attributes:
        generation: The number of the new rows.
        rows: How many matches have a row.
        parked: How many could not be taken.
    """

    projection: str
    generation: int
    rows: int
    parked: int


class Rebuilder:
    """Makes a new generation of rows and lets it be read."""

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
        """Read all matches into new rows, follow the feed to its end, and let these rows be read from then on.

        A rebuild that is killed on the way has changed nothing that anybody reads. The next one removes what it left.

        Raises:
            AlreadyRebuilding: Another rebuild is under way.
            SetReplaced: Another one took over, because this one was silent for too long.
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
        # Registered in front of the first match that is read: what happens from here on stays in the feed.
        start = Subscription(self._store, rows.consumer)
        await start.commit(await start.next(1, 0))
        # A reader of its own: a rebuild would push the matches that people play out of the shared one.
        taker = Taker(self._store, MatchReader(self._store, kept=1), self._now)
        matches: list[str] = []
        async for match in self._store.matches():
            matches.append(match)
            if len(matches) % _COUNTED == 0:
                await self._generations.tell(building)
        taken = parked = 0
        async for piece in self._filled(rows, taker, matches):
            taken += sum(bool(taking.row) for taking in piece)
            parked += sum(bool(taking.parked) for taking in piece)
            building = msgspec.structs.replace(building, read=taken + parked, of=len(matches))
            await self._generations.tell(building)
            report(building)
        follower = Follower(self._ledger, rows, taker, self._store)
        while await follower.step(0):
            await self._generations.tell(building)
        await self._generations.swap(building)
        await self.tidy()
        _log.info("projection_rebuilt", projection=NAME, rows=taken, parked=parked)
        return Rebuilt(NAME, building.generation, taken, parked)

    async def _filled(
        self, rows: RowSet, taker: Taker, matches: Sequence[str]
    ) -> AsyncIterator[Sequence[Taking]]:
        for start in range(0, len(matches), _PIECE):
            piece = matches[start : start + _PIECE]
            takings = await taker.take(dict.fromkeys(piece, 0), {})
            if not await self._ledger.commit(rows, takings):
                raise SetReplaced("Somebody else writes these rows.")
            yield takings

    async def tidy(self) -> None:
        """Remove rows that nobody reads or makes: older generations, and what killed rebuilds left.

        Their checkpoints would keep the feed from being trimmed for ever.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        # In this order: a generation that exists, and is afterwards neither read nor made, never will be.
        names = await self._ledger.generations()
        standing = await self._generations.standing()
        used = {standing.current, standing.building.generation if standing.building is not None else None}
        for name in names - {f"{LAYOUT}-{number}" for number in used}:
            await self._ledger.drop(name)
