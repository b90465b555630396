"""Whether the cluster on which a log lies can lose a primary."""

from collections.abc import Mapping
from typing import Any

import msgspec
import redis.asyncio

from services.log.event_store.cluster_client import ClusterClient
from services.log.event_store.keys import WAITED_FIELD, Keyspace
from services.log.primaries import info_of_each
from services.log.redis_errors import available
from services.watch.doctor.diagnosis import Diagnosis, fine, look


class ClusterFacts(msgspec.Struct, frozen=True):
    """What a cluster says of itself.

    Attributes:
        replicas: How many replicas are connected to each primary, by its address.
        waited_for: How many of them must have a command before it is acknowledged.
    """

    replicas: Mapping[str, int]
    waited_for: int


async def cluster_facts(client: "redis.asyncio.Redis", shards: int) -> ClusterFacts | None:
    """Ask every primary; None where there is no cluster.

    Raises:
        StoreUnavailable: One of them did not answer.
    """
    if not isinstance(client, ClusterClient):
        return None
    with available():
        said = await info_of_each(client, "replication")
        # The loops leave it there; who looks may have other settings than they.
        waited = await client.hget(Keyspace(shards).of_shard(0).shard, WAITED_FIELD)
    return ClusterFacts({address: _connected(one) for address, one in said.items()}, int(waited or 0))


def _connected(said: Mapping[str, Any]) -> int:
    return int(said.get("connected_slaves", 0))


def judge_cluster(facts: ClusterFacts | None) -> list[Diagnosis]:
    """Judge what a cluster says."""
    if facts is None:
        return []
    bare = [address for address, count in facts.replicas.items() if count < max(1, facts.waited_for)]
    if bare:
        must = f", and {facts.waited_for} must have each command" if facts.waited_for else ""
        return [
            look(
                "cluster.lacks_replicas",
                f"Of the log's cluster, {', '.join(bare)} has too few replicas{must}.",
                "Its shards take nothing, or would not if it were lost.",
                "Start the replicas that are away, or add some.",
            )
        ]
    if not facts.waited_for:
        return [
            look(
                "cluster.not_waited_for",
                "The log's cluster replaces a primary that is away by a replica, and no command waits for one.",
                "A failover may lose what was acknowledged in the last moments; its shards then take nothing more.",
                "Set TABLEE_REPLICAS=1 for every process (docs/scaling.md).",
            )
        ]
    fewest = min(facts.replicas.values())
    return [
        fine(
            "cluster.whole",
            f"The log's cluster has {len(facts.replicas)} primaries with {fewest} replicas or more each; "
            f"{facts.waited_for} must have each command.",
        )
    ]
