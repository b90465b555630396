"""For operators: how far each consumer of the feed is, and the dead letters."""

from collections.abc import Mapping
from typing import Final

import msgspec
import redis.asyncio

from domain.instants import Instant
from services.log.archive.closed_matches import NAME as ARCHIVE
from services.log.archive.closed_matches import ClosedMatches
from services.log.event_store.keys import CONSUMER_FIELD, Keyspace
from services.log.redis_errors import available
from services.projections.generations import Generations, Standing
from services.projections.ledger import Failure, Ledger
from services.projections.matches import NAME

_POSITION: Final = b"position"


class ConsumerLag(msgspec.Struct, frozen=True):
    """How far a consumer of the feed is in a shard.

    Attributes:
        consumer: Its name; a projection's is ``<name>.<layout>-<generation>``.
        checkpoint: How far it has read.
        head: How far the feed goes.
    """

    consumer: str
    shard: int
    checkpoint: int
    head: int


class DeadLetter(msgspec.Struct, frozen=True):
    """A match that was set aside so that the others go on.

    Attributes:
        projection: The projection, or ``archive``.
        match: The match's id.
        version: The version at which it failed; 0 if unknown.
        reason: Why.
        since: Since when.
    """

    projection: str
    match: str
    version: int
    reason: str
    since: Instant


async def consumers(client: "redis.asyncio.Redis", shards: int) -> tuple[ConsumerLag, ...]:
    """Return how far every registered consumer is, by name and shard.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    keyspace = Keyspace(shards)
    with available():
        pipe = client.pipeline(transaction=False)
        for shard in range(shards):
            pipe.hgetall(keyspace.of_shard(shard).shard)
        answers: list[dict[bytes, bytes]] = await pipe.execute()
    found = [
        ConsumerLag(
            name.decode().removeprefix(CONSUMER_FIELD), shard, int(checkpoint), int(fields.get(_POSITION, 0))
        )
        for shard, fields in enumerate(answers)
        for name, checkpoint in fields.items()
        if name.decode().startswith(CONSUMER_FIELD)
    ]
    return tuple(sorted(found, key=lambda one: (one.consumer, one.shard)))


async def dead_letters(client: "redis.asyncio.Redis", shards: int) -> tuple[DeadLetter, ...]:
    """Return the dead letters of projections and the archive.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    found = [
        DeadLetter(ARCHIVE, one.match, one.version, one.told, one.at)
        for one in await ClosedMatches(client, shards).dead_letters()
    ]
    ledger = Ledger(client, shards)
    generation = (await Generations(client, shards).standing()).readable
    if generation is None:
        return tuple(found)
    rows = ledger.of(generation)
    with available():
        pipe = client.pipeline(transaction=False)
        for shard in range(shards):
            pipe.hgetall(rows.dead_letters(shard))
        answers: list[dict[bytes, bytes]] = await pipe.execute()
    for match, content in (one for fields in answers for one in sorted(fields.items())):
        failure = msgspec.json.decode(content, type=Failure)
        found.append(DeadLetter(NAME, match.decode(), failure.version, failure.reason, failure.since))
    return tuple(found)


async def projections(client: "redis.asyncio.Redis", shards: int) -> Mapping[str, Standing]:
    """Return the state of each projection by name. There is one.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    return {NAME: await Generations(client, shards).standing()}
