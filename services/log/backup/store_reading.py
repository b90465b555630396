"""Reading all of a log's server while the service runs.

A match is read in one step, so that its events, its record and its refused commands fit together, whatever is appended
meanwhile. Matches are independent, so each may be read at its own instant. What is not read follows from the logs: the
feed and its checkpoints, the due index, the rows of projections.
"""

import re
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Any, Final

from services.log.backup.errors import BackupNotMade
from services.log.backup.records import KeyRecord, MatchRecord, Record
from services.log.event_store.addresses import single_urls
from services.log.event_store.connections import Command, Connections, Servers, answered
from services.log.event_store.keys import INSTALLATION, PREFIX, Keyspace
from services.log.event_store.patience import Patience
from services.log.event_store.reach import servers_at

_SCAN_COUNT: Final = 500
_ENTRIES_AT_ONCE: Final = 1000
"""Events per reply: about half a megabyte, which keeps the server busy for some milliseconds."""

PATIENCE: Final = Patience(connect=5.0, reply=60.0)
"""A backup can wait; people's moves go first."""

_MATCH_KEY: Final = re.compile(rb"tb:\{s\d+\}:m:([A-Za-z0-9_-]+):(ev|meta|refused)").fullmatch
_DERIVED: Final = re.compile(rb"tb:\{s\d+\}:(feed|shard|due|leases|p:.*)", re.DOTALL).fullmatch

_READERS: Final[dict[str, tuple[str | int, ...]]] = {
    "string": ("GET",),
    "hash": ("HGETALL",),
    "list": ("LRANGE", 0, -1),
    "set": ("SMEMBERS",),
    "zset": ("ZRANGE", 0, -1, "WITHSCORES"),
    "stream": ("XRANGE", "-", "+"),
}


class StoreServer:
    """A log's server, asked with the patience of a backup."""

    def __init__(self, url: str) -> None:
        """Take where the server is; nothing is asked yet.

        Raises:
            ValueError: It is not a valid URL.
        """
        for one in single_urls(url):
            Connections.to_url(one, PATIENCE)
        self._url: Final = url
        self._servers: Servers | None = None

    async def close(self) -> None:
        """Close the connections."""
        if self._servers is not None:
            await self._servers.close()

    async def ask(self, commands: Sequence[Command]) -> list[Any]:
        """Return the replies to commands.

        Raises:
            StoreUnavailable: Not all came.
        """
        with answered():
            return await (await self.servers()).ask(*commands, line="own")

    async def servers(self) -> Servers:
        """Return connections to the server, or to all primaries of its cluster.

        Raises:
            ValueError: The URL is not valid.
        """
        if self._servers is None:
            self._servers = await servers_at(self._url, PATIENCE)
        return self._servers


class StoreReader(StoreServer):
    """Reads everything that cannot be derived again."""

    _keyspace: Keyspace | None = None

    async def shards(self) -> int:
        """Return the store's number of shards.

        Raises:
            BackupNotMade: The server holds no log.
            StoreUnavailable: It does not answer.
        """
        (stored,) = await self.ask([("HGET", INSTALLATION, "shards")])
        if stored is None:
            raise BackupNotMade("The server holds no log.")
        self._keyspace = Keyspace(int(stored))
        return int(stored)

    async def records(self) -> AsyncIterator[Record]:
        """Yield everything that was there when this began, and perhaps what came since.

        Matches come first: if somebody sat down before their match was read, their token is in the backup, too.

        Raises:
            StoreUnavailable: The server does not answer.
            BackupNotMade: A key is of a kind that no release of this service writes.
        """
        seen = set[str]()
        async for keys in self._scan():
            new = {found[1].decode() for key in keys if (found := _MATCH_KEY(key))} - seen
            seen |= new
            for piece in await self._pieces(sorted(new)):
                for match in await self._matches(piece):
                    yield match
        # Scan again from the start: a person's token is written before they take their seat, never after.
        async for keys in self._scan():
            others = [key for key in keys if not _MATCH_KEY(key) and not _DERIVED(key)]
            for other in await self._others(others):
                yield other

    async def _scan(self) -> AsyncIterator[list[bytes]]:
        with answered():
            async for keys in (await self.servers()).scan(f"{PREFIX}*", _SCAN_COUNT):
                yield keys

    async def _pieces(self, matches: Sequence[str]) -> list[list[str]]:
        """Divide matches so that no reply becomes too large."""
        if not matches:
            return []
        lengths = await self.ask([("XLEN", self._keys(match)[1]) for match in matches])
        pieces, room = list[list[str]](), 0
        for match, length in zip(matches, lengths, strict=True):
            room -= int(length) + 1
            if room < 0 or not pieces:
                pieces.append([])
                room = _ENTRIES_AT_ONCE
            pieces[-1].append(match)
        return pieces

    async def _matches(self, matches: Sequence[str]) -> Iterator[MatchRecord]:
        commands: list[Command] = []
        for match in matches:
            meta, events, refused = self._keys(match)
            commands += [("HGETALL", meta), ("XRANGE", events, "-", "+"), ("LRANGE", refused, 0, -1)]
        replies = await self._at_once(commands)
        rows = zip(matches, replies[::3], replies[1::3], replies[2::3], strict=True)
        return (_match_record(*row) for row in rows)

    async def _others(self, keys: Sequence[bytes]) -> list[KeyRecord]:
        kinds = await self.ask([("TYPE", key) for key in keys]) if keys else []
        known = [(key, kind.decode()) for key, kind in zip(keys, kinds, strict=True) if kind != b"none"]
        for key, kind in known:
            if kind not in _READERS:
                raise BackupNotMade(f"The key {key.decode(errors='replace')} is a {kind}, which is not ours.")
        commands: list[Command] = []
        for key, kind in known:
            name, *rest = _READERS[kind]
            commands += [(str(name), key, *rest), ("PEXPIRETIME", key)]
        replies = await self._at_once(commands)
        found = zip(known, replies[::2], replies[1::2], strict=True)
        return [_key_record(key, kind, value, at) for (key, kind), value, at in found if value]

    async def _at_once(self, commands: Sequence[Command]) -> list[Any]:
        """Return the replies to commands that a server runs in one transaction, those of one shard at least."""
        if not commands:
            return []
        with answered():
            replies = await (await self.servers()).ask_together(commands)
        for command, reply in zip(commands, replies, strict=True):
            if isinstance(reply, Exception):
                raise BackupNotMade(f"{command[1]!r} cannot be read: {reply}")
        return replies

    def _keys(self, match: str) -> tuple[str, str, str]:
        if self._keyspace is None:
            raise RuntimeError("ask for the shards first")
        keys = self._keyspace.of_match(match)
        return keys.meta, keys.events, keys.refused


def _match_record(match: str, meta: list[bytes], rows: list[Any], refused: list[bytes]) -> MatchRecord:
    fields = dict(zip(meta[::2], meta[1::2], strict=True))
    entries = tuple((entry_id, tuple(values)) for entry_id, values in rows)
    return MatchRecord(match, fields, entries, tuple(refused))


def _key_record(key: bytes, kind: str, value: Any, expires: int) -> KeyRecord:
    values = (value,) if kind == "string" else tuple(value)
    if kind == "zset":
        values = tuple(part for pair in zip(values[1::2], values[::2], strict=True) for part in pair)
    elif kind == "stream":
        values = tuple(part for entry, fields in values for part in (entry, b"%d" % len(fields), *fields))
    return KeyRecord(key, kind, values, expires if expires > 0 else None)
