"""Looking at all matches from outside, shard by shard: what their records, the lists, the archive and the feed say.

Nothing is folded. What agrees is good; what does not, and every log that is in the store, is named for a closer look.
In memory are the ids of all matches, some twenty bytes each, and the records of one shard.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from itertools import islice
from math import inf
from typing import Final

import msgspec
import redis.asyncio

from domain.errors import BrokenLog
from services.audit.digests import Digests
from services.log.archive.closed_matches import ClosedMatches
from services.log.archive.errors import ArchiveUnavailable
from services.log.archive.shelf import FOLDERS, Archive
from services.log.event_store.checks import GREATEST_NUMBER
from services.log.event_store.connections import Command
from services.log.event_store.contract import EventStore, Meta, Status
from services.log.event_store.keys import PREFIX, Keyspace, match_of
from services.log.event_store.redis_store import META_FIELDS, meta_of
from services.log.redis_errors import available
from services.projections.generations import Generations
from services.projections.keys import RowSet
from services.projections.list_reader import Look
from services.projections.matches import head_mark, stamp_of
from services.watch.doctor.archive import CopyFacts, copy_facts, judge_copies
from services.watch.doctor.archive_rounds import Turn
from services.watch.doctor.diagnosis import Diagnosis, act
from services.watch.doctor.lost_matches import lost_matches, mentions
from services.watch.doctor.match_ids import MatchIds
from services.watch.doctor.published_heads import PublishedHeads, judge_heads
from services.watch.match_facts import MatchFacts, missing

_ALL: Final = 1_000_000
_AT_ONCE: Final = 500
_KEYS: Final = f"{PREFIX}{{s*}}:m:*"
_RECORD, _EVENTS = ":meta", ":ev"


class Surveyed(msgspec.Struct, frozen=True):
    """What looking at the matches of one shard came to.

    Attributes:
        suspects: Matches of which something does not agree.
        others: Matches whose logs are in the store, and of which all agrees so far.
        good: How many more there are: archived ones, of which all agrees.
    """

    suspects: tuple[str, ...]
    others: tuple[str, ...]
    good: int

    @property
    def total(self) -> int:
        """How many matches there are."""
        return len(self.suspects) + len(self.others) + self.good


class Survey(msgspec.Struct, frozen=True):
    """What looking at all matches came to.

    Attributes:
        shards: By shard, which matches are to be looked at closely.
        strays: What the store has of matches of which it has no record.
        findings: What concerns the archive, digests, and matches that are gone.
        unlisted: The first shard of which there was no time to list the archive's files; None for none.
    """

    shards: tuple[Surveyed, ...]
    strays: tuple[MatchFacts, ...]
    findings: tuple[Diagnosis, ...]
    unlisted: int | None = None

    @property
    def total(self) -> int:
        """How many matches there are."""
        return sum(one.total for one in self.shards)


class Grounds(msgspec.Struct, frozen=True):
    """What is surveyed.

    Attributes:
        store: The log, with the archive behind it.
        look: Asks its server.
        client: A client of the same server.
        now: Milliseconds since the epoch.
        every: Whether to name every match for a closer look, and read all digests.
        first: The shard to begin with.
        listing: For how many seconds the archive's files are listed.
    """

    store: EventStore
    look: Look
    client: "redis.asyncio.Redis"
    archive: Archive
    digests: Digests
    closed: ClosedMatches
    now: int
    every: bool = False
    first: int = 0
    listing: float = inf


async def survey(grounds: Grounds, turn: Turn | None, told: Callable[[str], None]) -> Survey:
    """Look at all matches from outside.

    Args:
        grounds: What to look at.
        turn: Takes all archived matches; None where their files are not read in turn.
        told: Is told how far it is.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    known, with_events = await _ids(grounds.client, grounds.store.shards, told)
    surveyor = _Surveyor(grounds, turn)
    await surveyor.begin()
    surveyed: dict[int, Surveyed] = {}
    count = grounds.store.shards
    for shard in ((grounds.first + number) % count for number in range(count)):
        surveyed[shard] = await surveyor.shard(shard, known.of(shard), with_events.of(shard))
        told(f"{len(surveyed)} of {count} shards compared, of {len(known)} matches")
    findings = await surveyor.end()
    shards = tuple(surveyed[shard] for shard in range(count))
    return Survey(shards, tuple(surveyor.strays), tuple(findings), surveyor.unlisted)


