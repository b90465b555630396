"""redis-py's client on a cluster, for all that is kept beside the log: people, clubs, rows of lists.

redis-py has a client for clusters. It is not used here: it runs each command of a transaction in a thread with an event
loop of its own, takes no scripts in a pipeline, raises errors that are no ``RedisError``, and knows nothing of
keys that must share a slot. So redis-py's usual client asks through the connections of the log
(``asking_client.py``).
"""

import asyncio
import inspect
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

import redis
import redis.asyncio
from redis.asyncio.connection import ConnectionPool
from redis.exceptions import AskError, ClusterDownError, NoScriptError, ReadOnlyError, TryAgainError

from services.log.event_store.asking_client import AskingClient, as_the_library_tells
from services.log.event_store.cluster_connections import ClusterConnections
from services.log.event_store.connections import Command
from services.log.event_store.pools import pool_options
from services.log.event_store.securing import Securing, SecuringPipeline
from services.log.event_store.slot_map import Place
from services.log.event_store.slots import key_places, placed_command, slot_of

_SCAN_COUNT: Final = 1000
_PAUSE_SECONDS: Final = 0.1
_ELSEWHERE: Final = (
    *(AskError, ClusterDownError, ReadOnlyError, TryAgainError),
    *(redis.ConnectionError, redis.TimeoutError, OSError),
)
"""What is told by a node that no longer has a key, or not now, or is away."""


class ClusterClient(AskingClient):
    """A client of all primaries; owns its connections."""

    def __init__(
        self,
        servers: ClusterConnections,
        url: str,
        *,
        retries: int = 0,
        retries_silence: bool = True,
        securing: Securing | None = None,
    ) -> None:
        """Take the connections.

        Args:
            servers: Connections to the cluster.
            url: The URL of one of its nodes, for connections on which keys are watched.
            retries: How often commands are sent again whose reply was lost.
            retries_silence: Whether also when there was none in time.
            securing: Waits for replicas; None where there need be none.
        """
        super().__init__(protocol=2)
        self.servers: Final = servers
        self.securing: Final = securing
        self._retries: Final = retries if retries_silence else 0
        self._options: Final = pool_options(url, servers.patience) | {
            "socket_timeout": servers.patience.reply
        }
        self._pools: Final[dict[Place, ConnectionPool]] = {}

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        """Carry a command out where its keys are, and return the answer."""
        if args[0] == "SCRIPT LOAD":
            # Whichever node a script runs on later must know it.
            replies = await self.each(("SCRIPT", "LOAD", args[1]))
            return self.answer(args[0], next(iter(replies.values()))[0], options)
        return await super().execute_command(*args, **options)

    def pipeline(
        self,
        transaction: bool = True,  # noqa: FBT001, FBT002 - the library's
        shard_hint: str | None = None,  # noqa: ARG002 - the library's
    ) -> "ClusterPipeline":
        """Return a pipeline. A transaction has keys of one slot only."""
        return ClusterPipeline(self, transaction)

    async def scan_iter(  # type: ignore[override]
        self, match: Any = None, count: int | None = None, _type: str | None = None, **_: Any
    ) -> AsyncIterator[bytes]:
        """Yield the keys of all primaries that match a pattern, some perhaps twice."""
        with as_the_library_tells():
            async for found in self.servers.scan(match or "*", count or _SCAN_COUNT):
                for key in found:
                    yield key

    async def each(self, *commands: Command) -> dict[str, list[Any]]:
        """Return what every primary that answers replies to commands without keys, by its address."""
        with as_the_library_tells():
            return await self.servers.ask_each(*commands, some=True)

    async def key_on_each(self, name: str) -> list[str]:
        """Return keys, made of a name, one on each primary."""
        with as_the_library_tells():
            return await self.servers.key_on_each(name)

    async def sent(self, commands: Sequence[Sequence[Any]], *, together: bool = False) -> list[Any]:
        """Return the replies to commands, with an error in the place of the reply of one that was refused.

        Args:
            commands: As the library makes them.
            together: Whether they are one transaction.
        """
        packed = [self.packed(command) for command in commands]
        if together and len({slot_of(placed_command(command)) for command in packed}) > 1:
            raise redis.ResponseError("CROSSSLOT the keys of a transaction must share a slot")
        for left in range(self._retries, -1, -1):
            try:
                with as_the_library_tells():
                    return await self._answers(packed, together=together)
            except redis.TimeoutError:
                if not left:
                    raise
        raise AssertionError("a command is sent at least once")

    async def _answers(self, commands: Sequence[Command], *, together: bool) -> list[Any]:
        securing, servers = self.securing, self.servers
        behind = securing.behind(commands) if securing is not None else ()
        if securing is None or not behind:
            return await (servers.ask_together(commands) if together else servers.answers(commands))
        within = servers.patience.reply + securing.seconds
        if together:
            replies = await servers.ask_together(commands, behind, within=within, line="own")
        else:
            replies = await servers.answers([*commands, *behind], within=within, line="own")
        securing.require(replies)
        return replies[: len(commands)]

    def pool_of(self, place: Place) -> ConnectionPool:
        """Return the pool of connections to a node on which keys are watched."""
        if place not in self._pools:
            self._pools[place] = ConnectionPool(**(self._options | {"host": place[0], "port": place[1]}))
        return self._pools[place]

    async def aclose(self, close_connection_pool: bool | None = None) -> None:  # noqa: FBT001 - the library's
        """Close all connections."""
        await super().aclose(close_connection_pool)
        await self.servers.close()
        for pool in self._pools.values():
            await pool.aclose()


