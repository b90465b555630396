"""The ids of many matches, by shard, in little memory."""

from typing import Final

from services.log.event_store.keys import shard_of

_END: Final = b"\n"
"""Stands in no id."""


class MatchIds:
    """Ids, each in as many bytes as it has letters, and one more: a list of text takes four times as much."""

    def __init__(self, shards: int) -> None:
        self._by_shard: Final = tuple(bytearray() for _ in range(shards))
        self._count = 0

    def __len__(self) -> int:
        """Return how many were added."""
        return self._count

    def add(self, match: str) -> None:
        """Take an id; one that was taken before does no harm."""
        kept = self._by_shard[shard_of(match, len(self._by_shard))]
        kept += match.encode() + _END
        self._count += 1

    def of(self, shard: int) -> list[str]:
        """Return a shard's ids, each once, in order."""
        return sorted({match.decode() for match in self._by_shard[shard].split(_END) if match})
