"""What operators' commands work with: the log with its archive, and the one door through which matches change."""

import contextlib
from collections.abc import AsyncIterator
from typing import NamedTuple

import redis.asyncio

from api.command_line.opening import opened_log
from services.audit.digests import DigestMaker, Digests
from services.bootstrap import present_instant
from services.log.archive.archivist import Archivist
from services.log.archive.closed_matches import ClosedMatches
from services.log.archive.following import ClosedMatchesFollower
from services.log.archive.log_with_archive import LogWithArchive
from services.log.archive.shelf import Archive
from services.log.archive.storage import storage_at
from services.matches.reader import MatchReader
from services.matches.service import MatchService


class Desk(NamedTuple):
    """The parts.

    Attributes:
        log: The log, with the archive behind it.
        archive: The archive.
        closed: What waits for it.
        follower: Notes what is to wait.
        archivist: Takes it there.
        digests: The row of digests.
        digest_maker: Makes the next one.
        service: Commands to matches.
    """

    log: LogWithArchive
    archive: Archive
    closed: ClosedMatches
    follower: ClosedMatchesFollower
    archivist: Archivist
    digests: Digests
    digest_maker: DigestMaker
    service: MatchService


@contextlib.asynccontextmanager
async def desk_at(url: str, archive_address: str, *, make: bool = False) -> AsyncIterator[Desk]:
    """Open the log on a server, and the archive at an address.

    Args:
        url: Where the log is.
        archive_address: Where the archive is.
        make: Begin a log on a server that holds none.

    Raises:
        CommandFailed: The server holds no log.
        StoreUnavailable: It does not answer.
    """
    archive = Archive(storage_at(archive_address))
    async with opened_log(url, make=make) as store, redis.asyncio.Redis.from_url(url) as client:
        log, closed = LogWithArchive(store, archive), ClosedMatches(client, store.shards)
        digests = Digests(archive.storage)
        archivist = Archivist(store, archive, closed, present_instant)
        yield Desk(
            log=log,
            archive=archive,
            closed=closed,
            follower=ClosedMatchesFollower(log, closed, archivist),
            archivist=archivist,
            digests=digests,
            digest_maker=DigestMaker(log, digests, closed, present_instant),
            service=MatchService(log, MatchReader(log), present_instant),
        )
