"""The event store's model: the contract in plain Python.

It answers as the Redis adapter does; the conformance suite compares the two step by step.
"""

import asyncio
import time
from collections import deque
from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from typing import Final, NamedTuple

import msgspec

from domain.chain import genesis
from domain.entries import StoredEntry
from services.log.event_store.checks import (
    check_adoption,
    check_append,
    check_command,
    check_consumer,
    check_healing,
    check_match,
    check_number,
    check_refusal,
    due_after,
)
from services.log.event_store.contract import (
    ACTORS_KEPT,
    ACTS_KEPT,
    COMMANDS_KEPT,
    REFUSALS_KEPT,
    Adoption,
    Answer,
    Append,
    Appended,
    CommandReused,
    Conflict,
    Duplicate,
    Gone,
    Healing,
    KnownCommand,
    LimitReached,
    Meta,
    Pointer,
    Status,
)
from services.log.event_store.errors import FeedGap
from services.log.event_store.keys import Keyspace, shard_of
from services.log.event_store.leasing import Fence


class _Match(msgspec.Struct):
    meta: Meta
    entries: list[StoredEntry] = []
    commands: dict[str, dict[str, KnownCommand]] = {}
    refusals: deque[bytes] = msgspec.field(default_factory=lambda: deque(maxlen=REFUSALS_KEPT))


class _Shard(msgspec.Struct):
    position: int = 0
    feed: list[Pointer] = []
    checkpoints: dict[str, int] = {}


class _Lease(NamedTuple):
    number: int
    until: float
    holder: str


_NEVER: Final = _Lease(0, 0.0, "")


def _forget_strangers(known: _Match, append: Append) -> None:
    """Forget who holds nothing here any more once there are too many actors, the ones silent for longest first."""
    strangers = known.commands.keys() - {*append.holders, append.actor}
    by_silence = sorted(strangers, key=lambda actor: max(one.last for one in known.commands[actor].values()))
    for actor in by_silence[: max(0, len(known.commands) - ACTORS_KEPT)]:
        del known.commands[actor]


