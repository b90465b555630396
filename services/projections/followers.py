"""How far those are who follow the log, told for each of them as a whole, and since when they are behind."""

from collections.abc import Iterable
from typing import Final

import msgspec

from domain.instants import Instant
from services.log.archive.closed_matches import NAME as ARCHIVE
from services.log.event_store.contract import EventStore
from services.projections.standing import ConsumerLag
from services.projections.unread import Unread, first_unread

_PATIENCE: Final = {ARCHIVE: 120.0}
"""The archive looks every twenty seconds only, and does long work in between."""

_USUAL_PATIENCE: Final = 15.0


def patience_with(consumer: str) -> float:
    """Return how many seconds old what a consumer has not read yet may be before it does not run, or hangs."""
    return _PATIENCE.get(consumer, _USUAL_PATIENCE)


class Follower(msgspec.Struct, frozen=True):
    """Somebody who follows the feed.

    Attributes:
        name: His name.
        behind: How many pointers of all shards he has not read yet.
        ahead: In how many shards he has read further than the feed goes: the store went back in time.
        since: When the oldest command was accepted that he has not read; None if he has read all, or that is not known.
        has_gap: Whether pointers that he has not read are no longer there.
    """

    name: str
    behind: int = 0
    ahead: int = 0
    since: Instant | None = None
    has_gap: bool = False


async def followers(store: EventStore, lags: Iterable[ConsumerLag]) -> list[Follower]:
    """Return how far everybody is, by name.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    found: dict[str, Follower] = {}
    # Most of those who are behind stand at the same place.
    asked: dict[tuple[int, int], Unread] = {}
    for lag in lags:
        one = found.get(lag.consumer) or Follower(lag.consumer)
        distance = lag.head - lag.checkpoint
        unread = Unread()
        if distance > 0:
            place = (lag.shard, lag.checkpoint)
            if place not in asked:
                asked[place] = await first_unread(store, *place)
            unread = asked[place]
        found[lag.consumer] = Follower(
            one.name,
            one.behind + max(0, distance),
            one.ahead + (distance < 0),
            min(filter(None, (one.since, unread.since)), default=None),
            one.has_gap or bool(unread.gap),
        )
    return [found[name] for name in sorted(found)]
