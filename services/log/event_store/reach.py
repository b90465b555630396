"""Finding out what is behind the address of the log: one server, or any node of a cluster."""

from typing import Final

from services.log.event_store.addresses import SENTINEL, single_urls
from services.log.event_store.cluster_connections import ClusterConnections
from services.log.event_store.connections import (
    Command,
    Connections,
    NoReply,
    NothingSent,
    Servers,
    StoreRefused,
)
from services.log.event_store.patience import Patience
from services.log.event_store.pools import pool_options
from services.log.event_store.slot_map import Place

_ASKED: Final[Command] = ("INFO", "cluster")


async def servers_at(url: str, patience: Patience) -> Servers:
    """Return connections to what is at a URL.

    One that does not answer is taken for a server of its own, and tells when it is asked for something.

    Raises:
        ValueError: The URL is not valid, or names several servers that are no cluster, or a database of a cluster.
    """
    urls = single_urls(url)
    first: Connections | None = None
    for one in urls:
        server = Connections.to_url(one, patience)
        clustered = await _is_clustered(server)
        if clustered is None and _database(one, patience):
            # A cluster refuses the database before it can be asked.
            clustered = await _is_clustered_in_its_first(one, patience)
        if clustered:
            await server.close()
            return _cluster(urls, patience)
        if clustered is False and len(urls) > 1:
            await server.close()
            raise ValueError(
                "its URL names several servers, but they are no cluster; name one server, or sentinels "
                "(sentinel://HOST:26379,HOST:26379/NAME)"
            )
        if first is None:
            first = server
        else:
            await server.close()
    if first is None:
        raise ValueError("its URL names no server")
    return first


async def is_cluster(url: str, patience: Patience) -> bool:
    """Tell whether a node of a cluster is at a URL; False also where nobody answers.

    Raises:
        ValueError: The URL is not valid.
    """
    servers = await servers_at(url, patience)
    await servers.close()
    return servers.spread


async def _is_clustered(server: Connections) -> bool | None:
    """Tell whether a server is a node of a cluster; None if it does not answer."""
    try:
        (said,) = await server.ask(_ASKED)
    except StoreRefused:  # it keeps that to itself
        return False
    except (NothingSent, NoReply):
        return None
    return b"cluster_enabled:1" in said


async def _is_clustered_in_its_first(url: str, patience: Patience) -> bool | None:
    server = Connections.to_pool(pool_options(url, patience) | {"db": 0}, patience)
    try:
        return await _is_clustered(server) or None
    finally:
        await server.close()


def _database(url: str, patience: Patience) -> int:
    return 0 if url.startswith(SENTINEL) else int(pool_options(url, patience).get("db", 0))


def cluster_at(url: str, patience: Patience) -> ClusterConnections:
    """Return connections to the cluster of which nodes are at a URL.

    Raises:
        ValueError: The URL is not valid, or names a database.
    """
    return _cluster(single_urls(url), patience)


def _cluster(urls: tuple[str, ...], patience: Patience) -> ClusterConnections:
    options = [pool_options(url, patience) for url in urls]
    shared = {name: value for name, value in options[0].items() if name not in {"host", "port", "path", "db"}}
    if any(one.get("db") for one in options):
        raise ValueError("its URL names a database, but a cluster has only one; leave it out")
    if "path" in options[0]:
        # A node's socket tells nothing of how the others are reached.
        raise ValueError("a cluster is reached by host and port, not by a socket")
    seeds: list[Place] = [(str(one.get("host", "localhost")), int(one.get("port", 6379))) for one in options]

    def connect(place: Place) -> Connections:
        return Connections.to_pool(shared | {"host": place[0], "port": place[1]}, patience)

    return ClusterConnections(seeds, connect, patience)
