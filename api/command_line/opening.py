"""Opening the log on which an operator's command works."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from api.command_line.group import CommandFailed
from api.command_line.options import Location
from api.command_line.purposes import STORE, UP
from services.errors import NoSuchMatch, StoreUnavailable
from services.log.embedded.running import find_running
from services.log.embedded.session import attached_stores
from services.log.embedded.stores import may_answer
from services.log.event_store.connections import answered
from services.log.event_store.contract import EventStore, Meta
from services.log.event_store.keys import INSTALLATION
from services.log.event_store.patience import Patience
from services.log.event_store.reach import servers_at
from services.log.event_store.redis_store import RedisEventStore

if TYPE_CHECKING:
    from services.bootstrap.log_parts import LogParts

T = TypeVar("T")


class LogAddress(NamedTuple):
    """Where a log and its archive are, for this process and for those that it starts.

    Attributes:
        url: The log's server.
        archive: The archive: a folder, or ``s3://bucket/prefix``.
    """

    url: str
    archive: str


class NoLogYet(CommandFailed):
    """The server answers, and holds no log."""


def has_log(location: Location) -> bool:
    """Tell whether there is a log to be opened, or a server that was named to hold one."""
    settings = location.settings()
    folder = settings.data_folder
    return settings.log_store_url is not None or find_running(folder) is not None or (folder / "log").is_dir()


@contextlib.contextmanager
def log_address(location: Location, *, purpose: str, make: bool = False) -> Iterator[LogAddress]:
    """Use the log of a running service, or start its store meanwhile; others are told the purpose.

    Raises:
        CommandFailed: There is no such folder.
        TableeError: It cannot be used.
    """
    settings = location.settings()
    if settings.log_store_url is not None:
        yield LogAddress(settings.log_store_url, settings.archive_address)
        return
    folder = settings.data_folder
    running = find_running(folder)
    if running is not None and running.purpose in {UP, STORE} and may_answer(running.log_store_url):
        yield LogAddress(running.log_store_url, settings.archive_address)
        return
    # Looking at a log must not make one.
    if not make and not (folder / "log").is_dir():
        raise CommandFailed(
            f"{folder} is no data folder of Tablée. Name it with --data FOLDER, or the log's server with --redis URL."
        )
    with attached_stores(folder, purpose=purpose) as stores:
        yield LogAddress(stores.log_store_url, settings.archive_address)


@contextlib.asynccontextmanager
async def opened_log(url: str, *, make: bool = False) -> AsyncIterator[RedisEventStore]:
    """Open the log on a server; on one that holds none, leave no trace unless one is to be made.

    Raises:
        NoLogYet: The server holds no log.
        CommandFailed: The URL is none.
        StoreUnavailable: It does not answer.
    """
    try:
        if not make:
            await _require_log(url)
        store = await RedisEventStore.open(url)
    except ValueError as error:
        raise CommandFailed(f"{url} cannot be used: {error}") from error
    except StoreUnavailable as error:
        raise CommandFailed(f"The log's server at {url} does not answer: {error}") from error
    try:
        yield store
    finally:
        await store.close()


async def meta_of(store: EventStore, match: str) -> Meta:
    """Return the store's record of a match.

    Raises:
        NoSuchMatch: There is none with this id.
    """
    meta = await store.meta(match)
    if meta is None:
        raise NoSuchMatch(match)
    return meta


def work_on(log: LogAddress, work: Callable[["LogParts"], Awaitable[T]], *, make: bool = False) -> T:
    """Open a log, with its archive and all that works on them, and return what the work comes to.

    Raises:
        NoLogYet: The server holds no log, and none is to be made.
        CommandFailed: It cannot be opened.
    """
    # Loaded only for the commands that need it: those that only list matches start in half the time.
    from services.bootstrap.log_parts import log_parts

    async def worked() -> T:
        async with opened_log(log.url, make=make) as store, log_parts(store, *log) as parts:
            return await work(parts)

    return asyncio.run(worked())


async def _require_log(url: str) -> None:
    connections = await servers_at(url, Patience())
    try:
        with answered():
            (found,) = await connections.ask(("EXISTS", INSTALLATION))
    finally:
        await connections.close()
    if not found:
        raise NoLogYet("There is no match yet: `tablee play GAME` or `tablee demo GAME` make the first one.")
