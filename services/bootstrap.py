"""The composition root: every process builds its parts here, from the settings alone."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import msgspec
import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from domain.instants import Instant, instant_of
from services.audit.digests import DigestMaker, Digests
from services.log.archive.archivist import Archivist
from services.log.archive.closed_matches import ClosedMatches
from services.log.archive.following import ClosedMatchesFollower
from services.log.archive.log_with_archive import LogWithArchive
from services.log.archive.shelf import Archive
from services.log.archive.storage import storage_at
from services.log.event_store.contract import EventStore
from services.log.event_store.redis_store import RedisEventStore
from services.matches.bots import BotPlayer
from services.matches.reader import MatchReader
from services.matches.service import MatchService
from services.people.identity import Identity
from services.people.operators import Operators
from services.people.player_names import PlayerNames
from services.people.sessions import Sessions
from services.process.counts import Counts
from services.projections.listing import Listing


def present_instant() -> Instant:
    """Return the present instant; the only place of the application that asks the system's clock for it."""
    return instant_of(datetime.now(UTC))


class Application(msgspec.Struct, frozen=True):
    """The parts of a running process.

    Attributes:
        store: The log, with the archive behind it.
        reader: Positions of matches.
        service: Commands to matches.
        identity: Tokens.
        bots: Bots' turns.
        log_client: A client of the log's server, for durability checks and identity.
        sessions: The browsers of people.
        names: How players want to be called.
        archive: Where closed matches are.
        closed: Follows the feed for matches that are to go there.
        archivist: Takes closed matches there.
        digests: The row of digests of heads.
        digest_maker: Makes the next one.
        listing: Lists matches.
        operators: Who may look behind the pages.
        counts: What this process counts.
    """

    store: EventStore
    reader: MatchReader
    service: MatchService
    identity: Identity
    bots: BotPlayer
    log_client: "redis.asyncio.Redis"
    sessions: Sessions
    names: PlayerNames
    archive: Archive
    closed: ClosedMatchesFollower
    archivist: Archivist
    digests: Digests
    digest_maker: DigestMaker
    listing: Listing
    operators: Operators
    counts: Counts = msgspec.field(default_factory=Counts)


@asynccontextmanager
async def application(
    log_store_url: str, shards: int, secret: bytes, archive_address: str
) -> AsyncIterator[Application]:
    """Open the application's parts, and close them at the end.

    Args:
        log_store_url: URL of the log's server.
        shards: The installation's number of shards.
        secret: The installation's secret.
        archive_address: Where closed matches go: a folder, or ``s3://bucket/prefix``.

    Raises:
        ValueError: The archive's address names no bucket.
        StoreUnavailable: The log's server does not answer.
    """
    archive = Archive(storage_at(archive_address))
    store = await RedisEventStore.open(log_store_url, shards=shards)
    # Reading and writing a token twice does no harm, so one more try is fine; ten, as by default, would keep a person
    # waiting for longer than the answer "not possible at the moment" is worth.
    client = redis.asyncio.Redis.from_url(
        log_store_url, socket_timeout=3, socket_connect_timeout=1, retry=Retry(NoBackoff(), 1)
    )
    log, closed = LogWithArchive(store, archive), ClosedMatches(client, store.shards)
    digests = Digests(archive.storage)
    reader = MatchReader(log)
    counts = Counts()
    service = MatchService(log, reader, present_instant, counts)
    identity = Identity(secret, client)
    archivist = Archivist(store, archive, closed, present_instant)
    try:
        yield Application(
            store=log,
            reader=reader,
            service=service,
            identity=identity,
            bots=BotPlayer(service, reader, identity, counts),
            log_client=client,
            sessions=Sessions(secret, client),
            names=PlayerNames(client),
            archive=archive,
            closed=ClosedMatchesFollower(log, closed, archivist),
            archivist=archivist,
            digests=digests,
            digest_maker=DigestMaker(log, digests, closed, present_instant),
            listing=Listing(store.look, store.shards),
            operators=Operators(client),
            counts=counts,
        )
    finally:
        await client.aclose()
        await store.close()
