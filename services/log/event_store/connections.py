"""Connections to Redis or Valkey that say how far a command came when it fails.

For an append it matters a great deal whether there was no connection (nothing happened), whether the server refused
(nothing happened either), or whether the connection broke after something had been sent (anything may have happened).
redis-py's client mixes the three up and resends on its own, so this module uses redis-py's connections without its
client. It relies on ``ConnectionPool.get_connection`` (connects, shakes hands, replaces a connection that was closed
or has unread bytes) and ``release``, ``send_packed_command``, ``read_response``, ``disconnect``.

Nearly all share one connection (``shared_connection.py``). Others have one of their own, for commands that keep the
server from answering what comes after them, or whose replies are long.
"""

import asyncio
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext
from typing import Any, Final, Literal, Self

from redis.asyncio.connection import ConnectionPool
from redis.exceptions import NoScriptError, RedisError

from services.log.event_store.addresses import watched_at
from services.log.event_store.patience import Patience
from services.log.event_store.pools import pool_options
from services.log.event_store.scripts import Script
from services.log.event_store.sentinels import watched_pool
from services.log.event_store.shared_connection import REFUSALS, Sharing, packed, reply_of
from services.log.redis_errors import unavailable

Argument = str | bytes | int
Command = tuple[Argument, ...]

Line = Literal["shared", "own", "waiting"]
"""The connection that commands go on: ``shared`` with others; their ``own``, of which there is a bounded number, for
what is long or makes the server wait; or their own beyond that number, for what waits for long."""


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


class Servers(ABC):
    """What keeps the log, as whoever asks sees it: one server, or the primaries of a cluster.

    Attributes:
        patience: How long to wait.
        spread: Whether one command reaches only a part of the shards, so that each shard is asked on its own.
    """

    spread = False

    def __init__(self, patience: Patience) -> None:
        self.patience = patience

    @abstractmethod
    async def ask(self, *commands: Command, within: float | None = None, line: Line = "shared") -> list[Any]:
        """Send commands in one go and return their replies.

        Args:
            commands: At least one. The keys of each share a slot; one without a key goes where the one before it goes.
            within: Seconds for all of it; by default ``patience.reply``.
            line: The connection that they go on.

        Raises:
            NothingSent: There was no connection.
            NoReply: At least one reply did not come.
            StoreRefused: At least one reply was an error; the other commands were carried out.
        """

    @abstractmethod
    async def ask_together(self, commands: Sequence[Command]) -> list[Any]:
        """Return the replies to commands of which those with keys of one slot are carried out in one step.

        An error of a single command stands in the place of its reply. Raises as :meth:`ask` does.
        """

    @abstractmethod
    def scan(self, pattern: str, page: int) -> AsyncIterator[list[bytes]]:
        """Yield the names of all keys that match a pattern, in pieces; some perhaps twice. Raises as :meth:`ask`."""

    @abstractmethod
    async def ask_each(
        self, *commands: Command, within: float | None = None, some: bool = False
    ) -> dict[str, list[Any]]:
        """Return the replies of every primary to commands without keys, by its address. Raises as :meth:`ask`.

        Args:
            commands: At least one.
            within: Seconds for all of it; by default ``patience.reply``.
            some: Whether those who do not answer are left out, as long as one does.
        """

    @abstractmethod
    async def close(self) -> None:
        """Close all connections, even those in use."""

    async def run(
        self, script: Script, keys: Sequence[str], arguments: Sequence[Argument], line: Line = "shared"
    ) -> Any:
        """Run a script and return its reply.

        Raises:
            NothingSent: There was no connection.
            NoReply: No reply came.
            StoreRefused: The server did not run it.
        """
        return (await self.run_before((), script, keys, arguments, line=line))[0]

    async def run_before(
        self,
        then: Sequence[Command],
        script: Script,
        keys: Sequence[str],
        arguments: Sequence[Argument],
        within: float | None = None,
        line: Line = "shared",
    ) -> list[Any]:
        """Run a script, and other commands after it in the same trip on the same connection; return all replies.

        With other commands it goes on a connection of its own: what comes after a script waits for what it wrote.

        Raises:
            NothingSent: There was no connection.
            NoReply: No reply came.
            StoreRefused: The server did not run it.
        """
        rest = (len(keys), *keys, *arguments)
        line = "own" if then else line
        try:
            return await self.ask(("EVALSHA", script.digest, *rest), *then, within=within, line=line)
        except StoreRefused as refusal:
            if not refusal.no_script:
                raise
        # The server was restarted, or has forgotten its scripts. EVAL runs the script and stores it in one trip.
        return await self.ask(("EVAL", script.text, *rest), *then, within=within, line=line)


