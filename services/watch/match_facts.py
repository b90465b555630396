"""Gathering what a match is judged by, while others write to it."""

from collections.abc import Sequence
from typing import Final

import msgspec

from domain.entries import StoredEntry
from domain.errors import BrokenLog
from domain.match.fold import Position, beginning, fold_named
from domain.match.verification import Verdict, verified, verify_chain
from services.errors import NoSuchMatch
from services.log.event_store.contract import EventStore, Meta, Status
from services.log.proof import Readable, judged, read_what_can_be
from services.projections.standing import DeadLetter
from services.watch.kept_records import KeptRecord

_ATTEMPTS: Final = 5


class MatchFacts(msgspec.Struct, frozen=True):
    """A match as it stood at one moment.

    Attributes:
        now: The moment, in milliseconds since the epoch.
        meta: The store's record; None if there is none that can be read.
        verdict: What verifying its log came to; None if nobody looked at the log.
        entries: Its log, as far as it can be read.
        position: The match at its head; None if it cannot be folded, or nobody looked at the log.
        scheduled: Its instant in the due index, in milliseconds; None if it is not there.
        settled: Whether nothing moved meanwhile: the due index is compared only then.
        dead_letters: Who has put the match aside.
        kept: All that the store keeps of it beside its events; None if nobody looked.
    """

    match: str
    now: int
    meta: Meta | None = None
    verdict: Verdict | None = None
    entries: tuple[StoredEntry, ...] = ()
    position: Position | None = None
    scheduled: int | None = None
    settled: bool = True
    dead_letters: tuple[DeadLetter, ...] = ()
    kept: KeptRecord | None = None


def missing(match: str) -> Verdict:
    """Return the verdict on a match that the store has no record of."""
    return Verdict(match, code="meta.missing", bad_version=1, detail="the store has no record of this match")


async def facts_of(
    store: EventStore, match: str, now: int, archived_too: EventStore | None = None
) -> MatchFacts:
    """Gather the facts about a match.

    A match that is still moving after a few attempts is returned as not settled.

    Args:
        store: The log's server.
        match: The match's id.
        now: The present, in milliseconds since the epoch.
        archived_too: The log with the archive behind it: everything is proven that can be. Without it the chain is
            followed, seals are not opened, and the archive is not read.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    facts = await _read(store, match, now, archived_too)
    for _ in range(_ATTEMPTS):
        if facts.settled:
            break
        facts = await _read(store, match, now, archived_too)
    return facts


async def _read(store: EventStore, match: str, now: int, archived_too: EventStore | None) -> MatchFacts:
    meta = await _meta(store, match)
    if meta is not None and meta.status is Status.ARCHIVED and archived_too is None:
        return MatchFacts(match, now, meta, scheduled=await store.scheduled(match))
    try:
        readable = await read_what_can_be(archived_too or store, match)
    except NoSuchMatch:
        readable = Readable(None, [], missing(match))
    scheduled = await store.scheduled(match)
    if await _meta(store, match) != meta or meta != readable.meta:
        return MatchFacts(match, now, meta, entries=tuple(readable.entries), settled=False)
    verdict, position = (_proven if archived_too is not None else _chained)(match, readable)
    return MatchFacts(match, now, readable.meta, verdict, tuple(readable.entries), position, scheduled)


async def _meta(store: EventStore, match: str) -> Meta | None:
    try:
        return await store.meta(match)
    except BrokenLog:
        return None


def _chained(match: str, readable: Readable) -> tuple[Verdict, Position | None]:
    verdict = judged(match, readable, verify_chain)
    if not verdict.good:
        return verdict, None
    try:
        return verdict, fold_named(beginning(match), readable.entries)
    except BrokenLog as broken:
        return msgspec.structs.replace(
            verdict, code=broken.code, bad_version=broken.version, detail=broken.detail
        ), None


def _proven(match: str, readable: Readable) -> tuple[Verdict, Position | None]:
    positions: list[Position | None] = []

    def verifying(match: str, entries: Sequence[StoredEntry]) -> Verdict:
        verdict, position = verified(match, entries)
        positions.append(position)
        return verdict

    verdict = judged(match, readable, verifying)
    return verdict, positions[0] if verdict.good and positions else None
