"""What the rest of the service may ask of the log, and the answers that it gets.

A match is one stream of entries with dense versions. Before any write an append checks, in this order, the command id,
whether the match is closed, the expected version and head, and the limit. Then it writes events, meta, due instant,
command and feed pointer in one atomic step.
"""

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from enum import StrEnum
from typing import Protocol

import msgspec

from domain.entries import StoredEntry
from services.log.event_store.leasing import Fence, Leasing

COMMANDS_KEPT = 16
"""How many accepted commands the store remembers per actor and match."""

ACTORS_KEPT = 32
"""How many actors' commands the store remembers per match before it forgets those who hold nothing there any more."""

REFUSALS_KEPT = 50
"""How many refused commands the store keeps per match."""

ACTS_KEPT = 20
"""How many acts of operators the store keeps beside a match's log."""

META_UNREADABLE = "meta.unreadable"
"""The code for a match's record that cannot be read."""


class Status(StrEnum):
    """Whether a match takes events, and where they are; follows from the log."""

    OPEN = "open"
    CLOSED = "closed"
    """Finished or abandoned: nothing more is appended."""
    ARCHIVED = "archived"
    """Only a tombstone is left; the id is never used again."""


class Append(msgspec.Struct, frozen=True):
    """One command's events, to be appended together or not at all.

    Attributes:
        actor: Who sent the command; command ids are unique per actor.
        command_id: Chosen by the sender; the same id never has two effects.
        fingerprint: Digest of the command's content, without ``If-Match``.
        expected_version: The version at which the events were decided; 0 for a new match.
        expected_head: The chain hash at that version.
        entries: The new entries, from version ``expected_version + 1`` on.
        due: When the match next needs somebody, in milliseconds since the epoch; None for never.
        limit: The highest version that this command may reach.
        holders: Actors whose commands stay remembered however many others come: who holds a seat, or the table.
    """

    match: str
    actor: str
    command_id: str
    fingerprint: str
    expected_version: int
    expected_head: bytes
    entries: tuple[StoredEntry, ...]
    types: tuple[str, ...]
    status: Status
    game: str
    rules: int
    due: int | None
    limit: int
    holders: tuple[str, ...] = ()


class Appended(msgspec.Struct, frozen=True, tag=True):
    """The events are stored, as durably as the store is configured to be."""

    first: int
    last: int


class Duplicate(msgspec.Struct, frozen=True, tag=True):
    """This command was accepted before, with these events. Nothing was written now."""

    first: int
    last: int


class CommandReused(msgspec.Struct, frozen=True, tag=True):
    """The actor used this command id before, for something else. Nothing was written."""

    first: int
    last: int


class Conflict(msgspec.Struct, frozen=True, tag=True):
    """The log has moved on (or back) to this version and head. Nothing was written."""

    version: int
    head: bytes


class Gone(msgspec.Struct, frozen=True, tag=True):
    """The match takes no more events. Nothing was written."""

    status: Status


class LimitReached(msgspec.Struct, frozen=True, tag=True):
    """The events would pass the limit. Nothing was written."""

    version: int
    limit: int


class Adoption(msgspec.Struct, frozen=True):
    """A whole log from elsewhere, to be taken in completely or not at all.

    Attributes:
        entries: Its whole log; empty if the archive keeps its events.
        head: The chain hash after them.
        status: Open or closed for a log with entries; archived for one without.
        due: When an open match next needs somebody, in milliseconds since the epoch; None for never.
        types: The types of the events, each once, for the feed.
    """

    match: str
    entries: tuple[StoredEntry, ...]
    version: int
    head: bytes
    status: Status
    game: str
    rules: int
    due: int | None
    types: tuple[str, ...]


class Healing(Adoption, frozen=True, kw_only=True):
    """A whole log to be put in the place of a damaged one.

    Attributes:
        stamp: What :meth:`EventStore.stamp` said when the damage was looked at.
        first: The first version that is not what it was.
        act: What is kept of the operator's act, beside the log.
    """

    stamp: bytes
    first: int
    act: bytes


Answer = Appended | Duplicate | CommandReused | Conflict | Gone | LimitReached


class KnownCommand(msgspec.Struct, frozen=True):
    """An accepted command that the store remembers."""

    fingerprint: str
    first: int
    last: int


class Meta(msgspec.Struct, frozen=True):
    """What the store knows of a match without reading its events."""

    version: int
    head: bytes
    status: Status
    game: str
    rules: int
    due: int | None


class Pointer(msgspec.Struct, frozen=True):
    """One entry of a shard's feed: a command of a match has reached the log."""

    shard: int
    position: int
    match: str
    first: int
    last: int
    types: tuple[str, ...]