class MemoryEventStore:
    """An event store in memory, empty at the start. Safe within one event loop.

    Every method that goes to the server in the real adapter first yields to other tasks, then works without yielding:
    the same freedom to interleave, and the same atomic steps.
    """

    def __init__(self, shards: int = 16) -> None:
        self._shards: Final = [_Shard() for _ in range(Keyspace(shards).shards)]
        self._matches: Final[dict[str, _Match]] = {}
        self._acts: Final[dict[str, deque[bytes]]] = {}
        self._news: Final = asyncio.Condition()
        self._members: Final[dict[str, float]] = {}
        self._leases: Final[dict[tuple[int, str], _Lease]] = {}

    @property
    def shards(self) -> int:
        """The number of shards."""
        return len(self._shards)

    async def append(self, append: Append) -> Answer:
        """Append a command's events; see the contract."""
        check_append(append)
        await asyncio.sleep(0)
        refusal = self._refusal(append)
        if refusal is not None:
            return refusal
        first, last = append.entries[0].version, append.entries[-1].version
        meta = Meta(last, append.entries[-1].h, append.status, append.game, append.rules, due_after(append))
        known = self._matches.setdefault(append.match, _Match(meta))
        known.meta = meta
        known.entries.extend(append.entries)
        is_new = append.actor not in known.commands
        commands = known.commands.setdefault(append.actor, {})
        commands[append.command_id] = KnownCommand(append.fingerprint, first, last)
        if len(commands) > COMMANDS_KEPT:
            del commands[next(iter(commands))]
        if is_new:
            _forget_strangers(known, append)
        await self._point_to(append, first, last)
        return Appended(first, last)

    def _refusal(self, append: Append) -> Answer | None:
        known = self._matches.get(append.match)
        if known is not None:
            command = known.commands.get(append.actor, {}).get(append.command_id)
            if command is not None:
                same = command.fingerprint == append.fingerprint
                return (Duplicate if same else CommandReused)(command.first, command.last)
            if known.meta.status is not Status.OPEN:
                return Gone(known.meta.status)
        version, head = (known.meta.version, known.meta.head) if known else (0, genesis(append.match))
        if (version, head) != (append.expected_version, append.expected_head):
            return Conflict(version, head)
        if version + len(append.entries) > append.limit:
            return LimitReached(version, append.limit)
        return None

    async def _point_to(self, append: Append | Adoption, first: int, last: int) -> None:
        number = shard_of(append.match, self.shards)
        shard = self._shards[number]
        shard.position += 1
        shard.feed.append(Pointer(number, shard.position, append.match, first, last, append.types))
        async with self._news:
            self._news.notify_all()

    async def read(self, match: str, after: int = 0, last: int | None = None) -> list[StoredEntry]:
        """Return the entries with versions above ``after``, up to ``last``; an unknown match has none."""
        check_match(match)
        check_number(after)
        await asyncio.sleep(0)
        known = self._matches.get(match)
        return known.entries[after:last] if known else []

    async def meta(self, match: str) -> Meta | None:
        """Return what the store knows of a match; None if it never existed."""
        check_match(match)
        await asyncio.sleep(0)
        known = self._matches.get(match)
        return known.meta if known else None

    async def versions(self, matches: Sequence[str]) -> list[int]:
        """Return how far matches are, in the same order; 0 for one without a record."""
        found = [await self.meta(match) for match in matches]
        return [meta.version if meta else 0 for meta in found]

    async def command(self, match: str, actor: str, command_id: str) -> KnownCommand | None:
        """Return an accepted command if the store still remembers it."""
        check_match(match)
        check_command(actor, command_id)
        await asyncio.sleep(0)
        known = self._matches.get(match)
        return known.commands.get(actor, {}).get(command_id) if known else None

    async def matches(self) -> AsyncIterator[str]:
        """Yield the ids of all matches that have a meta record, in no order, each once."""
        for match in tuple(self._matches):
            await asyncio.sleep(0)
            yield match

    async def feed(self, after: Mapping[int, int], count: int, block: float) -> list[Pointer]:
        """Return the pointers after the given positions, in order within each shard; see the contract."""
        await asyncio.sleep(0)
        pointers = self._behind(after, count)
        if pointers or not after or block <= 0:
            return pointers
        try:
            async with asyncio.timeout(block), self._news:
                while not pointers:
                    await self._news.wait()
                    pointers = self._behind(after, count)
        except TimeoutError:
            return []
        return pointers

    def _behind(self, after: Mapping[int, int], count: int) -> list[Pointer]:
        pointers = []
        for number in sorted(after):
            feed = [pointer for pointer in self._shards[number].feed if pointer.position > after[number]][
                :count
            ]
            if feed and feed[0].position != after[number] + 1:
                raise FeedGap(number, after[number] + 1, feed[0].position)
            pointers += feed
        return pointers

    async def reach(self) -> None:
        """Answer, unless a test says that nobody does."""
        await self.next_due()

    async def secured_positions(self) -> dict[int, int] | None:
        """Return the positions: no replica must have anything."""
        return await self.positions()

    async def positions(self) -> dict[int, int]:
        """Return the head position of every shard's feed; 0 where nothing has happened."""
        await asyncio.sleep(0)
        return {number: shard.position for number, shard in enumerate(self._shards)}

    async def checkpoint(self, consumer: str, shard: int) -> int | None:
        """Return a consumer's checkpoint; None if it is not registered."""
        check_consumer(consumer)
        await asyncio.sleep(0)
        return self._shards[shard].checkpoints.get(consumer)

    async def advance(
        self, consumer: str, shard: int, old: int | None, new: int, fence: Fence | None = None
    ) -> bool:
        """Move a consumer's checkpoint if it still is ``old`` (None registers); tell whether it moved."""
        check_consumer(consumer)
        check_number(old or 0)
        check_number(new)
        await asyncio.sleep(0)
        held = self._leases.get((shard, fence.duty)) if fence is not None else None
        if fence is not None and (held is None or held.number != fence.number):
            return False
        checkpoints = self._shards[shard].checkpoints
        if checkpoints.get(consumer) != old:
            return False
        checkpoints[consumer] = new
        return True

    async def trim_feed(self, shard: int) -> int:
        """Drop the pointers that all registered consumers have passed (none without consumers); return how many."""
        await asyncio.sleep(0)
        one = self._shards[shard]
        before = len(one.feed)
        lowest = min(one.checkpoints.values(), default=0)
        one.feed = [pointer for pointer in one.feed if pointer.position > lowest]
        return before - len(one.feed)

    async def join(self, member: str, seconds: float, gone: Sequence[str] = ()) -> list[str]:
        """Note that a member lives; see the contract."""
        await asyncio.sleep(0)
        now = time.monotonic()
        self._members[member] = now + seconds
        for one, until in list(self._members.items()):
            if one in gone or until <= now:
                del self._members[one]
        return sorted(self._members)

    async def leave(self, member: str) -> None:
        """Note that a member shares the work no more."""
        await asyncio.sleep(0)
        self._members.pop(member, None)

    async def lease(
        self, member: str, seconds: float, wanted: Mapping[int, Sequence[str]], gone: Sequence[str] = ()
    ) -> dict[int, dict[str, int]]:
        """Renew, take and give back leases; see the contract."""
        await asyncio.sleep(0)
        now = time.monotonic()
        found: dict[int, dict[str, int]] = {shard: {} for shard in range(self.shards)}
        for shard, duties in wanted.items():
            for duty in duties:
                number, until, holder = self._leases.get((shard, duty), _NEVER)
                if holder == member or holder in gone or until <= now:
                    number += holder != member
                    self._leases[shard, duty] = _Lease(number, now + seconds, member)
                    found[shard][duty] = number
        for (shard, duty), lease in self._leases.items():
            if lease.holder == member and duty not in wanted.get(shard, ()):
                self._leases[shard, duty] = lease._replace(until=0.0)
        return found

    async def due(
        self, until: int, count: int, shards: Collection[int] | None = None
    ) -> list[tuple[str, int]]:
        """Return matches due at ``until`` or earlier, at most ``count`` per shard, earliest first."""
        check_number(until)
        await asyncio.sleep(0)
        found = sorted((due, match) for match, due in self._dues(shards) if due <= until)
        taken = [0] * self.shards
        chosen = []
        for due, match in found:
            shard = shard_of(match, self.shards)
            if taken[shard] < count:
                taken[shard] += 1
                chosen.append((match, due))
        return chosen

    def _dues(self, shards: Collection[int] | None) -> list[tuple[str, int]]:
        return [
            (match, known.meta.due)
            for match, known in self._matches.items()
            if known.meta.due is not None and (shards is None or shard_of(match, self.shards) in shards)
        ]

    async def set_due(self, match: str, version: int, due: int | None) -> bool:
        """Set an open match's due instant if its version still is ``version``; tell whether it was set."""
        check_match(match)
        check_number(version)
        check_number(due or 0)
        await asyncio.sleep(0)
        known = self._matches.get(match)
        if known is None or known.meta.version != version or known.meta.status is not Status.OPEN:
            return False
        known.meta = msgspec.structs.replace(known.meta, due=due)
        return True

    async def scheduled(self, match: str) -> int | None:
        """Return a match's instant in the due index; None if it has none."""
        check_match(match)
        await asyncio.sleep(0)
        known = self._matches.get(match)
        return known.meta.due if known else None

    async def next_due(self, shards: Collection[int] | None = None) -> int | None:
        """Return the earliest due instant of all matches, or of those in some shards."""
        await asyncio.sleep(0)
        return min((due for _, due in self._dues(shards)), default=None)

    async def record_refusal(self, match: str, refusal: bytes) -> None:
        """Keep a refused command (JSON) of an existing match; the oldest ones go."""
        check_match(match)
        check_refusal(refusal)
        await asyncio.sleep(0)
        known = self._matches.get(match)
        if known is not None and known.meta.status is not Status.ARCHIVED:
            known.refusals.append(refusal)

    async def refusals(self, match: str) -> Sequence[bytes]:
        """Return the kept refused commands, oldest first."""
        check_match(match)
        await asyncio.sleep(0)
        known = self._matches.get(match)
        return tuple(known.refusals) if known else ()

    async def write_tombstone(self, match: str, head: bytes) -> bool:
        """Reduce a closed match to a tombstone; see the contract."""
        check_match(match)
        await asyncio.sleep(0)
        known = self._matches.get(match)
        if known is None or known.meta.status is Status.OPEN or known.meta.head != head:
            return False
        self._matches[match] = _Match(msgspec.structs.replace(known.meta, status=Status.ARCHIVED, due=None))
        return True

    async def adopt(self, adoption: Adoption) -> bool:
        """Take in a whole log that was written elsewhere; see the contract."""
        check_adoption(adoption)
        await asyncio.sleep(0)
        if adoption.match in self._matches:
            return False
        due = due_after(adoption)
        meta = Meta(adoption.version, adoption.head, adoption.status, adoption.game, adoption.rules, due)
        self._matches[adoption.match] = _Match(meta, list(adoption.entries))
        await self._point_to(adoption, 1, adoption.version)
        return True

    async def stamp(self, match: str) -> bytes:
        """Return what tells whether a match has moved; see the contract."""
        check_match(match)
        await asyncio.sleep(0)
        known = self._matches.get(match)
        if known is None:
            return b"nothing"
        meta = known.meta
        return b"%d %b %b %d" % (meta.version, meta.head, meta.status.encode(), len(known.entries))

    async def heal(self, healing: Healing) -> bool:
        """Put a whole log in the place of a damaged one; see the contract."""
        check_healing(healing)
        if await self.stamp(healing.match) != healing.stamp:
            return False
        due = due_after(healing)
        meta = Meta(healing.version, healing.head, healing.status, healing.game, healing.rules, due)
        known = self._matches.setdefault(healing.match, _Match(meta))
        known.meta, known.entries = meta, list(healing.entries)
        self._acts.setdefault(healing.match, deque(maxlen=ACTS_KEPT)).append(healing.act)
        await self._point_to(healing, healing.first, healing.version)
        return True

    async def acts(self, match: str) -> Sequence[bytes]:
        """Return the kept acts of operators, oldest first."""
        check_match(match)
        await asyncio.sleep(0)
        return list(self._acts.get(match, ()))

    async def close(self) -> None:
        """Do nothing: there are no connections."""
