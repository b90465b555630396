"""The independent checker: reads the log with a plain Redis client and knows only the documented format.

It uses no code of the service. What it knows:

* ``tb:{sNN}:m:<id>:ev`` is a stream; entry ids are ``<version>-0``, dense from ``1-0``; ``e`` is the envelope (JSON),
  ``h`` the chain hash: h(0) = SHA-256("tablee/1 " + match id), h(n) = SHA-256(h(n-1) + e(n)).
* An envelope carries its version ``v``, its instant ``at``, ``actor``, ``door`` and ``command: {id, from, to}``.
* ``tb:{sNN}:m:<id>:meta`` is a hash with ``version`` and ``head``.
* ``tb:{sNN}:feed`` is a stream of pointers (``m`` match, ``f`` from, ``t`` to), ids ``<position>-0``, dense up to
  ``position`` of ``tb:{sNN}:shard``; pointers that every consumer has read may be gone.
* A bot's command id is ``bot-<match>-<version at which it was asked>-<seat>``.
"""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, NamedTuple, Protocol

from redis import Redis, RedisCluster

from tests.faults.linearizable import MatchLog

_BOT_COMMAND = re.compile(r"bot-(?P<match>.+)-(?P<asked_at>\d+)-(?P<seat>\d+)").fullmatch


class Promise(Protocol):
    """A command that a client was told is done. Without an id, only its last version is known."""

    @property
    def match(self) -> str: ...
    @property
    def command_id(self) -> str: ...
    @property
    def first(self) -> int: ...
    @property
    def last(self) -> int: ...


class BotTurn(NamedTuple):
    """A turn that a bot was asked for, and played.

    Attributes:
        match: The match's id.
        asked_at: The version at which it was asked.
        played_at: The version of its move.
        seconds: The time between them.
        forced: Whether the clock made the fallback move for it.
    """

    match: str
    asked_at: int
    played_at: int
    seconds: float
    forced: bool


class Findings(NamedTuple):
    """What is wrong with a log, in words; empty lists if all is well.

    Attributes:
        matches: How many matches were read.
        events: How many events.
        lost: Acknowledged commands that are not in the log as acknowledged.
        doubled: Commands that are in the log twice.
        broken: Versions that are not dense, chains that do not link, records that contradict the log.
        bot_turns: Every turn that a bot played.
        logs: What stands in each match, by its id.
    """

    matches: int
    events: int
    lost: list[str]
    doubled: list[str]
    broken: list[str]
    bot_turns: list[BotTurn]
    logs: dict[str, MatchLog]

    @property
    def longest_bot_turn(self) -> float:
        return max((turn.seconds for turn in self.bot_turns), default=0.0)


class _Event(NamedTuple):
    version: int
    envelope: dict[str, Any]
    head: str

    @property
    def command(self) -> tuple[str, str]:
        """The actor and the command id, which is unique per actor."""
        return self.envelope["actor"], self.envelope["command"]["id"]

    @property
    def range(self) -> tuple[int, int]:
        return self.envelope["command"]["from"], self.envelope["command"]["to"]


def check_log(url: str, promises: Iterable[Promise]) -> Findings:
    """Read every match of a log and compare it with what was promised."""
    broken: list[str] = []
    with plain_client(url) as client:
        logs = dict(_logs(client, broken))
        _check_feeds(client, logs, broken)
    doubled = [finding for match, events in logs.items() for finding in _doubled(match, events)]
    for match, events in logs.items():
        broken += _torn_commands(match, events)
    lost = [finding for promise in promises for finding in _lost(promise, logs.get(promise.match, []))]
    turns = [turn for match, events in logs.items() for turn in _bot_turns(match, events)]
    stood = {match: _stood(events) for match, events in logs.items()}
    return Findings(len(logs), sum(map(len, logs.values())), lost, doubled, broken, turns, stood)


def plain_client(url: str) -> "Redis | RedisCluster":
    """Return the client library's own client of a server, or of the cluster that it belongs to."""
    alone = Redis.from_url(url)
    if alone.info("cluster").get("cluster_enabled") != 1:
        return alone
    alone.close()
    return RedisCluster.from_url(url)


