"""The parts of a process of the service, put together: for the API, loops and workers."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from functools import partial

import msgspec
import structlog

from domain.games.registry import GAMES, package_of
from services.bootstrap.clients import SERVING, client_of_log
from services.bootstrap.log_parts import log_parts
from services.bootstrap.people import PeopleParts, with_people
from services.errors import BelongsElsewhere, ReleaseTooOld, StoreUnavailable
from services.log.acknowledged import Acknowledged
from services.log.belonging import installation_id, require_own
from services.log.event_store.patience import Patience
from services.log.event_store.redis_store import RedisEventStore
from services.log.high_water_mark import HighWaterMarkFile
from services.log.kept_files import FOLDER, KeptFiles
from services.log.release_floor import ReleaseFloor
from services.log.write_guard import WriteGuard, require_primary
from services.matches.bots import BotPlayer
from services.process.code_identity import packages_digest
from services.process.settings import Settings, SettingsError, installation_secret

_log = structlog.get_logger(__name__)


class Application(PeopleParts, frozen=True, kw_only=True):
    """The parts of a process of the service, which has the installation's secret.

    Attributes:
        bots: Bots' turns.
        guard: Whether the log would take a write now.
    """

    bots: BotPlayer
    guard: WriteGuard


Opening = Callable[[], AbstractAsyncContextManager[Application]]


@asynccontextmanager
async def application(
    log_store_url: str,
    shards: int,
    secret: bytes,
    archive_address: str,
    guard: WriteGuard | None = None,
    replicas: int = 0,
    kept: KeptFiles | None = None,
) -> AsyncIterator[Application]:
    """Open the parts of a process of the service, and close them at the end.

    Args:
        log_store_url: Where the log is.
        shards: How many shards it has.
        secret: The installation's secret.
        archive_address: Where closed matches go.
        guard: Refuses writes that must not be sent.
        replicas: How many replicas must have a command before it is acknowledged.
        kept: Where it is kept what takes long to make from a log; None for nowhere.

    Raises:
        ValueError: The archive's address names no bucket.
        StoreUnavailable: The log's server does not answer.
    """
    guard = guard or WriteGuard()
    store = await RedisEventStore.open(log_store_url, shards, Patience(replicas=replicas))
    store.acknowledged = guard.acknowledged
    try:
        async with log_parts(store, log_store_url, archive_address, SERVING, guard, kept) as parts:
            people = with_people(parts, secret)
            yield Application(
                **msgspec.structs.asdict(people),
                bots=BotPlayer(parts.service, parts.reader, people.identity, parts.counts),
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
    return partial(_own, settings, settings.log_store_url, installation_secret(settings), guard_of(settings))


@asynccontextmanager
async def _own(
    settings: Settings, log_store_url: str, secret: bytes, guard: WriteGuard
) -> AsyncIterator[Application]:
    """Open the parts, and make sure that they belong together.

    Raises:
        BelongsElsewhere: They do not, or a newer release has written to the log.
        StoreReadOnly: The log's server is a replica.
    """
    async with await client_of_log(log_store_url, SERVING) as asked:
        await require_primary(asked)
    kept = KeptFiles(settings.data_folder / FOLDER, secret, _code)
    preparing = asyncio.create_task(asyncio.to_thread(kept.prepare))
    async with application(
        log_store_url, settings.shards, secret, settings.archive_address, guard, settings.replicas, kept
    ) as parts:
        accepted = frozenset(settings.accept_other.split(","))
        await require_own(parts.log_client, secret, parts.archive.storage, accepted=accepted)
        await _require_release(parts.floor, accepted="release" in accepted)
        with suppress(StoreUnavailable):
            guard.identify(await installation_id(parts.log_client), settings.data_folder)
        await preparing
        yield parts


async def _require_release(floor: ReleaseFloor, *, accepted: bool) -> None:
    try:
        await floor.require_release()
    except ReleaseTooOld as error:
        if not accepted:
            raise BelongsElsewhere(
                error.code,
                f"This release is too old: {error}. Install the newer one again. To go on without it, and without the "
                "matches in which it wrote such things, start once with TABLEE_ACCEPT_OTHER=release.",
            ) from error
        await floor.lower()
        _log.warning("older_release_accepted", reason=str(error))


def _code() -> str:
    """Return what makes positions of logs: the domain, the services, and games from outside."""
    return packages_digest(("domain", "services", *map(package_of, GAMES.values())))


def guard_of(settings: Settings) -> WriteGuard:
    """Return what refuses commands that must not be sent, as the settings say."""
    url, files = settings.log_store_url or "", settings.data_folder / "log"
    embedded = url.startswith("unix://") and files.is_dir()
    if settings.accept_weak_durability:
        return WriteGuard(files if embedded else None)
    mark = HighWaterMarkFile(settings.data_folder, url)
    return WriteGuard(files if embedded else None, mark, Acknowledged())
