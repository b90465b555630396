"""Watching the service's store from outside: what a request changes, and what must stay hidden."""

import hashlib
import re
from typing import Any, Final, NamedTuple

import msgspec
import redis

from services.log.event_store.keys import Keyspace

_SHARDS: Final = 16
LARGEST_EVENT: Final = 40_000
"""Bytes; the largest honest event holds the whole position that a fork starts from."""

_REFUSALS_KEPT: Final = 50
_HEX: Final = re.compile(rb"[0-9a-f]{64}").fullmatch


class Standing(NamedTuple):
    """The state of the store before or after a request.

    Attributes:
        version: The match's version; 0 for none.
        head: Its head.
        is_open: Whether it takes commands.
        writes: How many writes the store has accepted in all.
        refused: How many refusals of the match are kept.
        last_refusal: The last of them.
    """

    version: int
    head: bytes
    is_open: bool
    writes: int
    refused: int
    last_refusal: bytes

    def writes_unexplained(self, before: "Standing") -> int:
        """Return the number of writes since then, apart from the record of a refusal, which is kept for operators."""
        noted = self.last_refusal != before.last_refusal
        return self.writes - before.writes - noted - (noted and before.refused >= _REFUSALS_KEPT)


class Hidden(NamedTuple):
    """A text that opens something sealed: a salt, or the seed itself.

    Attributes:
        match: The match's id.
        seats: The seats that may have it while the match is open.
    """

    match: str
    seats: tuple[int, ...]


class LogWatch:
    """A client of its own for the log's store."""

    def __init__(self, url: str) -> None:
        self._client: Any = redis.Redis.from_url(url)
        self._keys = Keyspace(_SHARDS)
        self._seen: dict[str, Standing] = {}
        self._writes = 0
        self._read: dict[str, int] = {}
        self._players: dict[str, int] = {}
        self._looked: dict[bytes, Any] = {}
        self.hidden: dict[bytes, Hidden] = {}
        self.closed: set[str] = set()
        self.too_large: list[str] = []

    def standing(self, match: str) -> Standing:
        """Return the state of the store, for one match and as a whole."""
        keys = self._keys.of_match(match or "none")
        with self._client.pipeline(transaction=False) as asked:
            asked.hmget(keys.meta, "version", "head", "status")
            asked.info("persistence")
            asked.llen(keys.refused)
            asked.lindex(keys.refused, -1)
            (version, head, status), told, refused, last = asked.execute()
        self._writes = told["rdb_changes_since_last_save"]
        found = Standing(
            int(version or 0), head or b"", status == b"open", self._writes, refused, last or b""
        )
        self._seen[match] = found
        return found

    def standing_so_far(self, match: str) -> Standing:
        """Return the last known state: nobody but the caller changes anything."""
        known = self._seen.get(match)
        return self.standing(match) if known is None else known._replace(writes=self._writes)

    def follow(self, match: str) -> None:
        """Read the new events of a match's log: what is sealed in them, and who sits where."""
        if not match or match in self.closed:
            return
        after = self._read.get(match, 0)
        for entry_id, fields in self._client.xrange(self._keys.of_match(match).events, min=f"({after}-0"):
            self._read[match] = int(entry_id.split(b"-")[0])
            if len(fields[b"e"]) + len(fields.get(b"s", b"")) > LARGEST_EVENT:
                self.too_large.append(f"event {entry_id.decode()} of {match} is too large")
            envelope = msgspec.json.decode(fields[b"e"])
            if envelope["type"] == "SeatTaken" and "player" in envelope["data"]:
                self._players[envelope["data"]["player"]] = envelope["data"]["seat"]
            for opening in msgspec.json.decode(fields.get(b"s") or b"[]"):
                hidden = Hidden(match, tuple(opening.get("seats", ())))
                self.hidden[opening["salt"].encode()] = hidden
                value = opening["value"]
                if isinstance(value, str) and _HEX(value.encode()):
                    self.hidden[value.encode()] = hidden

    def close(self, match: str) -> None:
        """Forget a match that has ended: everything in it is open."""
        self.closed.add(match)
        self.hidden = {text: hidden for text, hidden in self.hidden.items() if hidden.match != match}

    def look_noted(self) -> bool:
        """Tell whether somebody's look at a table was noted since the last call: the one thing that a read writes."""
        looked = {
            key: self._client.hgetall(key) for key in self._client.scan_iter("tb:people:person:*:looked")
        }
        noted = looked != self._looked
        self._looked = looked
        return noted

    def seats_of(self, session: str, match: str) -> set[int]:
        """Return the seats of a match that the person of a browser's session may look at."""
        stored = hashlib.sha256(session.encode()).hexdigest()
        person = self._client.hget(f"tb:people:session:{stored}", "person") or b""
        row = self._client.hget(f"tb:people:person:{person.decode()}:tables", f"seat:{match}")
        player = msgspec.json.decode(row)["holder"]["player"] if row else ""
        return {self._players[player]} if player in self._players else set()

    def end(self) -> None:
        self._client.close()
