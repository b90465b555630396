"""Verifying a match on the store that holds it."""

from msgspec.structs import replace

from domain.errors import BrokenLog
from domain.match.verification import Verdict, verify
from services.errors import NoSuchMatch
from services.event_store.contract import EventStore, Meta, Status


async def prove(store: EventStore, match: str) -> Verdict | None:
    """Verify a match's log, and that the store's own record of it says the same.

    Args:
        store: The store.
        match: The match's id.

    Returns:
        What it came to; None for an archived match, whose events are no longer here.

    Raises:
        NoSuchMatch: There is neither a log nor a record of it.
        StoreUnavailable: The store did not answer.
    """
    try:
        meta = await store.meta(match)
    except (ValueError, TypeError, AttributeError) as error:
        # Somebody has written into the record what no release of ours writes.
        return _bad(Verdict(match), "meta.unreadable", 1, f"{type(error).__name__}: {error}")
    verdict = await _log_verdict(store, match)
    if meta is None:
        if not verdict.events and verdict.good:
            raise NoSuchMatch(match)
        return _first(verdict, _bad(verdict, "meta.missing", 1, "the store has no record of this match"))
    if meta.status is Status.ARCHIVED and not verdict.events:
        return None
    return _first(verdict, _compared(verdict, meta))


async def _log_verdict(store: EventStore, match: str) -> Verdict:
    broken: BrokenLog | None = None
    try:
        entries = await store.read(match)
    except BrokenLog as found:
        # The store names what is missing or cannot be read; something in front of it may be wrong as well.
        broken = found
        entries = await store.read(match, last=found.version - 1) if found.version > 1 else []
    verdict = verify(match, entries, complete=True)
    return (
        verdict
        if broken is None
        else _first(verdict, _bad(verdict, broken.code, broken.version, broken.detail))
    )


def _compared(verdict: Verdict, meta: Meta) -> Verdict:
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
    """Return the verdict that names the earlier event."""
    if one.good or other.good:
        return other if one.good else one
    return other if other.bad_version < one.bad_version else one


def _bad(verdict: Verdict, code: str, version: int, detail: str) -> Verdict:
    return replace(verdict, code=code, bad_version=version, detail=detail)