class Connections(Servers):
    """A bounded number of connections to one server. Owns the pool that it is given."""

    def __init__(self, pool: ConnectionPool, patience: Patience, most: int = 64) -> None:
        super().__init__(patience)
        self._pool: Final = pool
        self._places: Final = asyncio.Semaphore(most)
        self._sharing: Final = Sharing(pool)

    @classmethod
    def to_url(cls, url: str, patience: Patience) -> Self:
        """Prepare connections to ``redis://``, ``rediss://``, ``valkey://``, ``unix://`` or ``sentinel://``.

        None is opened yet.

        Raises:
            ValueError: The URL is none of these, or has an unknown option.
        """
        watched = watched_at(url)
        options = pool_options(url, patience)
        if watched is not None:
            return cls(
                watched_pool(watched, options, socket_connect_timeout=patience.connect),
                patience,
            )
        return cls.to_pool(options, patience)

    @classmethod
    def to_pool(cls, options: dict[str, Any], patience: Patience) -> Self:
        """Prepare connections with a pool's options.

        Raises:
            ValueError: One of them is unknown.
        """
        pool = ConnectionPool(**options)
        try:
            pool.make_connection()  # type: ignore[no-untyped-call]
        except TypeError as error:  # an unknown option, which the pool would notice too late
            raise ValueError(f"the store's URL has an unknown option: {error}") from error
        return cls(pool, patience)

    async def ask(self, *commands: Command, within: float | None = None, line: Line = "shared") -> list[Any]:
        """Send commands in one go and return their replies; see :meth:`Servers.ask`."""
        replies = await self.exchange(commands, within=within, line=line)
        for reply in replies:
            if isinstance(reply, Exception):
                raise StoreRefused(reply)
        return replies

    async def exchange(
        self, commands: Sequence[Command], *, within: float | None = None, line: Line = "shared"
    ) -> list[Any]:
        """Do the same, but return an error that the server replied in the place of the reply."""
        within = self.patience.reply if within is None else within
        if line != "shared":
            places: AbstractAsyncContextManager[None] = self._places if line == "own" else nullcontext()
            return await self._exchange_alone(commands, within, places)
        shared = self._sharing.connection
        if shared is None or not shared.is_open:
            clock = asyncio.get_running_loop().time
            end = clock() + within
            try:
                async with asyncio.timeout(within):
                    shared = await self._sharing.opened()
            except (*REFUSALS, RedisError, OSError) as error:
                raise NothingSent(str(error) or "no answer in time") from error
            within = end - clock()
        try:
            return await shared.exchange(commands, within)
        except (RedisError, OSError) as error:
            raise NoReply(str(error)) from error

    async def _exchange_alone(
        self, commands: Sequence[Command], within: float, places: AbstractAsyncContextManager[None]
    ) -> list[Any]:
        sent = False
        try:
            async with asyncio.timeout(within), places:
                connection = await self._pool.get_connection()  # type: ignore[no-untyped-call]
                replies: list[Any] = []
                try:
                    content = packed(commands)
                    sent = True
                    await connection.send_packed_command(content)
                    while len(replies) < len(commands):
                        replies.append(await reply_of(connection))
                finally:
                    # Even when cancelled: a connection with a reply still to come would hand it to whoever borrows it
                    # next. Neither line yields to another task unless the pool itself is contended.
                    if len(replies) < len(commands):
                        await connection.disconnect(nowait=True)
                    await self._pool.release(connection)
        except REFUSALS as error:  # while shaking hands
            raise NothingSent(str(error)) from error
        except (RedisError, OSError) as error:  # includes TimeoutError
            failure = NoReply if sent else NothingSent
            raise failure(str(error) or "no answer in time") from error
        return replies

    async def ask_together(self, commands: Sequence[Command]) -> list[Any]:
        """Return the replies to commands that are carried out in one step."""
        replies: list[Any] = (await self.ask(("MULTI",), *commands, ("EXEC",)))[-1]
        return replies

    async def scan(self, pattern: str, page: int) -> AsyncIterator[list[bytes]]:
        """Yield the names of all keys that match a pattern; see :meth:`Servers.scan`."""
        cursor = b"0"
        while True:
            command: Command = ("SCAN", cursor, "MATCH", pattern, "COUNT", page)
            try:
                ((cursor, found),) = await self.ask(command)
            except NoReply:  # a connection that the server had closed, unnoticed until now
                ((cursor, found),) = await self.ask(command)
            yield found
            if cursor == b"0":
                return

    async def ask_each(
        self,
        *commands: Command,
        within: float | None = None,
        some: bool = False,  # noqa: ARG002 - there is but one
    ) -> dict[str, list[Any]]:
        """Return the server's replies."""
        return {"": await self.ask(*commands, within=within)}

    async def close(self) -> None:
        """Close all connections, even those in use."""
        await self._sharing.close()
        await self._pool.aclose()
