"""The mark that the installation's secret leaves in the log's store, so that a wrong secret is noticed.

The mark is an HMAC under the secret and tells nothing about it. Processes with another secret do not start
(``services.log.belonging``).
"""

import hmac
from typing import Final

import redis.asyncio

from services.log.event_store.keys import INSTALLATION
from services.log.redis_errors import available

_FIELD: Final = "secret_mark"


def mark_of(secret: bytes) -> str:
    """Return a secret's mark: 128 bits, hexadecimal."""
    return hmac.digest(secret, b"tablee secret mark", "sha256").hex()[:32]


async def kept_mark(client: "redis.asyncio.Redis") -> str | None:
    """Return the mark on a log's server; None if there is none.

    Raises:
        StoreUnavailable: The server did not answer.
    """
    with available():
        kept = await client.hget(INSTALLATION, _FIELD)
    return kept.decode() if isinstance(kept, bytes) else kept


async def leave_mark(client: "redis.asyncio.Redis", secret: bytes) -> bool:
    """Leave a secret's mark unless there is one; tell whether the mark there is now this secret's.

    Raises:
        StoreUnavailable: The server did not answer.
    """
    mark = mark_of(secret)
    with available():
        await client.hsetnx(INSTALLATION, _FIELD, mark)
    return await kept_mark(client) == mark


async def replace_mark(client: "redis.asyncio.Redis", secret: bytes) -> None:
    """Leave a secret's mark in the place of another one.

    Raises:
        StoreUnavailable: The server did not answer.
    """
    with available():
        await client.hset(INSTALLATION, _FIELD, mark_of(secret))
