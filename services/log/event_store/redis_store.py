"""The log's matches on Redis or Valkey. The feed and the due index are in the neighbouring modules."""

import asyncio
import math
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final, Self

from redis.asyncio.connection import ConnectionPool

from domain.chain import genesis
from domain.entries import StoredEntry
from domain.errors import BrokenLog
from services.errors import OutcomeUnknown, StoreUnavailable, StoreWentBack
from services.log.acknowledged import Acknowledged
from services.log.event_store import keys, scripts
from services.log.event_store.checks import (
    check_append,
    check_command,
    check_match,
    check_number,
    check_refusal,
    due_after,
)
from services.log.event_store.connections import (
    Argument,
    Command,
    Connections,
    NoReply,
    NothingSent,
    Servers,
    StoreRefused,
    answered,
)
from services.log.event_store.contract import (
    ACTORS_KEPT,
    COMMANDS_KEPT,
    META_UNREADABLE,
    REFUSALS_KEPT,
    Answer,
    Append,
    Appended,
    Duplicate,
    KnownCommand,
    Meta,
    Status,
)
from services.log.event_store.installation import settled_shards
from services.log.event_store.patience import Patience
from services.log.event_store.reach import servers_at
from services.log.event_store.redis_due import RedisDue
from services.log.event_store.redis_feed import RedisFeed
from services.log.event_store.redis_leases import RedisLeases
from services.log.event_store.redis_whole import RedisWholeMatches
from services.log.redis_errors import unavailable

_SCAN_COUNT: Final = 1000
_LONG: Final = 64
"""Events, from the first one, that are read on a connection of their own."""
_FIRST_PAUSE: Final = 0.02
_REACHED_WITHIN: Final = 1.0
"""Seconds for a primary that is asked whether it is there: a frozen one must not hide the others."""
_POINTER_BEHIND_FEED: Final = "equal or smaller than the target stream top item"
META_FIELDS: Final = ("version", "head", "status", "game", "rules", "due")
"""The fields of a match's record, in the order in which they are read."""


