"""Hashed tokens in Redis, under ``tb:people:token:<hash>``: stored data with backups, not a projection."""

import msgspec
import redis.asyncio
from redis.exceptions import RedisError

from services.errors import StoreUnavailable
from services.people.identity import Holder

_DECODER = msgspec.json.Decoder(Holder)


class RedisTokens:
    """The token store of a running installation."""

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        """Take a client of the log's server: tokens must be as durable as the seats that they open."""
        self._client = client

    async def put(self, token_hash: str, holder: Holder) -> None:
        """Keep who holds a token.

        Raises:
            StoreUnavailable: The store did not take it.
        """
        try:
            await self._client.set(_key(token_hash), msgspec.json.encode(holder))
        except (RedisError, OSError) as error:
            raise StoreUnavailable(str(error)) from error

    async def get(self, token_hash: str) -> Holder | None:
        """Return who holds a token, if anybody does.

        Raises:
            StoreUnavailable: The store did not answer.
        """
        try:
            stored = await self._client.get(_key(token_hash))
        except (RedisError, OSError) as error:
            raise StoreUnavailable(str(error)) from error
        return _DECODER.decode(stored) if stored else None


def _key(token_hash: str) -> str:
    return f"tb:people:token:{token_hash}"