class _Surveyor:
    """Looks at one shard after the other."""

    def __init__(self, grounds: Grounds, turn: Turn | None) -> None:
        self._grounds: Final = grounds
        self._turn: Final = turn
        self._rows: RowSet | None = None
        self._heads: PublishedHeads | None = None
        self._copies: MatchIds | None = None
        self._away: ArchiveUnavailable | None = None
        self._facts = CopyFacts()
        self._lost: Final[list[Diagnosis]] = []
        self._listed_for = 0.0
        self._left = 0
        self.unlisted: int | None = None
        self.strays: Final[list[MatchFacts]] = []

    async def begin(self) -> None:
        """Read what all shards are held against."""
        grounds = self._grounds
        generation = (await Generations(grounds.client, grounds.store.shards).standing()).current
        self._rows = None if generation is None else RowSet(Keyspace(grounds.store.shards), generation)
        try:
            self._heads = await PublishedHeads.read(
                grounds.digests, await grounds.closed.noted_digest(), every=grounds.every
            )
        except ArchiveUnavailable as error:
            self._away = error

    async def shard(self, shard: int, known: Sequence[str], with_events: Sequence[str]) -> Surveyed:
        """Look at the matches of a shard."""
        grounds = self._grounds
        scheduled = dict(await grounds.store.due(GREATEST_NUMBER, _ALL, (shard,)))
        metas: dict[str, Meta | None] = {}
        suspects, others, good = list[str](), list[str](), 0
        async for match, meta, row in self._records(known):
            metas[match] = meta
            if grounds.every or not _agrees(meta, scheduled.get(match), row):
                suspects.append(match)
            elif meta is not None and meta.status is Status.ARCHIVED:
                good += 1
            else:
                others.append(match)
        if self._turn is not None:
            archived = (match for match, meta in metas.items() if meta and meta.status is Status.ARCHIVED)
            self._turn.offer(archived)
        await self._find_strays(metas, scheduled, with_events)
        if self._away is None:
            try:
                await self._compare(shard, metas)
            except ArchiveUnavailable as error:
                self._away = error
        return Surveyed(tuple(suspects), tuple(others), good)

    async def end(self) -> list[Diagnosis]:
        """Return what all shards together came to."""
        if self._away is not None or self._heads is None:
            return [_unavailable(self._grounds.archive, self._away)]
        heads = await self._heads.rest(self._grounds.store)
        return [*self._lost, *judge_copies(self._facts, left=self._left), *judge_heads(heads)]

    async def _records(self, known: Sequence[str]) -> AsyncIterator[tuple[str, Meta | None, bytes | None]]:
        """Yield matches with their records, None for one that cannot be read, and their rows."""
        remaining, keyspace, rows = iter(known), Keyspace(self._grounds.store.shards), self._rows
        while some := list(islice(remaining, _AT_ONCE)):
            commands: list[Command] = [
                ("HMGET", keyspace.of_match(match).meta, *META_FIELDS) for match in some
            ]
            if rows is not None:
                commands.append(("HMGET", rows.rows(rows.shard_of(some[0])), *some))
            answers = await self._grounds.look(commands)
            found: Sequence[bytes | None] = answers[len(some)] if rows is not None else [None] * len(some)
            for match, fields, row in zip(some, answers[: len(some)], found, strict=True):
                yield match, _record(fields), row

    async def _find_strays(
        self, metas: Mapping[str, Meta | None], scheduled: Mapping[str, int], with_events: Sequence[str]
    ) -> None:
        """Find entries of the due index, and events, whose match has no record."""
        store, now = self._grounds.store, self._grounds.now
        for match, due in scheduled.items():
            if match not in metas and await _is_unknown(store, match):
                self.strays.append(MatchFacts(match, now, scheduled=due))
        for match in with_events:
            if match not in metas and await _is_unknown(store, match):
                self.strays.append(MatchFacts(match, now, verdict=missing(match)))

    async def _compare(self, shard: int, metas: Mapping[str, Meta | None]) -> None:
        """Hold the records of a shard against the archive, the digests, and all that knows of its matches."""
        grounds, statuses = self._grounds, {match: meta.status for match, meta in metas.items() if meta}
        listed = await self._listed(shard)
        if listed is None:
            self._left += sum(status is Status.ARCHIVED for status in statuses.values())
        # A record that cannot be read is still a match that the store knows of.
        copies = frozenset(listed or ()) - {match for match, meta in metas.items() if not meta}
        for match in copies:
            if statuses.get(match, Status.OPEN) is Status.OPEN:
                # Perhaps it came to its end, and here, while we looked.
                present = await grounds.store.meta(match)
                statuses |= {match: present.status} if present is not None else {}
        if listed is not None:
            self._facts = self._facts.and_also(copy_facts(statuses, copies))
        if self._heads is not None:
            await self._heads.compare(grounds.store, metas)
        mentioned = mentions(grounds.client, grounds.store.shards, shard, grounds.closed, copies)
        self._lost.extend(await lost_matches(grounds.store, metas, mentioned))

    async def _listed(self, shard: int) -> list[str] | None:
        """Return the matches of a shard of which the archive has files; None if there is no time to list them."""
        if self.unlisted is not None or self._listed_for >= self._grounds.listing:
            self.unlisted = shard if self.unlisted is None else self.unlisted
            return None
        begun = time.monotonic()
        found = await self._copies_of(shard)
        self._listed_for += time.monotonic() - begun
        return found

    async def _copies_of(self, shard: int) -> list[str]:
        """Return the matches of a shard of which the archive has files."""
        shards, archive = self._grounds.store.shards, self._grounds.archive
        if FOLDERS % shards == 0:
            # Each may be a request to a bucket.
            some = await asyncio.gather(*map(archive.matches, range(shard, FOLDERS, shards)))
            return [match for found in some for match in found]
        if self._copies is None:
            # With such a number of shards, each folder has matches of several.
            self._copies = MatchIds(shards)
            for folder in range(FOLDERS):
                for match in await archive.matches(folder):
                    self._copies.add(match)
        return self._copies.of(shard)


