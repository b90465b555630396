"""Writing a backup's records into an empty server.

The installation's record is written last. Until then it names a layout that no release can use, so that nobody opens
by mistake a store whose restore was killed.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from services.log.backup.errors import RestoreRefused
from services.log.backup.records import KeyRecord, MatchRecord, Record
from services.log.backup.store_reading import StoreServer
from services.log.event_store.connections import Argument, Command, answered
from services.log.event_store.contract import Status
from services.log.event_store.keys import INSTALLATION, Keyspace

_BEING_RESTORED: Final = 0
"""A layout that no release has."""

_BYTES_AT_ONCE: Final = 1 << 20
_COMMANDS_AT_ONCE: Final = 2000

_WRITERS: Final = {"string": "SET", "hash": "HSET", "list": "RPUSH", "set": "SADD", "zset": "ZADD"}


class StoreWriter(StoreServer):
    """Fills an empty server.

    An embedded server of one's own, which nobody else uses, syncs its disk once, at the end, and not every few
    commands: a partial restore is worth nothing.
    """

    def __init__(self, url: str, shards: int, *, own: bool = False) -> None:
        super().__init__(url)
        self._own: Final = own
        self._keyspace: Final = Keyspace(shards)
        self._waiting: list[Command] = []
        self._bytes = 0
        self._installation: KeyRecord | None = None

    async def begin(self) -> None:
        """Claim the server for this restore.

        Raises:
            RestoreRefused: It is not empty.
            StoreUnavailable: It does not answer.
        """
        with answered():
            sizes = await (await self.servers()).ask_each(("DBSIZE",))
        size = sum(keys for (keys,) in sizes.values())
        if size:
            raise RestoreRefused(
                f"The log's server is not empty: it holds {size} keys. Nothing was restored."
            )
        (taken,) = await self.ask([("HSETNX", INSTALLATION, "layout", _BEING_RESTORED)])
        if not taken:
            raise RestoreRefused("Somebody else has started to use the log's server. Nothing was restored.")
        if self._own:
            await self.ask([("CONFIG", "SET", "appendfsync", "no")])

    async def write(self, record: Record) -> None:
        """Queue a record, and write what is queued once it is enough."""
        if isinstance(record, KeyRecord) and record.key == INSTALLATION.encode():
            self._installation = record
            return
        commands = self._match(record) if isinstance(record, MatchRecord) else _key(record)
        for command in commands:
            self._waiting.append(command)
            self._bytes += sum(len(part) if isinstance(part, bytes | str) else 8 for part in command)
            if self._bytes > _BYTES_AT_ONCE or len(self._waiting) >= _COMMANDS_AT_ONCE:
                await self._flush()

    async def end(self) -> None:
        """Write what is still queued, then open the store for use.

        Raises:
            RestoreRefused: The backup lacks the installation's record.
            StoreUnavailable: The server does not answer.
        """
        await self._flush()
        if self._installation is None:
            raise RestoreRefused("The backup lacks the record of its installation.")
        if self._own:
            await self.ask([("CONFIG", "SET", "appendfsync", "always")])
        # Syncing the file also syncs everything written to it before.
        await self.ask([("HSET", INSTALLATION, *self._installation.values)])

    async def _flush(self) -> None:
        commands, self._waiting, self._bytes = self._waiting, [], 0
        if commands:
            await self.ask(commands)

    def _match(self, record: MatchRecord) -> Iterator[Command]:
        keys = self._keyspace.of_match(record.match)
        for entry_id, values in record.entries:
            yield ("XADD", keys.events, entry_id, *values)
        if record.refused:
            yield ("RPUSH", keys.refused, *record.refused)
        if record.meta:
            yield ("HSET", keys.meta, *_flat(record.meta.items()))
        due = record.meta.get(b"due")
        if due is not None and record.meta.get(b"status") == Status.OPEN.encode():
            yield ("ZADD", self._keyspace.of_shard_of(record.match).due, due, record.match)


def _key(record: KeyRecord) -> Iterator[Command]:
    if record.kind == "stream":
        yield from _stream(record)
    elif record.kind in _WRITERS:
        if record.kind == "list":
            # A scan may return a key twice while the store's table grows, which would double the list.
            yield ("DEL", record.key)
        yield (_WRITERS[record.kind], record.key, *record.values)
    if record.expires is not None:
        yield ("PEXPIREAT", record.key, record.expires)


def _stream(record: KeyRecord) -> Iterator[Command]:
    yield ("DEL", record.key)
    at = 0
    while at < len(record.values):
        entry_id, end = record.values[at], at + 2 + int(record.values[at + 1])
        yield ("XADD", record.key, entry_id, *record.values[at + 2 : end])
        at = end


def _flat(pairs: Iterable[tuple[bytes, bytes]]) -> list[Argument]:
    return [part for pair in pairs for part in pair]
