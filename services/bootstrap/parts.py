"""What works on a log, put together: for operators' commands, and for the API, loops and workers."""

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from services.audit.digests import DigestMaker, Digests
from services.bootstrap import present_instant
from services.bootstrap.clients import COMMAND, SERVING, Purpose, client
from services.bootstrap.dossier_kinds import dossier_kinds
from services.log.archive.archivist import Archivist
from services.log.archive.closed_matches import ClosedMatches
from services.log.archive.following import ClosedMatchesFollower
from services.log.archive.log_with_archive import LogWithArchive
from services.log.archive.shelf import Archive
from services.log.archive.storage import storage_at
from services.log.event_store.contract import EventStore
from services.log.event_store.redis_store import RedisEventStore
from services.log.high_water_mark import HighWaterMarkFile
from services.log.write_guard import WriteGuard
from services.matches.bots import BotPlayer
from services.matches.leaving import Leaving
from services.matches.reader import MatchReader
from services.matches.service import MatchService
from services.matches.tables_of_clubs import TablesOfClubs
from services.people.clubs.clubs import Clubs
from services.people.contacts import Contacts
from services.people.dossiers import Dossiers
from services.people.identity import Identity
from services.people.memberships import Memberships
from services.people.operators import Operators
from services.people.persons import Persons
from services.people.player_names import PlayerNames
from services.people.sessions import Sessions
from services.process.counts import Counts
from services.process.settings import Settings, SettingsError, installation_secret
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
        reader: Positions of matches.
        service: Commands to matches.
        archive: Where closed matches go.
        closed: What waits to go there.
        follower: Follows the feed for matches that are to wait.
        archivist: Takes them there.
        digests: The row of digests of heads.
        digest_maker: Makes the next one.
        listing: Lists matches.
        names: How players want to be called.
        clubs: Clubs.
        tables_of_clubs: Their tables.
        counts: What this process counts.
    """

    live_store: RedisEventStore
    store: EventStore
    log_client: "redis.asyncio.Redis"
    reader: MatchReader
    service: MatchService
    archive: Archive
    closed: ClosedMatches
    follower: ClosedMatchesFollower
    archivist: Archivist
    digests: Digests
    digest_maker: DigestMaker
    listing: Listing
    names: PlayerNames
    clubs: Clubs
    tables_of_clubs: TablesOfClubs
    counts: Counts

    def keeper(self) -> "Keeper":
        """Return what keeps the projection; it remembers one match only, as it reads each of them once."""
        # Loaded only for the commands that build rows.
        from services.projections.keeper import Keeper

        reader = MatchReader(self.store, kept=1)
        return Keeper(self.log_client, self.store, reader, present_instant)


class Application(LogParts, frozen=True, kw_only=True):
    """The parts of a process of the service, which has the installation's secret.

    Attributes:
        identity: Tokens.
        persons: Who people are, at all their tables.
        memberships: Which player at which match is whose.
        contacts: Where people can be reached.
        sessions: On which devices they are known.
        dossiers: Everything that is kept about a person.
        operators: Who may look behind the pages.
        bots: Bots' turns.
        guard: Whether the log would take a write now.
    """

    identity: Identity
    persons: Persons
    memberships: Memberships
    contacts: Contacts
    sessions: Sessions
    dossiers: Dossiers
    operators: Operators
    bots: BotPlayer
    guard: WriteGuard


Opening = Callable[[], AbstractAsyncContextManager[Application]]


@asynccontextmanager
async def log_parts(
    store: RedisEventStore,
    log_store_url: str,
    archive_address: str,
    purpose: Purpose = COMMAND,
    guard: WriteGuard | None = None,
) -> AsyncIterator[LogParts]:
    """Put together what works on an open log, which its owner closes, and on the archive at an address.

    A guard refuses commands that must not be sent; operators' commands have none.

    Raises:
        ValueError: The archive's address names no bucket.
    """
    archive = Archive(storage_at(archive_address))
    log, counts = LogWithArchive(store, archive, (guard or WriteGuard()).require), Counts()
    reader, digests = MatchReader(log), Digests(archive.storage)
    async with client(log_store_url, purpose) as log_client:
        closed = ClosedMatches(log_client, store.shards)
        archivist = Archivist(store, archive, closed, present_instant)
        clubs = Clubs(log_client)
        yield LogParts(
            live_store=store,
            store=log,
            log_client=log_client,
            reader=reader,
            service=MatchService(log, reader, present_instant, counts),
            archive=archive,
            closed=closed,
            follower=ClosedMatchesFollower(log, closed, archivist),
            archivist=archivist,
            digests=digests,
            digest_maker=DigestMaker(log, digests, closed, present_instant),
            listing=Listing(store.look, store.shards),
            names=PlayerNames(log_client),
            clubs=clubs,
            tables_of_clubs=TablesOfClubs(reader, clubs.tables),
            counts=counts,
        )


@asynccontextmanager
async def application(
    log_store_url: str, shards: int, secret: bytes, archive_address: str, guard: WriteGuard | None = None
) -> AsyncIterator[Application]:
    """Open the parts of a process of the service, and close them at the end.

    Raises:
        ValueError: The archive's address names no bucket.
        StoreUnavailable: The log's server does not answer.
    """
    guard = guard or WriteGuard()
    store = await RedisEventStore.open(log_store_url, shards=shards)
    try:
        async with log_parts(store, log_store_url, archive_address, SERVING, guard) as parts:
            identity, persons = Identity(secret, parts.log_client), Persons(parts.log_client)
            memberships = Memberships(parts.log_client)
            sessions = Sessions(secret, parts.log_client, persons, memberships, parts.names)
            contacts = Contacts(secret, parts.log_client)
            kinds = dossier_kinds(parts.log_client, persons, memberships, sessions, contacts)
            yield Application(
                **msgspec.structs.asdict(parts),
                identity=identity,
                persons=persons,
                memberships=memberships,
                sessions=sessions,
                dossiers=Dossiers(persons, memberships, kinds, Leaving(parts.service, parts.reader)),
                contacts=contacts,
                operators=Operators(parts.log_client),
                bots=BotPlayer(parts.service, parts.reader, identity, parts.counts),
                guard=guard,
            )
    finally:
        await store.close()


def opening_of(settings: Settings) -> Opening:
    """Return what opens the parts of a process as the settings say.

    Raises:
        SettingsError: They do not say where the log is.
    """
    if settings.log_store_url is None:
        raise SettingsError(
            "TABLEE_LOG_STORE_URL is not set: this process needs the address of the log's server."
        )
    secret = installation_secret(settings)
    url, guard = settings.log_store_url, guard_of(settings)
    return partial(application, url, settings.shards, secret, settings.archive_address, guard)


def guard_of(settings: Settings) -> WriteGuard:
    """Return what refuses commands that must not be sent, as the settings say."""
    url, files = settings.log_store_url or "", settings.data_folder / "log"
    embedded = url.startswith("unix://") and files.is_dir()
    mark = None if settings.accept_weak_durability else HighWaterMarkFile(settings.data_folder, url)
    return WriteGuard(files if embedded else None, mark)
