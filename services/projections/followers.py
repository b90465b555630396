"""How far each consumer has read the feed, and since when it is behind."""

from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec

from domain.entries import decode_envelope
from domain.errors import BrokenLog
from domain.instants import Instant, milliseconds_of
from services.log.archive.closed_matches import NAME as ARCHIVE
from services.log.event_store.contract import EventStore
from services.log.event_store.errors import FeedGap
from services.projections.standing import ConsumerLag

_PATIENCE: Final = {ARCHIVE: 120.0}
"""Seconds. The archive reads the feed every twenty seconds only, and works long in between."""

_USUAL_PATIENCE: Final = 15.0


def patience_with(consumer: str) -> float:
    """Return how many seconds a consumer may leave a pointer unread before it counts as stopped or stuck."""
    return _PATIENCE.get(consumer, _USUAL_PATIENCE)


class Follower(msgspec.Struct, frozen=True):
    """A consumer's progress over all shards.

    Attributes:
        behind: How many pointers it has not read yet.
        ahead: In how many shards its checkpoint lies beyond the feed's end: the store went back.
        since: When the oldest command that it has not read was accepted; None if it has read all, or if unknown.
        has_gap: Whether unread pointers are gone.
    """

    name: str
    behind: int = 0
    ahead: int = 0
    since: Instant | None = None
    has_gap: bool = False


class Unread(NamedTuple):
    """What comes first after a checkpoint.

    Attributes:
        match: The match of the first pointer; empty if there is none.
        since: When the command that it points to was accepted; None if that is unknown.
        gap: Which pointers are missing; empty for none.
    """

    match: str = ""
    since: Instant | None = None
    gap: str = ""


class ConsumerProgress(NamedTuple):
    """How far a consumer is in a shard."""

    lag: ConsumerLag
    unread: Unread


async def progress(store: EventStore, lags: Iterable[ConsumerLag]) -> list[ConsumerProgress]:
    """Return how far consumers are, and what they have not read.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    # Most consumers that are behind have the same checkpoint.
    known: dict[tuple[int, int], Unread] = {}
    found = []
    for lag in lags:
        where = (lag.shard, lag.checkpoint)
        if lag.head > lag.checkpoint and where not in known:
            known[where] = await _first_unread(store, *where)
        found.append(ConsumerProgress(lag, known[where] if lag.head > lag.checkpoint else Unread()))
    return found


async def followers(store: EventStore, lags: Iterable[ConsumerLag]) -> list[Follower]:
    """Return how far every consumer is, by name.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    found: dict[str, Follower] = {}
    for lag, unread in await progress(store, lags):
        one = found.get(lag.consumer) or Follower(lag.consumer)
        distance = lag.head - lag.checkpoint
        found[lag.consumer] = Follower(
            one.name,
            one.behind + max(0, distance),
            one.ahead + (distance < 0),
            min(filter(None, (one.since, unread.since)), default=None),
            one.has_gap or bool(unread.gap),
        )
    return [found[name] for name in sorted(found)]


async def _first_unread(store: EventStore, shard: int, checkpoint: int) -> Unread:
    """Return what comes first after a checkpoint; an unreadable entry has no instant."""
    try:
        pointers = await store.feed({shard: checkpoint}, 1, 0)
    except FeedGap as error:
        return Unread(gap=str(error))
    if not pointers:
        return Unread()
    match, version = pointers[0].match, pointers[0].first
    try:
        (entry,) = await store.read(match, after=version - 1, last=version)
        at = decode_envelope(entry.e).at
        milliseconds_of(at)  # an envelope may hold anything here
    except (BrokenLog, msgspec.MsgspecError, ValueError):
        return Unread(match)
    return Unread(match, at)
