"""Whose jobs a jobs' server carries: one installation's, which says so again and again while it runs.

Two installations on one server would take each other's jobs, counts and signs of life. ``tablee:installation`` there
names the one whose it is; it vanishes when that one has stopped.
"""

from typing import Final

import redis
from redis.exceptions import RedisError, ResponseError

from services.errors import BelongsElsewhere
from services.jobs.errors import JobStoreUnavailable

KEY: Final = "tablee:installation"

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


def claim_jobs(connection: "redis.Redis", installation: str) -> None:
    """Claim a jobs' server for an installation, or renew its claim.

    Args:
        connection: The server.
        installation: What names the installation: the mark of its secret.

    Raises:
        BelongsElsewhere: Another installation uses it, or it is a node of a cluster.
        JobStoreUnavailable: It did not answer.
    """
    require_single(connection)
    try:
        connection.set(KEY, installation, nx=True, ex=CLAIM_SECONDS)
        held = connection.get(KEY)
        if held == installation.encode():
            connection.expire(KEY, CLAIM_SECONDS)
    except (RedisError, OSError) as error:
        raise JobStoreUnavailable(str(error)) from error
    # None: the other one's claim ended between the two questions.
    if held is not None and held != installation.encode():
        raise BelongsElsewhere(
            "jobs.of_another_installation",
            "The jobs' server carries the jobs of another installation, and the two would take each other's. Give this "
            "one a server or a database of its own, such as redis://HOST:6379/1 (TABLEE_JOB_STORE_URL). If the other "
            f"one has stopped, wait {CLAIM_SECONDS} seconds.",
        )
