"""Names of projections' keys in Redis. ``<set>`` is ``<layout>-<generation>``; a rebuild makes a new set.

========================================  ====================================================================
``tb:{s07}:p:matches:<set>:rows``         hash: the row of each match of the shard
``tb:{s07}:p:matches:<set>:parked``       hash: dead letters, each match with the reason
``tb:{s07}:p:matches:<set>:<index>``      sorted set of matches
``tb:{s07}:shard``                        the log's own hash; its field ``at:matches.<set>`` is the checkpoint
``tb:{s00}:p:matches:<layout>``           hash: which generation is read, and whether it is halted
``tb:{s00}:p:matches:<layout>:building``  the rebuild under way; expires if it dies
========================================  ====================================================================
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

from services.log.event_store.keys import CONSUMER_FIELD, Keyspace, shard_of
from services.projections.matches import LAYOUT, NAME

CONSUMERS: Final = f"{CONSUMER_FIELD}{NAME}."
"""Prefix of all generations' checkpoint fields, older layouts included."""


class RowSet:
    """The names of one generation of rows."""

    def __init__(self, keyspace: Keyspace, generation: int) -> None:
        self.generation: Final = generation
        self.keyspace: Final = keyspace
        self.name: Final = f"{LAYOUT}-{generation}"
        self.consumer: Final = f"{NAME}.{self.name}"
        self.checkpoint_field: Final = CONSUMERS + self.name

    def rows(self, shard: int) -> str:
        """Return the key of a shard's rows."""
        return self.index(shard, "rows")

    def dead_letters(self, shard: int) -> str:
        """Return the key of a shard's dead letters."""
        return self.index(shard, "parked")

    def index(self, shard: int, name: str) -> str:
        """Return the key of an index."""
        return self.keyspace.of_projection(shard, NAME, self.name, name)

    def shard_of(self, match: str) -> int:
        """Return the shard of a match."""
        return shard_of(match, self.keyspace.shards)

    def by_shard(self, matches: Iterable[str]) -> dict[int, tuple[str, ...]]:
        """Group matches by shard."""
        return {
            shard: tuple(group) for shard, group in groupby(sorted(matches, key=self.shard_of), self.shard_of)
        }


def found_rows(
    by_shard: Mapping[int, Sequence[str]], answers: Sequence[Sequence[bytes | None]]
) -> dict[str, bytes]:
    """Return the rows of matches that have one, from answers in the order of the shards. Pure."""
    return {
        match: row
        for wanted, found in zip(by_shard.values(), answers, strict=True)
        for match, row in zip(wanted, found, strict=True)
        if row is not None
    }