class ClusterPipeline(SecuringPipeline):
    """Commands that are sent together."""

    def __init__(self, client: ClusterClient, transaction: bool) -> None:  # noqa: FBT001 - the library's
        super().__init__(client.connection_pool, client.response_callbacks, transaction, None)
        self._client: Final = client
        self.securing = client.securing

    async def immediate_execute_command(self, *args: Any, **options: Any) -> Any:
        """Watch keys, or read what is watched, on one connection to the node that has them."""
        clock = asyncio.get_running_loop().time
        end = clock() + self._client.servers.patience.reply
        while True:
            is_first = self.connection is None
            if is_first:
                with as_the_library_tells():
                    place = await self._client.servers.primary_of(*(args[at] for at in key_places(args)))
                self.connection_pool = self._client.pool_of(place)
            try:
                return await super().immediate_execute_command(*placed_command(args), **options)  # type: ignore[no-untyped-call]
            except _ELSEWHERE:
                self._client.servers.suspect()
                if not is_first or clock() + _PAUSE_SECONDS >= end:
                    raise
                await self.reset()
            await asyncio.sleep(_PAUSE_SECONDS)

    async def execute(self, raise_on_error: bool = True) -> list[Any]:  # noqa: FBT001, FBT002 - the library's
        """Send the commands, and return their answers."""
        if self.connection is not None:
            self.command_stack = [(placed_command(args), options) for args, options in self.command_stack]
            try:
                return await super().execute(raise_on_error)
            except _ELSEWHERE:
                self._client.servers.suspect()
                raise
        stack, scripts = self.command_stack, {str(one.sha): one.script for one in self.scripts}
        together = self.is_transaction or self.explicit_transaction
        try:
            if not stack:
                return []
            commands = [args for args, _ in stack]
            replies = await self._client.sent(commands, together=together)
            for at, reply in enumerate(replies):
                if isinstance(reply, NoScriptError) and not together:
                    _, digest, *rest = commands[at]
                    (replies[at],) = await self._client.sent([("EVAL", scripts[str(digest)], *rest)])
            if raise_on_error:
                self.raise_first_error(stack, replies)
            answers = [
                reply if isinstance(reply, Exception) else self._client.answer(args[0], reply, dict(options))
                for (args, options), reply in zip(stack, replies, strict=True)
            ]
            return [await answer if inspect.isawaitable(answer) else answer for answer in answers]
        finally:
            await self.reset()
