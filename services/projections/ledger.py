"""Rows on Redis: read, and written together with the checkpoint behind them."""

from collections.abc import Iterable, Mapping
from importlib import resources
from typing import Any, Final

import msgspec
import redis.asyncio

from domain.instants import Instant
from services.log.event_store.keys import Keyspace
from services.log.redis_errors import available
from services.log.subscription import Advance
from services.projections.keys import CONSUMERS, RowSet, found_rows
from services.projections.matches import INDEXES, NAME

_COMMIT: Final = resources.files("services.projections").joinpath("commit.lua").read_text("utf-8")


class Taking(msgspec.Struct, frozen=True):
    """What is to be written of one match.

    Attributes:
        expected: The version of the row that stands there now; 0 for none.
        row: The new row; empty leaves the old one.
        scores: Its places in the indexes.
        leaves: Indexes in which it no longer stands.
        parked: Why it cannot be taken, a :class:`Failure` as JSON; empty when it can.
    """

    match: str
    expected: int
    row: bytes = b""
    scores: Mapping[str, int] = {}
    leaves: tuple[str, ...] = ()
    parked: bytes = b""


class Failure(msgspec.Struct, frozen=True):
    """Why a match could not be taken.

    Attributes:
        version: The version of the event at which it failed.
        reason: What was wrong.
        since: Since when.
    """

    version: int
    reason: str
    since: Instant


class Ledger:
    """All generations of the rows. Every method may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis", shards: int) -> None:
        self.keyspace: Final = Keyspace(shards)
        self._client: Final = client
        self._commit: Final = client.register_script(_COMMIT)

    def of(self, generation: int) -> RowSet:
        """Return the names of a generation's rows."""
        return RowSet(self.keyspace, generation)

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

    async def commit(self, rows: RowSet, takings: Iterable[Taking], advances: Iterable[Advance] = ()) -> bool:
        """Write takings with the checkpoint behind them, each shard at once or not at all.

        A rebuild has no checkpoint to move; it must be there all the same.

        Returns:
            Whether all were written. If not, or after ``StoreUnavailable``, the stored checkpoint tells how far it
            came.
        """
        steps = {one.shard: one for one in advances}
        by_shard: dict[int, list[Taking]] = {shard: [] for shard in steps}
        for taking in takings:
            by_shard.setdefault(rows.shard_of(taking.match), []).append(taking)
        if not by_shard:
            return True
        with available():
            pipe = self._client.pipeline(transaction=False)
            for shard, some in by_shard.items():
                keys, arguments = _call(rows, shard, some, steps.get(shard))
                await self._commit(keys=keys, args=arguments, client=pipe)
            return all(await pipe.execute())

    async def generations(self) -> set[str]:
        """Return all generations that have a checkpoint, as ``<layout>-<number>``."""
        with available():
            pipe = self._client.pipeline(transaction=False)
            for shard in range(self.keyspace.shards):
                pipe.hkeys(self.keyspace.of_shard(shard).shard)
            answers = await pipe.execute()
        fields = {field.decode() for answer in answers for field in answer}
        return {field.removeprefix(CONSUMERS) for field in fields if field.startswith(CONSUMERS)}

    async def drop(self, name: str) -> None:
        """Remove a generation, ``<layout>-<number>``: first its checkpoints, so that nobody writes it any more."""
        shards = range(self.keyspace.shards)
        with available():
            pipe = self._client.pipeline(transaction=False)
            for shard in shards:
                pipe.hdel(self.keyspace.of_shard(shard).shard, CONSUMERS + name)
            await pipe.execute()
            for shard in shards:
                parts = ("rows", "parked", *INDEXES)
                await self._client.unlink(
                    *(self.keyspace.of_projection(shard, NAME, name, part) for part in parts)
                )


def _call(
    rows: RowSet, shard: int, takings: Iterable[Taking], advance: Advance | None
) -> tuple[list[str], list[Any]]:
    """Return keys and arguments of the script."""
    keys = [rows.keyspace.of_shard(shard).shard, rows.rows(shard), rows.parked(shard)]
    numbers: dict[str, int] = {}
    old, new = ("", 0) if advance is None else (advance.old, advance.new)
    arguments: list[Any] = [rows.checkpoint_field, old, new]
    for taking in takings:
        places: Mapping[str, int | str] = {**taking.scores, **dict.fromkeys(taking.leaves, "")}
        arguments += (taking.match, taking.expected, taking.row, taking.parked, len(places))
        for index, score in places.items():
            arguments += (numbers.setdefault(index, len(numbers) + 1), score)
    keys += [rows.index(shard, index) for index in numbers]
    return keys, arguments
