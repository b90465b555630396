"""redis-py's client, which asks through the connections of the log: for all that is kept beside the log.

With its commands and the shapes of their answers, but without its way to send them: it borrows a connection for each
question, which takes several times the processor time.
"""

import inspect
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import redis
import redis.asyncio
from redis.asyncio.client import Pipeline
from redis.asyncio.connection import ConnectionPool
from redis.client import EMPTY_RESPONSE, NEVER_DECODE

from services.log.event_store.connections import (
    Command,
    Connections,
    NoReply,
    NothingSent,
    StoreRefused,
)
from services.log.event_store.securing import Securing, SecuringPipeline


@contextmanager
def as_the_library_tells() -> Iterator[None]:
    """Turn failures of our connections into those of redis-py."""
    try:
        yield
    except NothingSent as failure:
        raise redis.ConnectionError(str(failure)) from failure
    except NoReply as failure:
        raise redis.TimeoutError(str(failure)) from failure
    except StoreRefused as failure:
        raise failure.error from failure


class AskingClient(redis.asyncio.Redis):
    """A client that sends single commands by other ways than the library."""

    async def sent(self, commands: Sequence[Sequence[Any]]) -> list[Any]:
        """Return the replies to commands, with an error in the place of the reply of one that was refused.

        Raises:
            redis.RedisError: They did not all come.
        """
        raise NotImplementedError

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        """Carry a command out, and return the answer."""
        (reply,) = await self.sent([args])
        if isinstance(reply, Exception):
            if isinstance(reply, redis.ResponseError) and EMPTY_RESPONSE in options:
                return options[EMPTY_RESPONSE]
            raise reply
        found = self.answer(args[0], reply, options)
        return await found if inspect.isawaitable(found) else found

    def answer(self, name: Any, reply: Any, options: dict[str, Any]) -> Any:
        """Return a reply in the shape that the library gives it."""
        if name not in self.response_callbacks:
            return reply
        known = {
            key: value for key, value in options.items() if key not in {NEVER_DECODE, EMPTY_RESPONSE, "keys"}
        }
        return self.response_callbacks[name](reply, **known)

    def packed(self, command: Sequence[Any]) -> Command:
        """Return a command as our connections take it."""
        encode = self.get_encoder().encode  # type: ignore[no-untyped-call]
        # The library writes some names as two words.
        return (*str(command[0]).split(), *map(encode, command[1:]))


class SharedClient(AskingClient):
    """A client of one server; owns its connections. Pipelines have connections of the library's own pool."""

    def __init__(
        self,
        connections: Connections,
        pool: ConnectionPool,
        *,
        retries: int = 0,
        securing: Securing | None = None,
    ) -> None:
        """Take what it asks through.

        Args:
            connections: For single commands.
            pool: For pipelines; speaks protocol 2, as our connections do.
            retries: How often a command is sent again whose reply was lost.
            securing: Waits for replicas; None where there need be none.
        """
        super().__init__(connection_pool=pool)
        self._securing: Final = securing
        self.auto_close_connection_pool = True
        self._connections: Final = connections
        self._retries: Final = retries

    async def sent(self, commands: Sequence[Sequence[Any]]) -> list[Any]:
        """Return the replies to commands; see :meth:`AskingClient.sent`."""
        packed = [self.packed(command) for command in commands]
        securing = self._securing
        behind = securing.behind(packed) if securing is not None else ()
        for left in range(self._retries, -1, -1):
            try:
                with as_the_library_tells():
                    if securing is None or not behind:
                        return await self._connections.exchange(packed)
                    within = self._connections.patience.reply + securing.seconds
                    replies = await self._connections.exchange([*packed, *behind], within=within, line="own")
                    securing.require(replies)
                    return replies[: len(packed)]
            except redis.TimeoutError:
                if not left:
                    raise
        raise AssertionError("a command is sent at least once")

    def pipeline(
        self,
        transaction: bool = True,  # noqa: FBT001, FBT002 - the library's
        shard_hint: str | None = None,
    ) -> Pipeline:
        """Return a pipeline."""
        if self._securing is None:
            return super().pipeline(transaction, shard_hint)
        made = SecuringPipeline(self.connection_pool, self.response_callbacks, transaction, shard_hint)
        made.securing = self._securing
        return made

    async def aclose(self, close_connection_pool: bool | None = None) -> None:  # noqa: FBT001 - the library's
        """Close all connections."""
        await super().aclose(close_connection_pool)
        await self._connections.close()