def _agrees(meta: Meta | None, scheduled: int | None, row: bytes | None) -> bool:
    """Tell whether a match's record, its place in the due index and its row fit together."""
    if meta is None or scheduled != meta.due:
        return False
    if meta.status is not Status.ARCHIVED or row is None:
        return True
    try:
        stamp = stamp_of(row)
    except msgspec.MsgspecError:
        return False
    return (stamp.version, stamp.head) == (meta.version, head_mark(meta.head))


def _record(fields: list[bytes | None]) -> Meta | None:
    try:
        return meta_of(fields)
    except (ValueError, BrokenLog):
        return None


async def _is_unknown(store: EventStore, match: str) -> bool:
    # It may have been made since the records were read.
    return await store.meta(match) is None


async def _ids(
    client: "redis.asyncio.Redis", shards: int, told: Callable[[str], None]
) -> tuple[MatchIds, MatchIds]:
    """Return the matches with records, and those with events."""
    known, with_events = MatchIds(shards), MatchIds(shards)
    told("listing the matches")
    with available():
        async for key in client.scan_iter(match=_KEYS, count=1000):
            name = key.decode(errors="backslashreplace")
            if name.endswith(_RECORD):
                known.add(match_of(name))
            elif name.endswith(_EVENTS):
                with_events.add(match_of(name))
    return known, with_events


def _unavailable(archive: Archive, error: ArchiveUnavailable | None) -> Diagnosis:
    return act(
        "archive.unavailable",
        f"The archive {archive.storage} does not answer: {error}.",
        "Archived matches cannot be looked at, and finished ones stay in memory.",
        "Is TABLEE_ARCHIVE what it was, is its disk mounted, can this user read and write there?",
    )
