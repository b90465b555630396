"""The composition root: every process builds its parts here, from the settings alone."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import msgspec
import redis.asyncio
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff

from domain.instants import Instant, instant_of
from services.event_store.contract import EventStore
from services.event_store.redis_store import RedisEventStore
from services.identity import Identity
from services.identity_store import RedisTokens
from services.matches.bots import BotPlayer
from services.matches.reader import MatchReader
from services.matches.service import MatchService
from services.player_names import PlayerNames
from services.sessions import Sessions
from services.sessions_store import RedisSessions


def present_instant() -> Instant:
    """Return the present instant; the only place of the application that asks the system's clock for it."""
    return instant_of(datetime.now(UTC))


class Application(msgspec.Struct, frozen=True):
    """The parts of a running process.

    Attributes:
        store: The log.
        reader: Positions of matches.
        service: Commands to matches.
        identity: Tokens.
        bots: Bots' turns.
        log_client: A client of the log's server, for durability checks and identity.
        sessions: The browsers of people.
        names: How players want to be called.
    """

    store: EventStore
    reader: MatchReader
    service: MatchService
    identity: Identity
    bots: BotPlayer
    log_client: "redis.asyncio.Redis"
    sessions: Sessions
    names: PlayerNames


@asynccontextmanager
async def application(log_store_url: str, shards: int, secret: bytes) -> AsyncIterator[Application]:
    """Open the application's parts, and close them at the end.

    Args:
        log_store_url: URL of the log's server.
        shards: The installation's number of shards.
        secret: The installation's secret.

    Raises:
        StoreUnavailable: The log's server does not answer.
    """
    store = await RedisEventStore.open(log_store_url, shards=shards)
    # Reading and writing a token twice does no harm, so one more try is fine; ten, as by default, would keep a person
    # waiting for longer than the answer "not possible at the moment" is worth.
    client = redis.asyncio.Redis.from_url(
        log_store_url, socket_timeout=3, socket_connect_timeout=1, retry=Retry(NoBackoff(), 1)
    )
    reader = MatchReader(store)
    service = MatchService(store, reader, present_instant)
    identity = Identity(secret, RedisTokens(client))
    sessions = Sessions(secret, RedisSessions(client))
    bots = BotPlayer(service, reader, identity)
    try:
        yield Application(store, reader, service, identity, bots, client, sessions, PlayerNames(client))
    finally:
        await client.aclose()
        await store.close()
