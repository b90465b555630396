"""The mark that the installation's secret leaves in the log's store, so that another secret is noticed.

An HMAC under the secret: whoever reads it learns nothing, and whoever restores a log elsewhere and forgets
``installation.secret`` is told.
"""

import hmac
from typing import Final

import redis.asyncio

from services.log.event_store.keys import INSTALLATION
from services.log.redis_errors import available

_FIELD: Final = "secret_mark"
_DIGITS: Final = 32


def mark_of(secret: bytes) -> str:
    """Return a secret's mark: 128 bits, hexadecimal."""
    return hmac.digest(secret, b"tablee secret mark", "sha256").hex()[:_DIGITS]


async def kept_mark(client: "redis.asyncio.Redis") -> str | None:
    """Return the mark that is kept on a log's server; None if there is none.

    Raises:
        StoreUnavailable: It did not answer.
    """
    with available():
        kept = await client.hget(INSTALLATION, _FIELD)
    return kept.decode() if isinstance(kept, bytes) else kept


async def leave_mark(client: "redis.asyncio.Redis", secret: bytes) -> bool:
    """Keep a secret's mark, unless one is kept already; tell whether the one that is kept now is this secret's.

    Raises:
        StoreUnavailable: The server did not answer or did not take it.
    """
    mark = mark_of(secret)
    with available():
        await client.hsetnx(INSTALLATION, _FIELD, mark)
    return await kept_mark(client) == mark