def _logs(client: Any, broken: list[str]) -> Iterator[tuple[str, list[_Event]]]:
    for key in sorted(client.scan_iter(match="tb:{s*}:m:*:ev", count=1000)):
        match = key.decode().split(":")[3]
        chain, events = hashlib.sha256(b"tablee/1 " + match.encode()).digest(), []
        for number, (entry_id, fields) in enumerate(client.xrange(key), 1):
            envelope = json.loads(fields[b"e"])
            chain = hashlib.sha256(chain + fields[b"e"]).digest()
            if entry_id != b"%d-0" % number or envelope["v"] != number:
                broken.append(f"{match}: entry {number} is {entry_id.decode()} and says {envelope['v']}")
            if fields[b"h"] != chain:
                broken.append(f"{match}: the chain breaks at version {number}")
            events.append(_Event(number, envelope, chain.hex()))
        version, head = client.hmget(key.removesuffix(b"ev") + b"meta", "version", "head")
        if version != b"%d" % len(events) or head != chain:
            broken.append(f"{match}: meta says version {version}, the log has {len(events)}")
        yield match, events


def _check_feeds(client: Any, logs: dict[str, list[_Event]], broken: list[str]) -> None:
    for key in client.scan_iter(match="tb:{s*}:feed", count=1000):
        name, pointers = key.decode(), client.xrange(key)
        head = int(client.hget(name.removesuffix("feed") + "shard", "position") or 0)
        for position, (entry_id, fields) in enumerate(pointers, head - len(pointers) + 1):
            if entry_id != b"%d-0" % position:
                broken.append(f"{name}: position {position} is {entry_id.decode()}")
            first, last = int(fields[b"f"]), int(fields[b"t"])
            events = logs.get(fields[b"m"].decode(), [])
            if last > len(events) or events[first - 1].range != (first, last):
                broken.append(f"{name}: {entry_id.decode()} points to {first} to {last}, which is no command")


def _stood(events: list[_Event]) -> MatchLog:
    return MatchLog(
        {event.command[1]: event.range for event in events}, tuple(event.head for event in events)
    )


def _doubled(match: str, events: list[_Event]) -> Iterator[str]:
    ranges: dict[tuple[str, str], set[tuple[int, int]]] = {}
    for event in events:
        ranges.setdefault(event.command, set()).add(event.range)
    for (actor, command_id), found in ranges.items():
        if len(found) > 1:
            yield f"{match}: {command_id} of {actor} stands at {sorted(found)}"


def _torn_commands(match: str, events: list[_Event]) -> Iterator[str]:
    """Yield where a command's events are not contiguous from its first version to its last."""
    number = 0
    while number < len(events):
        first, last = events[number].range
        whole = events[number:last]
        if (
            first != number + 1
            or last > len(events)
            or {event.command for event in whole} != {events[number].command}
        ):
            yield f"{match}: the command at version {number + 1} says {first} to {last}"
            return
        number = last


def _lost(promise: Promise, events: list[_Event]) -> Iterator[str]:
    if promise.last > len(events):
        yield f"{promise.match}: version {promise.last} was acknowledged, the log ends at {len(events)}"
        return
    event = events[promise.last - 1]
    wanted = (promise.first, promise.last)
    if not promise.command_id:
        if event.range[1] != promise.last:
            yield f"{promise.match}: version {promise.last} was acknowledged and ends no command"
    elif event.command[1] != promise.command_id or event.range != wanted:
        yield f"{promise.match}: {promise.command_id} was acknowledged at {wanted}, there is {event.command[1]}"


def _bot_turns(match: str, events: list[_Event]) -> Iterator[BotTurn]:
    for event in events:
        named = _BOT_COMMAND(event.command[1]) if event.range[0] == event.version else None
        if named is None:
            continue
        asked_at = int(named["asked_at"])
        asked = datetime.fromisoformat(events[asked_at - 1].envelope["at"])
        played = datetime.fromisoformat(event.envelope["at"])
        forced = event.envelope.get("note") in ("fallback", "hurried")
        yield BotTurn(match, asked_at, event.version, (played - asked).total_seconds(), forced)
