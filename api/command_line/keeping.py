"""The parts that keep projections, for operators' commands."""

import contextlib
from collections.abc import AsyncIterator
from typing import NamedTuple

import redis.asyncio

from api.command_line.opening import opened_log
from services.bootstrap import present_instant
from services.log.archive.log_with_archive import LogWithArchive
from services.log.archive.shelf import Archive
from services.log.archive.storage import storage_at
from services.matches.reader import MatchReader
from services.people.player_names import PlayerNames
from services.projections.keeper import Keeper
from services.projections.listing import Listing


class Shelf(NamedTuple):
    """What operators look into when they look for matches.

    Attributes:
        listing: Lists matches.
        names: How players want to be called.
        client: A client of the log's server.
        shards: The log's number of shards.
    """

    listing: Listing
    names: PlayerNames
    client: "redis.asyncio.Redis"
    shards: int


@contextlib.asynccontextmanager
async def keeper_at(url: str, archive_address: str) -> AsyncIterator[tuple[Keeper, Shelf]]:
    """Open what keeps the projection, on the log at a URL and the archive at an address.

    Raises:
        CommandFailed: The server holds no log.
        StoreUnavailable: It does not answer.
    """
    async with opened_log(url) as store, redis.asyncio.Redis.from_url(url) as client:
        log = LogWithArchive(store, Archive(storage_at(archive_address)))
        keeper = Keeper(client, log, MatchReader(log, kept=1), present_instant)
        yield keeper, Shelf(Listing(store.look, store.shards), PlayerNames(client), client, store.shards)
