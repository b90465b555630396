"""How far everybody is who follows the log, and which matches were put aside: for operators."""

from collections.abc import Mapping
from typing import Final

import msgspec
import redis.asyncio

from domain.instants import Instant
from services.log.archive.closed_matches import NAME as ARCHIVE
from services.log.archive.closed_matches import ClosedMatches
from services.log.event_store.keys import CONSUMER_FIELD, Keyspace
from services.log.redis_errors import available
from services.projections.contract import Failure, Projection
from services.projections.generations import Generations, Standing
from services.projections.known import PROJECTIONS
from services.projections.ledger import Ledger

_POSITION: Final = b"position"


class ConsumerLag(msgspec.Struct, frozen=True):
    """How far a consumer of the feed is in a shard.

    Attributes:
        consumer: Its name; a projection's is ``<name>.<layout>-<generation>``.
        shard: The shard.
        checkpoint: The position up to which it has read.
        head: The newest position.
    """

    consumer: str
    shard: int
    checkpoint: int
    head: int


class DeadLetter(msgspec.Struct, frozen=True):
    """A match that was put aside, so that the others go on.

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
    for projection in PROJECTIONS.values():
        found += await _parked_of(client, shards, projection)
    return tuple(found)


async def _parked_of(client: "redis.asyncio.Redis", shards: int, projection: Projection) -> list[DeadLetter]:
    ledger = Ledger(client, shards, projection)
    generation = (await Generations(client, ledger).standing()).readable
    if generation is None:
        return []
    rows = ledger.of(generation)
    with available():
        pipe = client.pipeline(transaction=False)
        for shard in range(shards):
            pipe.hgetall(rows.parked(shard))
        answers: list[dict[bytes, bytes]] = await pipe.execute()
    found = []
    for fields in answers:
        for match, content in sorted(fields.items()):
            parking = msgspec.json.decode(content, type=Failure)
            one = DeadLetter(projection.name, match.decode(), parking.version, parking.reason, parking.since)
            found.append(one)
    return found


async def projections(client: "redis.asyncio.Redis", shards: int) -> Mapping[str, Standing]:
    """Return how each projection stands: which rows are read, whether it was halted, how far a rebuild is.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    return {
        name: await Generations(client, Ledger(client, shards, projection)).standing()
        for name, projection in PROJECTIONS.items()
    }


async def want_rebuild(client: "redis.asyncio.Redis", shards: int, projection: Projection) -> None:
    """Ask the running service to rebuild a projection beside the rows that are read.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    await Generations(client, Ledger(client, shards, projection)).want()
