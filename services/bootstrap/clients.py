"""Every Redis client of the product, each with the patience that its purpose needs.

The event store keeps connections of its own (``services.log.event_store.connections``): it must know whether a command
was sent at all. Everything else asks through these clients.
"""

from contextlib import suppress
from typing import Any, Final, NamedTuple, cast

import redis
import redis.asyncio
from redis.asyncio.connection import ConnectionPool
from redis.asyncio.retry import Retry
from redis.backoff import ConstantBackoff, NoBackoff
from redis.cluster import ClusterNode
from redis.retry import Retry as BlockingRetry
from redis.sentinel import Sentinel

from services.log.event_store.addresses import client_url, single_urls, watched_at
from services.log.event_store.asking_client import SharedClient
from services.log.event_store.connections import Connections
from services.log.event_store.patience import Patience
from services.log.event_store.reach import cluster_at, is_cluster
from services.log.event_store.securing import Securing
from services.log.event_store.sentinels import watched_pool


class Purpose(NamedTuple):
    """What a client is for, and so how long it waits.

    Attributes:
        connect_seconds: How long a connection may take.
        answer_seconds: How long an answer may take.
        retries: How often a question that failed is asked again.
        pause_seconds: How long to wait before that.
        retries_silence: Whether a question that got no answer is asked again; a broken connection always is.
    """

    connect_seconds: float
    answer_seconds: float
    retries: int
    pause_seconds: float = 0.0
    retries_silence: bool = True


SERVING: Final = Purpose(connect_seconds=1, answer_seconds=3, retries=1)
"""The log's server, for people who wait. Reading and writing a token twice does no harm, so one retry is fine; more
would keep a person waiting for longer than the answer "not possible at the moment" is worth."""

COMMAND: Final = Purpose(connect_seconds=5, answer_seconds=5, retries=0)
"""The log's server, for an operator's command: a busy server is worth waiting for. If it goes away, the operator is
told, and calls the command again."""

LOOKING: Final = Purpose(connect_seconds=2, answer_seconds=2, retries=0)
"""Any server, for those who can do without its answer: health, metrics, the operator's pages, the doctor."""

SENDING: Final = Purpose(connect_seconds=2, answer_seconds=2, retries=1, retries_silence=False)
"""The jobs' server, for those who send jobs: what they would send can be derived again. A broken connection is tried
once more, since the server may have been started anew; a silent server would only hold up the clock."""

TAKING: Final = Purpose(connect_seconds=5, answer_seconds=5, retries=10, pause_seconds=0.2)
"""The jobs' server, for a worker: it waits a little for a server that is lost. RQ itself gives the question for
the next job more time."""


async def client_of_log(
    url: str, purpose: Purpose, *, spread: bool | None = None, replicas: int = 0
) -> "redis.asyncio.Redis":
    """Return a client of the log's server, or of the cluster one of whose nodes is there. See :func:`client`.

    Args:
        url: The server's URL, or that of a node.
        purpose: What the client is for.
        spread: Whether there is a cluster, where that is known; else it is asked.
        replicas: How many replicas must have what is written and belongs to no shard; below that nobody knows
            whether it lasts.
    """
    patience = Patience(connect=purpose.connect_seconds, reply=purpose.answer_seconds, replicas=replicas)
    securing = Securing(patience) if replicas else None
    if spread or (spread is None and await is_cluster(url, patience)):
        # Loaded only where there is a cluster.
        from services.log.event_store.cluster_client import ClusterClient

        return ClusterClient(
            cluster_at(url, patience),
            single_urls(url)[0],
            retries=purpose.retries,
            retries_silence=purpose.retries_silence,
            securing=securing,
        )
    one = single_urls(url)[0]
    return SharedClient(
        Connections.to_url(one, patience),
        _pool(one, purpose, protocol=2),
        retries=purpose.retries if purpose.retries_silence else 0,
        securing=securing,
    )


def client(url: str, purpose: Purpose) -> "redis.asyncio.Redis":
    """Return a client of a server; it connects when it is first asked.

    Raises:
        ValueError: The URL names no server.
    """
    return redis.asyncio.Redis.from_pool(_pool(url, purpose))


def _pool(url: str, purpose: Purpose, **more: Any) -> ConnectionPool:
    retry = Retry(ConstantBackoff(purpose.pause_seconds), purpose.retries, supported_errors=_retried(purpose))
    options: dict[str, Any] = {
        "socket_connect_timeout": purpose.connect_seconds,
        "socket_timeout": purpose.answer_seconds,
        "retry": retry,
        **more,
    }
    watched = watched_at(url)
    if watched is not None:
        return watched_pool(
            watched, watched.options | options, socket_connect_timeout=purpose.connect_seconds
        )
    return ConnectionPool.from_url(client_url(url), **options)


def blocking_client(url: str, purpose: Purpose) -> "redis.Redis":
    """Return a client that blocks, for RQ, for threads and for what has no event loop. See :func:`client`."""
    retry = BlockingRetry(
        ConstantBackoff(purpose.pause_seconds), purpose.retries, supported_errors=_retried(purpose)
    )
    options: dict[str, Any] = {
        "socket_connect_timeout": purpose.connect_seconds,
        "socket_timeout": purpose.answer_seconds,
        "retry": retry,
    }
    watched = watched_at(url)
    if watched is not None:
        asked = {
            "socket_connect_timeout": purpose.connect_seconds,
            "socket_timeout": purpose.connect_seconds,
            "retry": BlockingRetry(NoBackoff(), 0),
        }
        manager = Sentinel(watched.sentinels, sentinel_kwargs=asked)  # type: ignore[no-untyped-call]
        found: redis.Redis = manager.master_for(watched.name, redis.Redis, **(watched.options | options))  # type: ignore[no-untyped-call]
        return found
    return redis.Redis.from_url(client_url(url), **options)


def blocking_client_of_log(url: str, purpose: Purpose) -> "redis.Redis":
    """Return a client that blocks of the log's server, or of its cluster: for single reads of a shard's keys.

    Raises:
        redis.exceptions.RedisError: Nobody answers.
        redis.exceptions.RedisClusterException: The cluster does not.
    """
    asked, *others = [blocking_client(one, purpose) for one in single_urls(url)]
    for one in (asked, *others):
        with suppress(redis.ConnectionError, redis.TimeoutError):
            if not _is_clustered(one):
                return one
            options = {
                name: value
                for name, value in one.get_connection_kwargs().items()
                if name in {"username", "password"} or name.startswith(("socket_", "ssl_"))
            }
            nodes = [ClusterNode(**_place(client)) for client in (asked, *others)]  # type: ignore[no-untyped-call]
            secure = url.startswith(("rediss://", "valkeys://"))
            found = redis.RedisCluster(startup_nodes=nodes, ssl=secure, **options)
            return cast("redis.Redis", found)
    raise redis.ConnectionError("nobody answers")


def _is_clustered(client: "redis.Redis") -> bool:
    # A server may keep that to itself.
    with suppress(redis.ResponseError):
        return bool(client.info("cluster").get("cluster_enabled") == 1)
    return False


def _place(client: "redis.Redis") -> dict[str, Any]:
    known = client.get_connection_kwargs()
    return {"host": known.get("host", "localhost"), "port": known.get("port", 6379)}


def _retried(purpose: Purpose) -> tuple[type[redis.RedisError], ...]:
    return (
        (redis.ConnectionError, redis.TimeoutError) if purpose.retries_silence else (redis.ConnectionError,)
    )
