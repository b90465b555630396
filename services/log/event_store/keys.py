"""The names of everything that the log keeps in Redis.

A match lives in one shard, ``CRC-32(match id) mod number of shards``, so any tool can find it. All keys of a shard
carry its hash tag, ``{s07}``, and so share one cluster slot. That lets one script write a match's events, its meta
record, its due instant and the shard's feed in one atomic step. On a cluster, keys without a tag share a slot, too: see
:mod:`services.log.event_store.slots`.

==============================  =================================================================================
``tb:installation``             hash: what was fixed when the store was first used
``tb:{s07}:m:<id>:ev``          stream: the events, entry id ``<version>-0``
``tb:{s07}:m:<id>:meta``        hash: version, head, status, game, rules, due, and ``by:<actor>``: its last commands
``tb:{s07}:m:<id>:refused``     list: the last refused commands
``tb:{s07}:m:<id>:acts``        list: what operators last did to the log itself
``tb:{s07}:feed``               stream: pointers to new events, entry id ``<position>-0``
``tb:{s07}:shard``              hash: ``position`` of the feed's head, and ``at:<consumer>``: its checkpoint
``tb:{s07}:due``                sorted set: matches by the instant at which they need somebody
``tb:{s07}:leases``             hash: by duty, which process does it for this shard
``tb:loops``                    sorted set: the processes that share the work, by how long they count as living
``tb:{s07}:p:<name>:...``       a projection's rows
==============================  =================================================================================
"""

import zlib
from typing import Final, NamedTuple

PREFIX: Final = "tb:"

INSTALLATION: Final = f"{PREFIX}installation"

MEMBERS: Final = f"{PREFIX}loops"

META_PATTERN: Final = f"{PREFIX}{{s*}}:m:*:meta"
"""Matches the meta keys of all matches; braces mean nothing in a Redis pattern."""

ACTOR_FIELD: Final = "by:"
"""Prefix of an actor's name: together, the field of the actor's commands in a meta hash."""

CONSUMER_FIELD: Final = "at:"
"""Prefix of a consumer's name: together, the field of its checkpoint in a shard hash."""

WAITED_FIELD: Final = "waited"
"""Field of a shard hash that is written to be waited for: how many replicas must have each command."""

MOST_SHARDS: Final = 256


class MatchKeys(NamedTuple):
    """The keys of one match, all in its shard's slot."""

    events: str
    meta: str
    refused: str
    acts: str


class ShardKeys(NamedTuple):
    """The keys of one shard, all in one slot."""

    feed: str
    shard: str
    due: str
    leases: str


def shard_of(match: str, shards: int) -> int:
    """Return the shard of a match, which never changes for a given number of shards."""
    return zlib.crc32(match.encode()) % shards


def match_of(meta_key: str) -> str:
    """Return the match id in a meta key."""
    return meta_key.split(":")[3]


class Keyspace:
    """All names for a given number of shards."""

    def __init__(self, shards: int) -> None:
        """Build the names of all shards.

        Raises:
            ValueError: The number is not between 1 and :data:`MOST_SHARDS`.
        """
        if not 1 <= shards <= MOST_SHARDS:
            raise ValueError(f"a store has 1 to {MOST_SHARDS} shards, not {shards}")
        self.shards: Final = shards
        self._tags: Final = tuple(f"{PREFIX}{{s{number:02}}}:" for number in range(shards))
        self._by_shard: Final = tuple(
            ShardKeys(f"{tag}feed", f"{tag}shard", f"{tag}due", f"{tag}leases") for tag in self._tags
        )

    def of_shard(self, shard: int) -> ShardKeys:
        """Return the keys of a shard."""
        return self._by_shard[shard]

    def of_shard_of(self, match: str) -> ShardKeys:
        """Return the keys of a match's shard."""
        return self._by_shard[shard_of(match, self.shards)]

    def of_match(self, match: str) -> MatchKeys:
        """Return the keys of a match."""
        stem = f"{self._tags[shard_of(match, self.shards)]}m:{match}:"
        return MatchKeys(f"{stem}ev", f"{stem}meta", f"{stem}refused", f"{stem}acts")

    def of_projection(self, shard: int, name: str, *parts: str) -> str:
        """Return the key of one or more rows of a projection in a shard."""
        return ":".join((f"{self._tags[shard]}p:{name}", *parts))
