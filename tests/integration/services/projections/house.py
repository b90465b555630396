"""An installation with its projection of matches, on a real server."""

from pathlib import Path
from typing import Any

import redis.asyncio

from domain.match.fold import beginning as before_all
from domain.match.fold import fold
from services.bootstrap import present_instant
from services.log.archive.archivist import Archivist
from services.log.archive.closed_matches import ClosedMatches
from services.log.archive.folder import FolderStorage
from services.log.archive.importing import Importer
from services.log.archive.log_with_archive import LogWithArchive
from services.log.archive.shelf import Archive
from services.log.event_store.contract import Adoption, Append, Status
from services.log.event_store.redis_store import RedisEventStore
from services.matches.reader import MatchReader
from services.projections.following import Follower
from services.projections.generations import Generations
from services.projections.keys import RowSet
from services.projections.ledger import Ledger
from services.projections.listing import Listing
from services.projections.matches import INDEXES
from services.projections.rebuilding import Rebuilder
from services.projections.row_updates import RowUpdater
from tests.kit.logs import Log, named


class House:
    """The parts; nothing runs by itself."""

    def __init__(self, store: RedisEventStore, client: "redis.asyncio.Redis", archive: Path) -> None:
        self.store, self.client = store, client
        self.archive = Archive(FolderStorage(archive))
        self.log = LogWithArchive(store, self.archive)
        self.reader = MatchReader(self.log)
        self.closed = ClosedMatches(client, store.shards)
        self.archivist = Archivist(store, self.archive, self.closed, present_instant)
        self.importer = Importer(self.log, self.archive)
        self.ledger = Ledger(client, store.shards)
        self.generations = Generations(client, store.shards)
        self.rebuilder = Rebuilder(self.ledger, self.generations, self.log, present_instant)
        self.listing = Listing(store.look, store.shards)

    async def rows(self) -> RowSet:
        """Return the rows that are read."""
        current = (await self.generations.standing()).current
        assert current is not None
        return self.ledger.of(current)

    async def follower(self, reader: MatchReader | None = None) -> Follower:
        """Return somebody who follows the feed for the rows that are read."""
        updater = RowUpdater(self.log, reader or MatchReader(self.log), present_instant)
        return Follower(self.ledger, await self.rows(), updater, self.log)

    async def catch_up(self) -> None:
        """Take all that is new."""
        follower = await self.follower()
        while await follower.step(0):
            pass

    async def grow(self, match: str, log: Log, events: int) -> None:
        """Append the events of a log, up to a number of them, as one command."""
        have = await self.store.meta(match)
        start = 0 if have is None else have.version
        if start >= events:
            return
        placed = named(match, log)
        position = fold(before_all(match), placed[:events])
        terms = position.state.terms
        assert terms is not None
        over = position.state.lifecycle.phase in {"finished", "abandoned"}
        await self.store.append(
            Append(
                match,
                "somebody",
                f"k{start}",
                "f" * 64,
                start,
                fold(before_all(match), placed[:start]).head,
                placed[start:events],
                ("Some",) * (events - start),
                Status.CLOSED if over else Status.OPEN,
                terms.game,
                terms.rules,
                None,
                20_000,
            )
        )

    async def put(self, match: str, log: Log) -> None:
        """Take a whole log in."""
        await self.store.adopt(await self.adoption(match, log))

    async def adoption(self, match: str, log: Log) -> Adoption:
        placed = named(match, log)
        state = fold(before_all(match), placed).state
        assert state.terms is not None
        over = state.lifecycle.phase in {"finished", "abandoned"}
        status = Status.CLOSED if over else Status.OPEN
        terms = state.terms
        return Adoption(
            match, placed, len(placed), placed[-1].h, status, terms.game, terms.rules, None, ("Some",)
        )

    async def stored(self, *, of: RowSet) -> dict[str, object]:
        """Return everything that one generation of rows holds."""
        names: list[str] = []
        pipe = self.client.pipeline(transaction=False)
        for shard in range(self.store.shards):
            for part in ("rows", "parked"):
                pipe.hgetall(of.index(shard, part))
            for index in INDEXES:
                pipe.zrange(of.index(shard, index), 0, -1, withscores=True)
            names += (f"{shard} {part}" for part in ("rows", "parked", *INDEXES))
        answers: list[Any] = await pipe.execute()
        return {
            f"{name} {match!r}": value
            for name, answer in zip(names, answers, strict=True)
            for match, value in dict(answer).items()
        }
