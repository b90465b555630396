"""Connections to Redis or Valkey that say how far a command came when it fails.

For an append it matters a great deal whether there was no connection (nothing happened), whether the server refused
(nothing happened either), or whether the connection broke after something had been sent (anything may have happened).
redis-py's client mixes the three up and resends on its own, so this module uses redis-py's connections without its
client. It relies on ``ConnectionPool.get_connection`` (connects, shakes hands, replaces a connection that was closed
or has unread bytes) and ``release``, ``send_packed_command``, ``read_response``, ``disconnect``.
"""

import asyncio
from collections.abc import Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
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

from services.log.event_store.addresses import client_url, watched_at
from services.log.event_store.scripts import Script
from services.log.event_store.sentinels import watched_pool
from services.log.redis_errors import unavailable

Argument = str | bytes | int
Command = tuple[Argument, ...]


class NothingSent(Exception):
    """There was no connection: the command was never sent."""


class NoReply(Exception):
    """The command, or part of it, was sent, but no reply came: it may have been carried out."""


class StoreRefused(Exception):
    """The server answered with an error instead of carrying the command out."""

    def __init__(self, error: Exception) -> None:
        super().__init__(str(error))
        self.error = error
        self.no_script = isinstance(error, NoScriptError)


@contextmanager
def answered() -> Iterator[None]:
    """Turn an unanswered or refused question into ``StoreUnavailable``: for what may be asked again without harm."""
    try:
        yield
    except (NothingSent, NoReply, StoreRefused) as failure:
        raise unavailable(failure.error if isinstance(failure, StoreRefused) else failure) from failure


class Patience(msgspec.Struct, frozen=True):
    """How long to wait, in seconds.

    Attributes:
        connect: For opening a connection.
        reply: For a whole command, from asking for a connection to the reply.
        resolve: After that, for finding out about an append whose reply was lost.
        replicas: How many replicas must have an append before it is acknowledged.
        replicated: For them.
    """

    connect: float = 1.0
    reply: float = 3.0
    resolve: float = 2.0
    replicas: int = 0
    replicated: float = 1.0


_REFUSALS: Final = (ResponseError, BusyLoadingError, AuthenticationError, AuthorizationError)
"""Errors that are replies of the server. redis-py treats the last three as connection errors."""


class Connections:
    """A bounded number of connections to one server. Owns the pool that it is given."""

    def __init__(self, pool: ConnectionPool, patience: Patience, most: int = 64) -> None:
        self.patience = patience
        self._pool: Final = pool
        self._places: Final = asyncio.Semaphore(most)

    @classmethod
    def to_url(cls, url: str, patience: Patience) -> Self:
        """Prepare connections to ``redis://``, ``rediss://``, ``valkey://``, ``unix://`` or ``sentinel://``.

        None is opened yet.

        Raises:
            ValueError: The URL is none of these, or has an unknown option.
        """
        watched = watched_at(url)
        options: dict[str, Any] = dict(parse_url(client_url(url)) if watched is None else watched.options)
        # These override the URL: replies are bytes in protocol 2, we keep the time limits ourselves (redis-py's own
        # limit on writing costs a task per command), and nothing is resent unasked.
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
            # Saves two commands on every new connection.
            "driver_info": None,
            # If these are on, the pool no longer notices that an idle connection was closed.
            "maint_notifications_config": MaintNotificationsConfig(enabled=False),
        }
        if watched is not None:
            return cls(
                watched_pool(watched, options, socket_connect_timeout=patience.connect),
                patience,
            )
        pool = ConnectionPool(**options)
        try:
            pool.make_connection()  # type: ignore[no-untyped-call]
        except TypeError as error:  # an unknown option, which the pool would notice too late
            raise ValueError(f"the store's URL has an unknown option: {error}") from error
        return cls(pool, patience)

    async def ask(self, *commands: Command, within: float | None = None, queue: bool = True) -> list[Any]:
        """Send commands in one go and return their replies.

        Args:
            commands: At least one.
            within: Seconds for all of it; by default ``patience.reply``.
            queue: Whether to take one of the bounded places; commands that block for long must not.

        Raises:
            NothingSent: There was no connection.
            NoReply: At least one reply did not come.
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
                    # Even when cancelled: a connection with a reply still to come would hand it to whoever borrows it
                    # next. Neither line yields to another task unless the pool itself is contended.
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
        """Run a script and return its reply.

        Raises:
            NothingSent: There was no connection.
            NoReply: No reply came.
            StoreRefused: The server did not run it.
        """
        return (await self.run_before((), script, keys, arguments, within))[0]

    async def run_before(
        self,
        then: Sequence[Command],
        script: Script,
        keys: Sequence[str],
        arguments: Sequence[Argument],
        within: float | None = None,
    ) -> list[Any]:
        """Run a script, and other commands after it in the same trip on the same connection; return all replies.

        Raises:
            NothingSent: There was no connection.
            NoReply: No reply came.
            StoreRefused: The server did not run it.
        """
        rest = (len(keys), *keys, *arguments)
        try:
            return await self.ask(("EVALSHA", script.digest, *rest), *then, within=within)
        except StoreRefused as refusal:
            if not refusal.no_script:
                raise
        # The server was restarted, or has forgotten its scripts. EVAL runs the script and stores it in one trip.
        return await self.ask(("EVAL", script.text, *rest), *then, within=within)

    async def close(self) -> None:
        """Close all connections, even those in use."""
        await self._pool.aclose()


async def _reply(connection: Any) -> Any:
    """Return a reply, or the error that the server replied: the replies after it must be read all the same."""
    try:
        return await connection.read_response()
    except _REFUSALS as error:
        return error
