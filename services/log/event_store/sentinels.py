"""Connections to a server that sentinels watch: each new one goes to whichever replica is the primary by then."""

from collections.abc import Mapping
from typing import Any

from redis.asyncio.retry import Retry
from redis.asyncio.sentinel import Sentinel, SentinelConnectionPool
from redis.backoff import NoBackoff

from services.log.event_store.addresses import Watched


class _Pool(SentinelConnectionPool):
    """Closes the connections to the sentinels with its own."""

    async def disconnect(self, inuse_connections: bool = True) -> None:  # noqa: FBT001, FBT002 - the library's
        await super().disconnect(inuse_connections)
        if inuse_connections:
            for sentinel in self.sentinel_manager.sentinels:
                await sentinel.aclose()


def watched_pool(
    watched: Watched, options: Mapping[str, Any], *, socket_connect_timeout: float
) -> SentinelConnectionPool:
    """Return a pool of connections to a watched server.

    Args:
        watched: The server.
        options: For its connections.
        socket_connect_timeout: Seconds until a sentinel counts as away, and the next one is asked.
    """
    # One that does not answer is not asked again, but another one.
    asked = {
        "socket_connect_timeout": socket_connect_timeout,
        "socket_timeout": socket_connect_timeout,
        "retry": Retry(NoBackoff(), 0),
    }
    manager = Sentinel(watched.sentinels, sentinel_kwargs=asked)  # type: ignore[no-untyped-call]
    return _Pool(watched.name, manager, is_master=True, **options)  # type: ignore[no-untyped-call]
