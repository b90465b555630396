"""What the parts of the Redis event store share: the connections and the names."""

import asyncio
from collections.abc import Sequence
from typing import Any, Final

from services.errors import StoreUnavailable
from services.log.event_store.connections import (
    Argument,
    Command,
    Connections,
    NoReply,
    NothingSent,
    StoreRefused,
)
from services.log.event_store.keys import Keyspace
from services.log.event_store.scripts import Script


class RedisPart:
    """A part of the store's methods."""

    def __init__(self, connections: Connections, keyspace: Keyspace) -> None:
        """Use the connections and the names."""
        self._connections: Final = connections
        self._keyspace: Final = keyspace

    async def _read(self, *command: Argument) -> Any:
        """Return the reply to a command that only reads.

        Raises:
            StoreUnavailable: If there is none.
        """
        return (await self._read_all([command]))[0]

    async def look(self, commands: Sequence[Command]) -> list[Any]:
        """Return the replies to commands that only read: for lists, whose rows are beside the log.

        Raises:
            StoreUnavailable: If they do not all come.
        """
        return await self._read_all(commands)

    async def _read_all(self, commands: Sequence[Command]) -> list[Any]:
        """Return the replies to commands that only read.

        Raises:
            StoreUnavailable: If they do not all come.
        """
        clock = asyncio.get_running_loop().time
        end = clock() + self._connections.patience.reply
        try:
            try:
                return await self._connections.ask(*commands)
            except NoReply:
                if clock() >= end:  # it is the server that is silent: who asks has waited long enough
                    raise
                # The connection had been closed by a server that was restarted, unnoticed until now. Reading twice
                # does no harm.
                return await self._connections.ask(*commands, within=end - clock())
        except (NothingSent, NoReply, StoreRefused) as failure:
            raise StoreUnavailable(str(failure)) from failure

    async def _run(self, script: Script, keys: Sequence[str], arguments: Sequence[Argument]) -> Any:
        """Return the reply of a script that writes.

        Raises:
            StoreUnavailable: If there is none; unlike for an append, what was written may then be asked for.
        """
        try:
            return await self._connections.run(script, keys, arguments)
        except (NothingSent, NoReply, StoreRefused) as failure:
            raise StoreUnavailable(str(failure)) from failure
