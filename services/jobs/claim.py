"""Whose jobs a jobs' server carries: one installation's, which says so again and again while it runs.

Two installations on one server would take each other's jobs, counts and signs of life. ``tablee:installation`` there
names the one whose it is. ``tablee:place`` beside it tells which of several servers it is: processes that disagree
about that would send jobs where nobody takes them. Both vanish when all have stopped.
"""

from collections.abc import Iterable
from contextlib import suppress
from typing import Final

import redis
from redis.exceptions import RedisError, ResponseError

from services.errors import BelongsElsewhere
from services.jobs.errors import JobStoreUnavailable
from services.jobs.servers import JobServers

KEY: Final = "tablee:installation"

PLACE: Final = "tablee:place"

CLAIM_SECONDS: Final = 30
"""How long a claim lasts that nobody renews."""


def require_single(connection: "redis.Redis") -> None:
    """Make sure that a jobs' server stands alone: RQ writes keys of several slots in one step.

    Raises:
        BelongsElsewhere: It is a node of a cluster.
        JobStoreUnavailable: It did not answer.
    """
    try:
        said = connection.info("cluster")
    except ResponseError:  # it keeps that to itself
        return
    except (RedisError, OSError) as error:
        raise JobStoreUnavailable(str(error)) from error
    if said.get("cluster_enabled") == 1:
        raise BelongsElsewhere(
            "jobs.on_a_cluster",
            "It is a node of a cluster, and jobs need a server that stands alone. Name another one "
            "(TABLEE_JOB_STORE_URL); a small one without a disk is enough, since all that it holds can be derived "
            "from the log again.",
        )


def claim_all(servers: JobServers, connections: Iterable["redis.Redis"], installation: str) -> None:
    """Do that on all servers, in their order; one that does not answer is left to whoever renews the claims.

    Raises:
        BelongsElsewhere: One is another installation's, or other processes use other servers, or it is in a cluster.
    """
    for connection, place in zip(connections, servers.places, strict=True):
        with suppress(JobStoreUnavailable):
            claim_jobs(connection, installation, place)


def claim_jobs(connection: "redis.Redis", installation: str, place: str) -> None:
    """Claim a jobs' server for an installation, or renew its claim.

    Args:
        connection: The server.
        installation: What names the installation: the mark of its secret.
        place: Which of the installation's servers it is, of :attr:`JobServers.places`.

    Raises:
        BelongsElsewhere: Another installation uses it, or processes with other servers, or it is a node of a cluster.
        JobStoreUnavailable: It did not answer.
    """
    require_single(connection)
    if _held(connection, KEY, installation) != installation:
        raise BelongsElsewhere(
            "jobs.of_another_installation",
            "The jobs' server carries the jobs of another installation, and the two would take each other's. Give this "
            "one a server or a database of its own, such as redis://HOST:6379/1 (TABLEE_JOB_STORE_URL). If the other "
            f"one has stopped, wait {CLAIM_SECONDS} seconds.",
        )
    held = _held(connection, PLACE, place)
    if held != place:
        raise BelongsElsewhere(
            "jobs.other_servers",
            f"Other processes of this installation share the jobs among other servers: to them this one is {held}; "
            f"here it would be {place}. Every process must name the same servers alike and in the same order "
            f"(TABLEE_JOB_STORE_URL). To change them, stop all processes, wait {CLAIM_SECONDS} seconds, and start them "
            "with the new ones; what was queued is derived from the log again.",
        )


def _held(connection: "redis.Redis", key: str, wanted: str) -> str:
    """Write a mark where there is none, keep it alive if it is the wanted one, and return what stands there."""
    try:
        connection.set(key, wanted, nx=True, ex=CLAIM_SECONDS)
        held = connection.get(key)
        # None: another one's mark ended between the two questions.
        if held is None or held == wanted.encode():
            connection.expire(key, CLAIM_SECONDS)
            return wanted
    except (RedisError, OSError) as error:
        raise JobStoreUnavailable(str(error)) from error
    return held.decode(errors="replace") if isinstance(held, bytes) else held
