"""What works on a log, put together without the installation's secret: for operators' commands, and for all others."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import msgspec

from services.audit.digests import DigestMaker, Digests
from services.bootstrap import present_instant
from services.bootstrap.clients import COMMAND, Purpose, client_of_log
from services.log.archive.archivist import Archivist
from services.log.archive.closed_matches import ClosedMatches
from services.log.archive.following import ClosedMatchesFollower
from services.log.archive.log_with_archive import LogWithArchive
from services.log.archive.pieces import Pieces
from services.log.archive.shelf import Archive
from services.log.archive.storage import storage_at
from services.log.event_store.contract import EventStore
from services.log.event_store.redis_store import RedisEventStore
from services.log.kept_files import KeptFiles
from services.log.release_floor import ReleaseFloor
from services.log.write_guard import WriteGuard
from services.matches.kept_positions import KeptPositions
from services.matches.reader import MatchReader
from services.matches.service import MatchService
from services.matches.tables_of_clubs import TablesOfClubs
from services.people.clubs.clubs import Clubs
from services.people.player_names import PlayerNames
from services.process.counts import Counts
from services.projections.inbox import InboxReader
from services.projections.list_reader import ListReader
from services.projections.listing import Listing

if TYPE_CHECKING:
    import redis.asyncio

    from services.projections.keeper import Keeper


class LogParts(msgspec.Struct, frozen=True, kw_only=True):
    """What works on a log and its archive without the installation's secret.

    Attributes:
        live_store: The log alone, without the archive.
        store: The log, with the archive behind it.
        log_client: A client of the log's server, for what is kept there beside the log.
        floor: Which releases can read the log.
        reader: Positions of matches.
        service: Commands to matches.
        archive: Where closed matches go.
        closed: What waits to go there.
        follower: Follows the feed for matches that are to wait.
        archivist: Takes them there.
        digests: The row of digests of heads.
        digest_maker: Makes the next one.
        rows: Reads the rows of lists.
        listing: Lists matches.
        inbox: Lists a person's tables, those that wait for them first.
        names: How players want to be called.
        clubs: Clubs.
        tables_of_clubs: Their tables.
        counts: What this process counts.
        kept: Where it is kept what takes long to make from a log; None for nowhere.
    """

    live_store: RedisEventStore
    store: EventStore
    log_client: "redis.asyncio.Redis"
    floor: ReleaseFloor
    reader: MatchReader
    service: MatchService
    archive: Archive
    closed: ClosedMatches
    follower: ClosedMatchesFollower
    archivist: Archivist
    digests: Digests
    digest_maker: DigestMaker
    rows: ListReader
    listing: Listing
    inbox: InboxReader
    names: PlayerNames
    clubs: Clubs
    tables_of_clubs: TablesOfClubs
    counts: Counts
    kept: KeptFiles | None

    def keeper(self) -> "Keeper":
        """Return what keeps the projection; it remembers one match only, as it reads each of them once."""
        # Loaded only for the commands that build rows.
        from services.projections.keeper import Keeper

        reader = MatchReader(self.store, kept=1, floor=self.floor)
        return Keeper(self.log_client, self.store, reader, present_instant)


@asynccontextmanager
async def log_parts(
    store: RedisEventStore,
    log_store_url: str,
    archive_address: str,
    purpose: Purpose = COMMAND,
    guard: WriteGuard | None = None,
    kept: KeptFiles | None = None,
) -> AsyncIterator[LogParts]:
    """Put together what works on an open log, which its owner closes, and on the archive at an address.

    A guard refuses commands that must not be sent, and files keep what takes long to make; operators' commands have
    neither.

    Raises:
        ValueError: The archive's address names no bucket.
    """
    archive = Archive(storage_at(archive_address))
    counts, digests = Counts(), Digests(archive.storage)
    async with await client_of_log(
        log_store_url, purpose, spread=store.spread, replicas=store.replicas
    ) as log_client:
        floor = ReleaseFloor(log_client)
        watch = guard or WriteGuard()
        log = LogWithArchive(
            store,
            archive,
            watch.require,
            floor,
            lambda: watch.compare(store.positions, present_instant()),
            Pieces(kept) if kept is not None else None,
        )
        reader = MatchReader(log, floor=floor, positions=KeptPositions(kept) if kept is not None else None)
        closed = ClosedMatches(log_client, store.shards)
        clubs = Clubs(log_client)
        rows = ListReader(store.look, store.shards)
        archivist = Archivist(store, archive, closed, present_instant)
        yield LogParts(
            live_store=store,
            store=log,
            log_client=log_client,
            floor=floor,
            reader=reader,
            service=MatchService(log, reader, present_instant, counts),
            archive=archive,
            closed=closed,
            follower=ClosedMatchesFollower(log, closed, archivist),
            archivist=archivist,
            digests=digests,
            digest_maker=DigestMaker(log, digests, closed, present_instant),
            rows=rows,
            listing=Listing(store.look, store.shards),
            inbox=InboxReader(rows, log, reader),
            names=PlayerNames(log_client),
            clubs=clubs,
            tables_of_clubs=TablesOfClubs(reader, clubs.tables),
            counts=counts,
            kept=kept,
        )
