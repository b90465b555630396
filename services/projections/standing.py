"""How far each consumer of the feed is, and which matches were set aside: for operators."""

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
        checkpoint: The position up to which it has read.
        head: The newest position.
    """

    consumer: str
    shard: int
    checkpoint: int
    head: int


class DeadLetter(msgspec.Struct, frozen=True):
    """A match that was set aside, so that the others go on.

    Attributes:
        projection: The projection, or ``archive``.
        match: The match's id.
        version: The version with which it failed; 0 if that is not known.
        reason: Why.
        since: Since when.
    """

    projection: str
    match: str
    version: int
    reason: str
    since: Instant


async def consumers(client: "redis.asyncio.Redis", shards: int) -> tuple[ConsumerLag, ...]:
    """Return how far every registered consumer of the feed is, by name and shard.

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


async def parked(client: "redis.asyncio.Redis", shards: int) -> tuple[DeadLetter, ...]:
    """Return the matches that projections, or the archive, could not take.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    found = [
        DeadLetter(ARCHIVE, one.match, one.version, one.told, one.at)
        for one in await ClosedMatches(client, shards).parked()
    ]
    ledger = Ledger(client, shards)
    generation = (await Generations(client, shards).standing()).readable
    if generation is None:
        return tuple(found)
    rows = ledger.of(generation)
    with available():
        pipe = client.pipeline(transaction=False)
        for shard in range(shards):
            pipe.hgetall(rows.parked(shard))
        answers: list[dict[bytes, bytes]] = await pipe.execute()
    for match, content in (one for fields in answers for one in sorted(fields.items())):
        failure = msgspec.json.decode(content, type=Failure)
        found.append(DeadLetter(NAME, match.decode(), failure.version, failure.reason, failure.since))
    return tuple(found)


async def projections(client: "redis.asyncio.Redis", shards: int) -> Mapping[str, Standing]:
    """Return how each projection stands, by name. There is one.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    return {NAME: await Generations(client, shards).standing()}
