"""Somebody who holds the store and the archive, and what they can do there."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from domain.entries import StoredEntry
from services.log.event_store.keys import Keyspace, shard_of
from tests.kit.log import rechained
from tests.kit.tampering import changed

KEYSPACE = Keyspace(16)
DIGEST = "digests/000001.ndjson"


class Installation(NamedTuple):
    """What an intruder holds.

    Attributes:
        store: A client of the log's server.
        archive: The archive's folder.
    """

    store: Any
    archive: Path

    def meta(self, match: str) -> str:
        return KEYSPACE.of_match(match).meta

    def events(self, match: str) -> str:
        return KEYSPACE.of_match(match).events

    def log(self, match: str) -> list[StoredEntry]:
        return [
            StoredEntry(version, fields[b"e"], fields.get(b"s", b""), fields[b"h"])
            for version, (_, fields) in enumerate(self.store.xrange(self.events(match)), 1)
        ]

    def write(self, match: str, log: list[StoredEntry], *, record: bool = True) -> None:
        """Write a log anew, and a record that fits."""
        self.store.delete(self.events(match))
        for entry in log:
            fields = {"e": entry.e, **({"s": entry.s} if entry.s else {}), "h": entry.h}
            self.store.xadd(self.events(match), fields, id=f"{entry.version}-0")
        if record:
            self.store.hset(self.meta(match), mapping={"version": len(log), "head": log[-1].h})

    def change(self, match: str, change: Callable[[dict[str, Any]], Any], at: int = -1) -> None:
        """Edit an envelope, mend the chain and the record."""
        log = self.log(match)
        log[at] = changed(log[at], change)
        self.write(match, rechained(match, log))

    def row(self, change: Callable[[bytes], bytes | None], match: str) -> None:
        (key,) = self.store.keys(f"tb:{{s{shard_of(match, 16):02}}}:p:matches:*:rows")
        row = change(self.store.hget(key, match))
        self.store.hdel(key, match) if row is None else self.store.hset(key, match, row)

    def digest(self, change: Callable[[list[bytes]], list[bytes]]) -> None:
        file = self.archive / DIGEST
        lines = change(file.read_bytes().splitlines())
        file.chmod(0o600)
        file.write_bytes(b"".join(line + b"\n" for line in lines))

    def pointer(self, match: str, **other: str) -> None:
        """Rewrite a shard's feed with the last pointer to a match changed; without changes it is left out."""
        feed = KEYSPACE.of_shard_of(match).feed
        rows = self.store.xrange(feed)
        place = max(at for at, (_, fields) in enumerate(rows) if fields[b"m"] == match.encode())
        self.store.delete(feed)
        for at, (entry_id, fields) in enumerate(rows):
            if at != place or other:
                changed = {name.encode(): value for name, value in other.items()} if at == place else {}
                self.store.xadd(feed, {**fields, **changed}, id=entry_id)
