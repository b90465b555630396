"""Connections to Redis or Valkey that say how far a command came when it fails.

For an append it makes all the difference whether a connection could not be had (nothing happened), whether the
server refused (nothing happened either) or whether it broke after something had been sent (anything may have
happened). redis-py's client mixes the three up and sends again on its own; therefore its connections are used here
without the client. What of redis-py this relies on: ``ConnectionPool.get_connection`` (connects, shakes hands,
replaces a connection that was closed or has unread bytes) and ``release``, ``send_packed_command``,
``read_response``, ``disconnect``.
"""

import asyncio
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from typing import Any, Final, Self

import hiredis
import msgspec
from redis.asyncio.connection import ConnectionPool, parse_url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import (
    AuthenticationError,
    AuthorizationError,
    BusyLoadingError,
    NoScriptError,
    RedisError,
    ResponseError,
)
from redis.maint_notifications import MaintNotificationsConfig

from services.log.event_store.scripts import Script

Argument = str | bytes | int
Command = tuple[Argument, ...]


class NothingSent(Exception):
    """No connection could be had: the command never left."""


class NoReply(Exception):
    """The command was sent, or part of it, and no reply came: it may have been carried out."""


class StoreRefused(Exception):
    """The server answered with an error instead of carrying the command out."""

    def __init__(self, error: Exception) -> None:
        """Keep what the server said."""
        super().__init__(str(error))
        self.no_script = isinstance(error, NoScriptError)


class Patience(msgspec.Struct, frozen=True):
    """How long to wait, in seconds.

    Attributes:
        connect: For a connection, while opening one.
        reply: For all of a command, from the wish for a connection to the reply.
        resolve: For clearing up an append whose reply was lost, after that.
    """

    connect: float = 1.0
    reply: float = 3.0
    resolve: float = 2.0


_REFUSALS: Final = (ResponseError, BusyLoadingError, AuthenticationError, AuthorizationError)
"""Errors that are a server's reply. The last three are connection errors to redis-py."""


class Connections:
    """A bounded number of connections to one server."""

    def __init__(self, pool: ConnectionPool, patience: Patience, most: int = 64) -> None:
        """Use a pool, of which this becomes the owner."""
        self.patience = patience
        self._pool: Final = pool
        self._places: Final = asyncio.Semaphore(most)

    @classmethod
    def to_url(cls, url: str, patience: Patience) -> Self:
        """Prepare connections to ``redis://``, ``rediss://`` or ``unix://``; none is opened yet.

        Raises:
            ValueError: If the URL is none of these.
        """
        options: dict[str, Any] = dict(parse_url(url))
        # Whatever the URL says of these: replies are read as bytes in the form of protocol 2, times are kept here
        # (redis-py's own time limit on writing costs a task per command), and nothing is sent again unasked.
        options |= {
            "protocol": 2,
            "decode_responses": False,
            "socket_timeout": None,
            "socket_connect_timeout": patience.connect,
            "health_check_interval": 0,
            "retry": Retry(NoBackoff(), 0),
            "retry_on_error": [],
            "retry_on_timeout": False,
            "max_connections": 1024,
            # Two commands less on every new connection.
            "driver_info": None,
            # Where these are on, the pool no longer notices that an idle connection was closed.
            "maint_notifications_config": MaintNotificationsConfig(enabled=False),
        }
        pool = ConnectionPool(**options)
        try:
            pool.make_connection()  # type: ignore[no-untyped-call]
        except TypeError as error:  # an option that no connection knows; the pool would find it out too late
            raise ValueError(f"the store's URL has an option that is none: {error}") from error
        return cls(pool, patience)

    async def ask(self, *commands: Command, within: float | None = None, queue: bool = True) -> list[Any]:
        """Send commands in one go and return their replies.

        Args:
            commands: At least one.
            within: Seconds for all of it; as patience has it if not given.
            queue: Take one of the bounded places; what blocks for long must not.

        Raises:
            NothingSent: No connection could be had.
            NoReply: No, or not every, reply came.
            StoreRefused: At least one reply was an error; the other commands were carried out.
        """
        places: AbstractAsyncContextManager[None] = self._places if queue else nullcontext()
        sent = False
        try:
            async with asyncio.timeout(self.patience.reply if within is None else within), places:
                connection = await self._pool.get_connection()  # type: ignore[no-untyped-call]
                replies: list[Any] = []
                try:
                    packed = b"".join(hiredis.pack_command(command) for command in commands)  # type: ignore[arg-type]
                    sent = True
                    await connection.send_packed_command(packed)
                    while len(replies) < len(commands):
                        replies.append(await _reply(connection))
                finally:
                    # Also when cancelled: a connection on which a reply is still to come would hand it to whoever
                    # borrows it next. Neither line gives way to another task unless the pool itself is contended.
                    if len(replies) < len(commands):
                        await connection.disconnect(nowait=True)
                    await self._pool.release(connection)
        except _REFUSALS as error:  # while shaking hands
            raise NothingSent(str(error)) from error
        except (RedisError, OSError) as error:  # includes TimeoutError
            failure = NoReply if sent else NothingSent
            raise failure(str(error) or "no answer in time") from error
        for reply in replies:
            if isinstance(reply, Exception):
                raise StoreRefused(reply)
        return replies

    async def run(
        self, script: Script, keys: Sequence[str], arguments: Sequence[Argument], within: float | None = None
    ) -> Any:
        """Run a script and return its reply, within some seconds.

        Raises:
            NothingSent: No connection could be had.
            NoReply: No reply came.
            StoreRefused: The server did not run it.
        """
        rest = (len(keys), *keys, *arguments)
        try:
            return (await self.ask(("EVALSHA", script.digest, *rest), within=within))[0]
        except StoreRefused as refusal:
            if not refusal.no_script:
                raise
        # The server was restarted, or has forgotten its scripts. EVAL runs it and remembers it, in one trip.
        return (await self.ask(("EVAL", script.text, *rest), within=within))[0]

    async def close(self) -> None:
        """Close all connections, also those in use."""
        await self._pool.aclose()


async def _reply(connection: Any) -> Any:
    """Return a reply, or the error that the server replied: the replies behind it must be read all the same."""
    try:
        return await connection.read_response()
    except _REFUSALS as error:
        return error
