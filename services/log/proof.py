"""Proving a match on the store, or in the archive, that holds it."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from domain.entries import StoredEntry
from domain.errors import BrokenLog
from domain.match.verification import Verdict, verify, verify_chain
from services.errors import NoSuchMatch
from services.log.event_store.contract import META_UNREADABLE, EventStore, Meta, Status


async def prove(store: EventStore, match: str) -> Verdict:
    """Verify a match's log, and that the store's own record of it says the same.

    Raises:
        NoSuchMatch: There is neither a log nor a record of it.
        StoreUnavailable: The store or the archive did not answer.
    """
    return (await proven_log(store, match))[0]


async def proven_log(store: EventStore, match: str) -> tuple[Verdict, list[StoredEntry]]:
    """Return what verifying a match comes to, and the entries that could be read; see :func:`prove`."""
    readable = await read_what_can_be(store, match)
    return judged(match, readable), readable.entries


class Readable(NamedTuple):
    """A match as far as it can be read.

    Attributes:
        meta: The store's record; None when it is missing or unreadable.
        entries: The entries, up to the first that cannot be read.
        record_problem: What is wrong with the record; None for nothing.
        log_problem: What is wrong with the entry behind the last one, or with the archive; None for nothing.
    """

    meta: Meta | None
    entries: list[StoredEntry]
    record_problem: Verdict | None = None
    log_problem: BrokenLog | None = None


async def read_what_can_be(store: EventStore, match: str) -> Readable:
    """Read a match, broken or not.

    Raises:
        NoSuchMatch: There is neither a log nor a record of it.
        StoreUnavailable: The store or the archive did not answer.
    """
    try:
        meta = await store.meta(match)
    except BrokenLog as found:
        detail = found.detail if found.code == META_UNREADABLE else f"{type(found).__name__}: {found}"
        return Readable(None, [], _bad(Verdict(match), META_UNREADABLE, 1, detail))
    archived = meta is not None and meta.status is Status.ARCHIVED
    broken, entries = await _read(store, match, archived=archived)
    if meta is None:
        if not entries and broken is None:
            raise NoSuchMatch(match)
        missing = _bad(Verdict(match), "meta.missing", 1, "the store has no record of this match")
        return Readable(None, entries, missing, broken)
    return Readable(meta, entries, None, broken)


async def prove_chain(store: EventStore, match: str) -> Verdict:
    """Follow the chain of a match's log, and compare its end with the store's own record.

    For logs that were proven where they come from: seals, deals and what events say are not looked at.

    Raises:
        NoSuchMatch: There is neither a log nor a record of it.
        StoreUnavailable: The store or the archive did not answer.
    """
    return judged(match, await read_what_can_be(store, match), verify_chain)


def judged(
    match: str, readable: Readable, verifying: Callable[[str, Sequence[StoredEntry]], Verdict] | None = None
) -> Verdict:
    """Return what verifying a match comes to, from what was read of it."""
    meta, entries, problem, broken = readable
    if problem is not None and not entries and broken is None:
        return problem
    verdict = (verifying or _thoroughly)(match, entries)
    if broken is not None:
        verdict = _first(verdict, _bad(verdict, broken.code, broken.version, broken.detail))
    if problem is not None:
        missing = _bad(verdict, problem.code, problem.bad_version, problem.detail)
        return _first(verdict, missing)
    return verdict if meta is None else compared(verdict, meta)


def _thoroughly(match: str, entries: Sequence[StoredEntry]) -> Verdict:
    return verify(match, entries, complete=True, rules=True)


async def _read(
    store: EventStore, match: str, *, archived: bool
) -> tuple[BrokenLog | None, list[StoredEntry]]:
    try:
        return None, await store.read(match)
    except BrokenLog as found:
        # The store names what is missing or cannot be read; something in front of it may be wrong as well. The
        # archive is read as a whole, and has looked already.
        if archived or found.version <= 1:
            return found, []
        return found, await store.read(match, last=found.version - 1)


def compared(verdict: Verdict, meta: Meta) -> Verdict:
    """Compare what was read with the store's record: an end that was cut off leaves a log that is good in itself."""
    if not verdict.good:
        return verdict
    if verdict.events != meta.version:
        first = min(verdict.events, meta.version) + 1
        detail = f"the record says version {meta.version}, the log has {verdict.events} events"
        return _bad(verdict, "meta.version_differs", first, detail)
    if verdict.head != meta.head.hex():
        detail = f"the record says head {meta.head.hex()}, the log has {verdict.head}"
        return _bad(verdict, "meta.head_differs", verdict.events, detail)
    return verdict


def _first(one: Verdict, other: Verdict) -> Verdict:
    if one.good or other.good:
        return other if one.good else one
    return other if other.bad_version < one.bad_version else one


def _bad(verdict: Verdict, code: str, version: int, detail: str) -> Verdict:
    return replace(verdict, code=code, bad_version=version, detail=detail)
