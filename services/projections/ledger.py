"""Rows on Redis. They are written together with the checkpoint that they lead to."""

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


class RowUpdate(msgspec.Struct, frozen=True):
    """What to write of one match.

    Attributes:
        expected: The version of the present row; 0 for none.
        row: The new row; empty to leave the old one.
        scores: By index, its score there.
        leaves: Indexes that it leaves.
        failure: Why it cannot be processed, a :class:`Failure` as JSON; empty when it can.
        head: The chain hash that the log must have at the row's version; empty if that is not asked.
    """

    match: str
    expected: int
    row: bytes = b""
    scores: Mapping[str, int] = {}
    leaves: tuple[str, ...] = ()
    failure: bytes = b""
    head: bytes = b""


class Failure(msgspec.Struct, frozen=True):
    """Why a match became a dead letter.

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
        """Return the key names of a generation."""
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

    async def commit(
        self, rows: RowSet, updates: Iterable[RowUpdate], advances: Iterable[Advance] = ()
    ) -> bool:
        """Write updates together with the checkpoint, each shard atomically.

        A rebuild moves no checkpoint, but its checkpoint must exist.

        Returns:
            Whether all were written. If not, or after ``StoreUnavailable``, the stored checkpoint tells how far it got.
            A row whose last event the log does not have is not written: it was read from a primary that is lost.
        """
        steps = {one.shard: one for one in advances}
        by_shard: dict[int, list[RowUpdate]] = {shard: [] for shard in steps}
        for update in updates:
            by_shard.setdefault(rows.shard_of(update.match), []).append(update)
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
        """Remove a generation, ``<layout>-<number>``: first its checkpoints, which ends all writing."""
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
    rows: RowSet, shard: int, updates: Iterable[RowUpdate], advance: Advance | None
) -> tuple[list[str], list[Any]]:
    """Return the script's keys and arguments."""
    keys = [rows.keyspace.of_shard(shard).shard, rows.rows(shard), rows.dead_letters(shard)]
    numbers: dict[str, int] = {}

    def number(key: str) -> int:
        return numbers.setdefault(key, len(numbers) + 1)

    old, new = ("", 0) if advance is None else (advance.old, advance.new)
    arguments: list[Any] = [rows.checkpoint_field, old, new]
    for update in updates:
        scores: Mapping[str, int | str] = {**update.scores, **dict.fromkeys(update.leaves, "")}
        log = rows.keyspace.of_match(update.match)
        ends_with = (update.head, number(log.events), number(log.meta)) if update.head else (b"", 0, 0)
        arguments += (update.match, update.expected, update.row, update.failure, *ends_with, len(scores))
        for index, score in scores.items():
            arguments += (number(rows.index(shard, index)), score)
    return [*keys, *numbers], arguments
