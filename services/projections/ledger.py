"""A projection's rows on Redis: read, and written together with the checkpoint behind them."""

from collections.abc import Iterable, Mapping, Sequence
from importlib import resources
from typing import Any, Final

import msgspec
import redis.asyncio

from services.log.event_store.keys import Keyspace
from services.log.redis_errors import available
from services.projections.contract import Projection, Taking
from services.projections.keys import RowSet, consumers_of, found_rows

_COMMIT: Final = resources.files("services.projections").joinpath("commit.lua").read_text("utf-8")


class Batch(msgspec.Struct, frozen=True):
    """What is written of one shard in one step.

    Attributes:
        shard: The shard.
        takings: Its matches, each once.
        old: The checkpoint as the writer knows it; None for one who fills a new set and moves no checkpoint.
        new: The checkpoint behind these.
    """

    shard: int
    takings: Sequence[Taking]
    old: int | None = None
    new: int = 0


class Ledger:
    """The rows of one projection, all its generations. Every method may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis", shards: int, projection: Projection) -> None:
        """Take a client of the log's server, the store's number of shards, and the projection."""
        self.projection: Final = projection
        self.keyspace: Final = Keyspace(shards)
        self._client: Final = client
        self._commit: Final = client.register_script(_COMMIT)

    def of(self, generation: int) -> RowSet:
        """Return the names of a generation's rows."""
        return RowSet(self.keyspace, self.projection, generation)

    async def rows(self, rows: RowSet, matches: Iterable[str]) -> dict[str, bytes]:
        """Return the rows of matches that have one."""
        by_shard = rows.by_shard(matches)
        if not by_shard:
            return {}
        with available():
            pipe = self._client.pipeline(transaction=False)
            for shard, wanted in by_shard.items():
                pipe.hmget(rows.rows(shard), wanted)
            return found_rows(by_shard, await pipe.execute())

    async def commit(self, rows: RowSet, batches: Sequence[Batch]) -> bool:
        """Write batches, each at once or not at all; tell whether all were written.

        When one was not, or after ``StoreUnavailable``, the checkpoints tell how far one came.
        """
        if not batches:
            return True
        with available():
            pipe = self._client.pipeline(transaction=False)
            for batch in batches:
                keys, arguments = _call(rows, batch)
                await self._commit(keys=keys, args=arguments, client=pipe)
            return all(await pipe.execute())

    async def checkpoints(self, rows: RowSet) -> dict[int, int]:
        """Return the checkpoints of a generation, by shard; shards without one are left out."""
        with available():
            pipe = self._client.pipeline(transaction=False)
            for shard in range(self.keyspace.shards):
                pipe.hget(self.keyspace.of_shard(shard).shard, rows.checkpoint_field)
            answers = await pipe.execute()
        return {shard: int(at) for shard, at in enumerate(answers) if at is not None}

    async def generations(self) -> set[str]:
        """Return the names of all consumers that are generations of this projection, older layouts' too."""
        start = consumers_of(self.projection)
        with available():
            pipe = self._client.pipeline(transaction=False)
            for shard in range(self.keyspace.shards):
                pipe.hkeys(self.keyspace.of_shard(shard).shard)
            answers = await pipe.execute()
        fields = {field.decode() for answer in answers for field in answer}
        return {field.removeprefix(start) for field in fields if field.startswith(start)}

    async def drop(self, name: str) -> None:
        """Remove a generation, ``<layout>-<number>``: first its checkpoints, so that nobody writes it any more."""
        shards, projection = range(self.keyspace.shards), self.projection
        with available():
            pipe = self._client.pipeline(transaction=False)
            for shard in shards:
                pipe.hdel(self.keyspace.of_shard(shard).shard, consumers_of(projection) + name)
            await pipe.execute()
            for shard in shards:
                parts = ("rows", "parked", *projection.indexes())
                keys = [self.keyspace.of_projection(shard, projection.name, name, part) for part in parts]
                await self._client.unlink(*keys)


def _call(rows: RowSet, batch: Batch) -> tuple[list[str], list[Any]]:
    """Return keys and arguments of the script."""
    shard = batch.shard
    keyspace = rows.keyspace
    keys = [keyspace.of_shard(shard).shard, rows.rows(shard), rows.parked(shard)]
    numbers: dict[str, int] = {}
    old = "" if batch.old is None else batch.old
    arguments: list[Any] = [rows.checkpoint_field, old, batch.new]
    for taking in batch.takings:
        places: Mapping[str, int | str] = {**taking.scores, **dict.fromkeys(taking.leaves, "")}
        arguments += (taking.match, taking.expected, taking.row, taking.parked, len(places))
        for index, score in places.items():
            arguments += (numbers.setdefault(index, len(numbers) + 1), score)
    keys += [rows.index(shard, index) for index in numbers]
    return keys, arguments
