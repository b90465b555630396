"""The feed: what a person was told last, kept for readers that ask at a secret address. Always on.

The log's server keeps ``tb:{notices}:feed:<person>``, a list of messages, newest first.
"""

from typing import Final

import msgspec
import redis.asyncio

from services.log.redis_errors import available
from services.notices.messages import Message
from services.people.contacts import Contact

KEPT: Final = 50
_KEPT_SECONDS: Final = 90 * 24 * 3600

_DECODER: Final = msgspec.json.Decoder(Message)


class Feed:
    """The messages in persons' feeds. Methods may raise ``StoreUnavailable``."""

    def __init__(self, client: "redis.asyncio.Redis") -> None:
        self._client = client

    async def deliver(self, message: Message, contact: Contact) -> None:
        """Put a message on top of its person's feed."""
        del contact
        encoded, key = msgspec.json.encode(message), _key(message.person)
        with available():
            async with self._client.pipeline(transaction=True) as pipeline:
                # Delivered twice, it stands there once.
                pipeline.lrem(key, 0, encoded.decode())
                pipeline.lpush(key, encoded)
                pipeline.ltrim(key, 0, KEPT - 1)
                pipeline.expire(key, _KEPT_SECONDS)
                await pipeline.execute()

    async def of(self, person: str) -> list[Message]:
        """Return what a person was told last, newest first."""
        with available():
            stored = await self._client.lrange(_key(person), 0, KEPT - 1)
        return [_DECODER.decode(one) for one in stored]

    async def erase(self, person: str) -> None:
        """Forget a person's feed."""
        with available():
            await self._client.delete(_key(person))


def _key(person: str) -> str:
    return f"tb:{{notices}}:feed:{person}"
