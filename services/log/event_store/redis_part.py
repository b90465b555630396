"""The base of the parts of the Redis event store, with their shared connections and names."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final

from services.log.event_store.connections import Argument, Command, Line, NoReply, Servers, answered
from services.log.event_store.keys import Keyspace
from services.log.event_store.scripts import Script


class RedisPart:
    """Reads, and runs scripts, for one part of the store."""

    def __init__(self, connections: Servers, keyspace: Keyspace) -> None:
        self._connections: Final = connections
        self._keyspace: Final = keyspace

    async def _read(self, *command: Argument) -> Any:
        return (await self.look([command]))[0]

    async def look(self, commands: Sequence[Command], *, line: Line = "shared") -> list[Any]:
        """Return the replies to commands that only read; projections ask so, too, whose rows are beside the log.

        Args:
            commands: At least one.
            line: The connection that they go on.

        Raises:
            StoreUnavailable: Not all replies came.
        """
        clock = asyncio.get_running_loop().time
        end = clock() + self._connections.patience.reply
        with answered():
            try:
                return await self._connections.ask(*commands, line=line)
            except NoReply:
                if clock() >= end:  # the server itself is silent, and the caller has waited long enough
                    raise
                # A restarted server had closed the connection, unnoticed until now. Reading twice does no harm.
                return await self._connections.ask(*commands, within=end - clock(), line=line)

    async def _scan(self, pattern: str, count: int) -> AsyncIterator[list[bytes]]:
        """Yield the names of all keys that match a pattern, in pieces; some perhaps twice."""
        with answered():
            async for found in self._connections.scan(pattern, count):
                yield found

    async def _run(
        self, script: Script, keys: Sequence[str], arguments: Sequence[Argument], *, line: Line = "shared"
    ) -> Any:
        """Return the reply of a script whose caller can ask what was written, unlike after an append."""
        with answered():
            return await self._connections.run(script, keys, arguments, line)
