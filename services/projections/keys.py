"""Names of what projections keep in Redis. ``<set>`` is ``<layout>-<generation>``: a rebuild makes a new one beside it.

========================================  ====================================================================
``tb:{s07}:p:<name>:<set>:rows``          hash: the row of each match of the shard
``tb:{s07}:p:<name>:<set>:parked``        hash: matches that cannot be taken, each with the reason
``tb:{s07}:p:<name>:<set>:<index>``       sorted set of matches
``tb:{s07}:shard``                        the log's own hash; its field ``at:<name>.<set>`` is the checkpoint
``tb:{s00}:p:<name>:<layout>``            hash: which generation is read, and whether it was halted
``tb:{s00}:p:<name>:<layout>:building``   who rebuilds, and how far he is; goes by itself if he dies
========================================  ====================================================================
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

from services.log.event_store.keys import CONSUMER_FIELD, Keyspace, shard_of
from services.projections.contract import Projection

_FIRST_SHARD: Final = 0


class RowSet:
    """The names of one generation of a projection's rows."""

    def __init__(self, keyspace: Keyspace, projection: Projection, generation: int) -> None:
        """Name the set."""
        self.generation: Final = generation
        self.consumer: Final = f"{projection.name}.{projection.layout}-{generation}"
        self.keyspace: Final = keyspace
        self._name: Final = projection.name
        self._set: Final = f"{projection.layout}-{generation}"

    @property
    def checkpoint_field(self) -> str:
        """The field of the shard hash that holds its checkpoint."""
        return CONSUMER_FIELD + self.consumer

    def rows(self, shard: int) -> str:
        """Return the key of a shard's rows."""
        return self.index(shard, "rows")

    def parked(self, shard: int) -> str:
        """Return the key of a shard's parked matches."""
        return self.index(shard, "parked")

    def index(self, shard: int, name: str) -> str:
        """Return the key of an index."""
        return self.keyspace.of_projection(shard, self._name, self._set, name)

    def shard_of(self, match: str) -> int:
        """Return the shard of a match."""
        return shard_of(match, self.keyspace.shards)

    def by_shard(self, matches: Iterable[str]) -> dict[int, tuple[str, ...]]:
        """Return matches by shard; shards without any are left out."""
        return {
            shard: tuple(group) for shard, group in groupby(sorted(matches, key=self.shard_of), self.shard_of)
        }


def found_rows(
    by_shard: Mapping[int, Sequence[str]], answers: Sequence[Sequence[bytes | None]]
) -> dict[str, bytes]:
    """Return the rows of matches that have one. Pure.

    Args:
        by_shard: The matches, as :meth:`RowSet.by_shard` returns them.
        answers: In the same order, what was found for the matches of each shard.
    """
    return {
        match: row
        for wanted, found in zip(by_shard.values(), answers, strict=True)
        for match, row in zip(wanted, found, strict=True)
        if row is not None
    }


def state_key(keyspace: Keyspace, projection: Projection) -> str:
    """Return the key of what is known of a projection as a whole."""
    return keyspace.of_projection(_FIRST_SHARD, projection.name, str(projection.layout))


def building_key(keyspace: Keyspace, projection: Projection) -> str:
    """Return the key of the rebuild that is under way."""
    return keyspace.of_projection(_FIRST_SHARD, projection.name, str(projection.layout), "building")


def consumers_of(projection: Projection) -> str:
    """Return how the checkpoint fields of all generations of a projection begin, older layouts' too."""
    return f"{CONSUMER_FIELD}{projection.name}."
