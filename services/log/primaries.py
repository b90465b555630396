"""What each primary of the log's server says of itself: one server that stands alone, or all primaries of a cluster."""

from collections.abc import Mapping
from typing import Any

import redis.asyncio

from services.log.event_store.cluster_client import ClusterClient


async def info_of_each(client: "redis.asyncio.Redis", section: str) -> dict[str, Mapping[str, Any]]:
    """Return a section of ``INFO`` by address; the address of one that stands alone is empty.

    Raises:
        redis.exceptions.RedisError: One of them does not answer.
    """
    if not isinstance(client, ClusterClient):
        return {"": await client.info(section)}
    replies = await client.each(("INFO", section))
    return {address: client.answer("INFO", reply, {}) for address, (reply,) in replies.items()}


async def settings_of_each(client: "redis.asyncio.Redis", *names: str) -> dict[str, Mapping[Any, Any]]:
    """Do the same for settings."""
    if not isinstance(client, ClusterClient):
        return {"": await client.config_get(*names)}
    replies = await client.each(("CONFIG", "GET", *names))
    return {address: client.answer("CONFIG GET", reply, {}) for address, (reply,) in replies.items()}


async def key_on_each(client: "redis.asyncio.Redis", name: str) -> list[str]:
    """Return the names of keys, one on each primary."""
    return await client.key_on_each(name) if isinstance(client, ClusterClient) else [name]