class RedisEventStore(RedisFeed, RedisDue, RedisLeases, RedisWholeMatches):
    """An event store on a server of Redis 7.0 or later, or Valkey 8 or later, or on a cluster of them.

    Made by :meth:`open` or :meth:`on`.
    """

    acknowledged: Acknowledged | None = None
    """What was acknowledged here; None for a process that cannot tell, or where acknowledged commands may be lost."""

    @classmethod
    async def open(cls, url: str, shards: int | None = None, patience: Patience | None = None) -> Self:
        """Return the store at a URL: ``redis://``, ``rediss://`` or ``unix://``.

        Args:
            url: The server's URL, or that of any node of a cluster.
            shards: The number of shards that the store must have; None for what it has, or 16 for a new one.
            patience: How long to wait for the server.

        Raises:
            ValueError: The URL is not valid.
            StoreUnavailable: The server does not answer.
            InstallationMismatch: The store was set up with other settings.
        """
        return await cls._settled(await servers_at(url, patience or Patience()), shards)

    @classmethod
    async def on(
        cls, pool: ConnectionPool, shards: int | None = None, patience: Patience | None = None
    ) -> Self:
        """Return the store on a connection pool that speaks protocol 2 and decodes nothing; see :meth:`open`."""
        return await cls._settled(Connections(pool, patience or Patience()), shards)

    @classmethod
    async def _settled(cls, connections: Servers, shards: int | None) -> Self:
        try:
            return cls(connections, keys.Keyspace(await settled_shards(connections, shards)))
        except BaseException:
            await connections.close()
            raise

    @property
    def shards(self) -> int:
        """The number of shards, fixed when the store was first used."""
        return self._keyspace.shards

    @property
    def spread(self) -> bool:
        """Whether the log lies on a cluster."""
        return self._connections.spread

    @property
    def replicas(self) -> int:
        """How many replicas must have what is acknowledged."""
        return self._connections.patience.replicas

    async def append(self, append: Append) -> Answer:
        """Append a command's events; see the contract.

        If the reply is lost, the same append is sent again until one comes: the script knows the command by its id and
        carries it out once, in whatever order the two arrive. Every answer stays true even if one of them arrives later
        still: a version once passed does not come back, and a closed match does not reopen.
        """
        check_append(append)
        script_keys, arguments = self._append_call(append)
        clock = asyncio.get_running_loop().time
        until, within, pause = math.inf, self._connections.patience.reply, _FIRST_PAUSE
        while True:
            try:
                return await self._appended(append, script_keys, arguments, within)
            except StoreRefused as failure:
                return await self._answer_after_refusal(append, failure.error, in_doubt=until < math.inf)
            except (NothingSent, NoReply) as failure:
                if isinstance(failure, NoReply):
                    until = min(until, clock() + self._connections.patience.resolve)
                elif until == math.inf:
                    raise StoreUnavailable(str(failure)) from failure
                within = until - clock() - pause
                if within <= 0:
                    raise OutcomeUnknown(str(failure)) from failure
            await asyncio.sleep(pause)
            pause *= 2

    async def _appended(
        self, append: Append, script_keys: tuple[str, ...], arguments: list[Argument], within: float
    ) -> Answer:
        """Run the script; an event is acknowledged once as many replicas have it as must."""
        patience, shard = self._connections.patience, keys.shard_of(append.match, self.shards)
        then = [patience.wait] if patience.replicas else []
        reply, *replicas = await self._connections.run_before(
            then, scripts.APPEND, script_keys, arguments, within + patience.replicated * len(then)
        )
        if reply[0] == b"behind":
            known = self.acknowledged.position(shard) if self.acknowledged is not None else 0
            raise StoreWentBack(f"shard {shard} of the feed ends at {reply[1]}, and stood at {known}")
        answer = scripts.append_answer(reply)
        if then and isinstance(answer, Duplicate):
            # WAIT waits for what its own connection wrote; the first one may have come on another.
            touched: Command = (
                "HSET",
                self._keyspace.of_shard(shard).shard,
                keys.WAITED_FIELD,
                patience.replicas,
            )
            _, *replicas = await self._connections.ask(
                touched, patience.wait, within=within + patience.replicated, line="own"
            )
        if isinstance(answer, Appended | Duplicate) and replicas and replicas[0] < patience.replicas:
            raise OutcomeUnknown(
                f"the log's server has it, and so far {replicas[0]} of {patience.replicas} replicas"
            )
        if isinstance(answer, Appended) and self.acknowledged is not None:
            self.acknowledged.note(shard, reply[3])
        return answer

    def _append_call(self, append: Append) -> tuple[tuple[str, ...], list[Argument]]:
        match_keys, shard_keys = (
            self._keyspace.of_match(append.match),
            self._keyspace.of_shard_of(append.match),
        )
        due = due_after(append)
        arguments: list[Argument] = [
            append.match,
            keys.ACTOR_FIELD + append.actor,
            append.command_id,
            append.fingerprint,
            append.expected_version,
            append.expected_head,
            genesis(append.match),
            append.limit,
            append.status,
            append.game,
            append.rules,
            "" if due is None else due,
            ",".join(append.types),
            COMMANDS_KEPT,
            ACTORS_KEPT,
            "".join(f"{keys.ACTOR_FIELD}{actor} " for actor in (*append.holders, append.actor)),
            0
            if self.acknowledged is None
            else self.acknowledged.position(keys.shard_of(append.match, self.shards)),
        ]
        for entry in append.entries:
            arguments += (entry.e, entry.s, entry.h)
        return (
            match_keys.events,
            match_keys.meta,
            shard_keys.due,
            shard_keys.shard,
            shard_keys.feed,
        ), arguments

    async def _answer_after_refusal(self, append: Append, error: Exception, *, in_doubt: bool) -> Answer:
        reason = str(error)
        if _POINTER_BEHIND_FEED in reason:
            detail = "the feed of the match's shard has positions beyond its counter"
            raise BrokenLog("log.feed_differs", append.expected_version, detail)
        if not in_doubt:
            raise unavailable(error)
        try:
            known = await self.command(append.match, append.actor, append.command_id)
        except StoreUnavailable:
            known = None
        if known is None or known.fingerprint != append.fingerprint:
            # That it is not on record proves nothing: the first one sent may still be on its way.
            raise OutcomeUnknown(reason)
        return Duplicate(known.first, known.last)

    async def read(self, match: str, after: int = 0, last: int | None = None) -> list[StoredEntry]:
        """Return the entries with versions above ``after``, up to ``last``; an unknown match has none.

        Reads in one command, even for the longest match, so that no append or removal comes between two parts.

        Raises:
            BrokenLog: An entry is missing, was inserted or cannot be read.
        """
        check_match(match)
        check_number(after)
        end = "+" if last is None else f"{last}-0"
        command: Command = ("XRANGE", self._keyspace.of_match(match).events, f"{after + 1}-0", end)
        # Others' replies must not wait behind a whole log.
        is_long = after == 0 and (last is None or last > _LONG)
        (rows,) = await self.look([command], line="own" if is_long else "shared")
        return [_entry(version, row) for version, row in enumerate(rows, after + 1)]

    async def meta(self, match: str) -> Meta | None:
        """Return what the store knows of a match; None if it never existed.

        Raises:
            BrokenLog: The record lacks a field, or has one that cannot be read.
        """
        check_match(match)
        fields = await self._read("HMGET", self._keyspace.of_match(match).meta, *META_FIELDS)
        try:
            return meta_of(fields)
        except ValueError as error:
            # Somebody has written something into the record that no release of ours writes.
            raise BrokenLog(META_UNREADABLE, 1, f"{type(error).__name__}: {error}") from error

    async def versions(self, matches: Sequence[str]) -> list[int]:
        """Return how far matches are, in the same order, at once; 0 for one without a record, or an unreadable one."""
        for match in matches:
            check_match(match)
        if not matches:
            return []
        found = await self.look(
            [("HGET", self._keyspace.of_match(match).meta, "version") for match in matches]
        )
        return [int(version) if version and version.isdigit() else 0 for version in found]

    async def command(self, match: str, actor: str, command_id: str) -> KnownCommand | None:
        """Return an accepted command if the store still remembers it."""
        check_match(match)
        check_command(actor, command_id)
        field = keys.ACTOR_FIELD + actor
        records = await self._read("HGET", self._keyspace.of_match(match).meta, field)
        return None if records is None else scripts.find_command(records, command_id)

    async def matches(self) -> AsyncIterator[str]:
        """Yield the ids of all matches that have a meta record, in no order, each once."""
        seen = set[str]()
        async for found in self._scan(keys.META_PATTERN, _SCAN_COUNT):
            for key in found:
                match = keys.match_of(key.decode())
                if match not in seen:  # a scan may return a key twice while the server's table grows
                    seen.add(match)
                    yield match

    async def record_refusal(self, match: str, refusal: bytes) -> None:
        """Keep a refused command (JSON) of an existing match; the oldest ones go."""
        check_match(match)
        check_refusal(refusal)
        match_keys = self._keyspace.of_match(match)
        await self._run(
            scripts.RECORD_REFUSAL, (match_keys.meta, match_keys.refused), (refusal, REFUSALS_KEPT)
        )

    async def refusals(self, match: str) -> Sequence[bytes]:
        """Return the kept refused commands, oldest first."""
        check_match(match)
        kept: list[bytes] = await self._read("LRANGE", self._keyspace.of_match(match).refused, 0, -1)
        return kept

    async def reach(self) -> None:
        """Make sure that the server answers, or some primary of its cluster."""
        if not self._connections.spread:
            await self.next_due()
            return
        with answered():
            await self._connections.ask_each(("PING",), within=_REACHED_WITHIN, some=True)

    async def close(self) -> None:
        """Close the connections."""
        await self._watch.close()
        await self._connections.close()


def meta_of(fields: list[bytes | None]) -> Meta | None:
    """Return what the fields of a record say, asked for in the order of :data:`META_FIELDS`; None for no record.

    Raises:
        BrokenLog: A field is missing.
        ValueError: One cannot be read.
    """
    version, head, status, game, rules, due = fields
    if version is None:
        return None
    if head is None or status is None or game is None or rules is None:
        raise BrokenLog("log.meta_malformed", int(version), "the meta record lacks a field")
    return Meta(
        version=int(version),
        head=head,
        status=Status(status.decode()),
        game=game.decode(),
        rules=int(rules),
        due=None if due is None else int(due),
    )


def _entry(version: int, row: list[Any]) -> StoredEntry:
    entry_id, fields = row
    if entry_id != b"%d-0" % version:
        raise BrokenLog("log.not_dense", version, f"found the entry {entry_id.decode()}")
    match fields:
        case [b"e", e, b"h", h]:
            return StoredEntry(version, e, b"", h)
        case [b"e", e, b"s", s, b"h", h]:
            return StoredEntry(version, e, s, h)
        case _:
            raise BrokenLog("log.entry_malformed", version, f"found the fields {fields[::2]!r}")