class EventStore(Leasing, Protocol):
    """The log.

    Every method may raise ``StoreUnavailable``, ``Malformed`` for an invalid id or name, and ``ValueError`` for
    arguments that contradict each other. Only ``append`` may raise ``OutcomeUnknown``.
    """

    @property
    def shards(self) -> int:
        """The number of shards, fixed when the store was first used."""

    async def append(self, append: Append) -> Answer:
        """Append a command's events.

        Raises:
            OutcomeUnknown: The connection broke; the events may be stored. Send the same command again to find out.
            BrokenLog: The store contradicts itself; nothing was written.
        """

    async def read(self, match: str, after: int = 0, last: int | None = None) -> list[StoredEntry]:
        """Return the entries with versions above ``after``, up to ``last``; an unknown match has none.

        Raises:
            BrokenLog: An entry is missing, was inserted or cannot be read.
        """

    async def meta(self, match: str) -> Meta | None:
        """Return what the store knows of a match; None if it never existed.

        Raises:
            BrokenLog: The record lacks a field, or has one that cannot be read.
        """

    async def versions(self, matches: Sequence[str]) -> list[int]:
        """Return how far matches are, in the same order, at once; 0 for one without a record, or an unreadable one."""

    async def command(self, match: str, actor: str, command_id: str) -> KnownCommand | None:
        """Return an accepted command if the store still remembers it."""

    def matches(self) -> AsyncIterator[str]:
        """Yield the ids of all matches that have a meta record, in no order, each once."""

    async def feed(self, after: Mapping[int, int], count: int, block: float) -> list[Pointer]:
        """Return the pointers after the given positions, in order within each shard.

        Args:
            after: The last position seen, by shard; other shards are not read.
            count: The most pointers per shard.
            block: Seconds to wait for a pointer if there is none; 0 returns at once.

        Raises:
            FeedGap: Pointers after a position are missing: they were trimmed, or the store lost them.
        """

    async def positions(self) -> dict[int, int]:
        """Return the head position of every shard's feed; 0 where nothing has happened yet."""

    async def secured_positions(self) -> dict[int, int] | None:
        """Return the same, but only what as many replicas as must have it have; None if they do not."""

    async def checkpoint(self, consumer: str, shard: int) -> int | None:
        """Return a consumer's checkpoint; None if it is not registered."""

    async def advance(
        self, consumer: str, shard: int, old: int | None, new: int, fence: Fence | None = None
    ) -> bool:
        """Move a consumer's checkpoint if it still is ``old`` (None registers); tell whether it moved.

        With a fence it moves only if nobody else has taken the lease meanwhile.

        After ``StoreUnavailable`` it may have moved; :meth:`checkpoint` tells.
        """

    async def trim_feed(self, shard: int) -> int:
        """Drop the pointers that all registered consumers have passed (none without consumers); return how many."""

    async def due(
        self, until: int, count: int, shards: Collection[int] | None = None
    ) -> list[tuple[str, int]]:
        """Return matches due at ``until`` or earlier, with their due instants, earliest first.

        Args:
            until: Milliseconds since the epoch.
            count: The most matches per shard.
            shards: Only in these; None for all.
        """

    async def set_due(self, match: str, version: int, due: int | None) -> bool:
        """Set an open match's due instant if its version still is ``version``; tell whether it was set.

        If the match is not open, its entry in the due index is removed.
        """

    async def scheduled(self, match: str) -> int | None:
        """Return a match's instant in the due index, open or not; None if it has none."""

    async def next_due(self, shards: Collection[int] | None = None) -> int | None:
        """Return the earliest due instant of all matches, or of those in some shards."""

    async def record_refusal(self, match: str, refusal: bytes) -> None:
        """Keep a refused command (JSON) of an existing match, among the last :data:`REFUSALS_KEPT`."""

    async def refusals(self, match: str) -> Sequence[bytes]:
        """Return the kept refused commands, oldest first."""

    async def write_tombstone(self, match: str, head: bytes) -> bool:
        """Reduce a closed match, whose archived copy was verified, to a tombstone that keeps its id from being reused.

        Entries, plans, refusals and remembered commands go; version, head, game and rules number stay.

        Returns:
            Whether the tombstone is in place: False if the head differs, or the match is open or unknown. Asking again
            is harmless.
        """

    async def adopt(self, adoption: Adoption) -> bool:
        """Take in a whole log that was written elsewhere, in one step; the feed points to it as to one command.

        Returns:
            Whether it was taken in: False if a match with this id exists or once existed.

        Raises:
            BrokenLog: The store holds entries for this id but no record; nothing was written.
        """

    async def stamp(self, match: str) -> bytes:
        """Return what tells whether a match has moved: its record, and the count and end of its entries."""

    async def heal(self, healing: Healing) -> bool:
        """Put a whole log, and a record that fits it, in the place of what is stored of a match, in one step.

        What the match remembers of commands stays, and the act is kept. The feed points to it as to one command.

        Returns:
            Whether it was put there: False if the match has moved since the stamp was taken.
        """

    async def acts(self, match: str) -> Sequence[bytes]:
        """Return the kept acts of operators on a match's log, among the last :data:`ACTS_KEPT`, oldest first."""

    async def reach(self) -> None:
        """Make sure that the log's server answers; of a cluster, that a part of it does."""

    async def close(self) -> None:
        """Close the connections."""
