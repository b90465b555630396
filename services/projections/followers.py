"""How far those are who follow the log, told for each of them as a whole."""

from collections.abc import Iterable

import msgspec

from services.projections.standing import ConsumerLag


class Follower(msgspec.Struct, frozen=True):
    """Somebody who follows the feed.

    Attributes:
        name: His name.
        behind: How many pointers of all shards he has not read yet.
        ahead: In how many shards he has read further than the feed goes: the store went back in time.
    """

    name: str
    behind: int
    ahead: int


def followers(lags: Iterable[ConsumerLag]) -> list[Follower]:
    """Return how far everybody is, by name."""
    found: dict[str, tuple[int, int]] = {}
    for lag in lags:
        behind, ahead = found.get(lag.consumer, (0, 0))
        distance = lag.head - lag.checkpoint
        found[lag.consumer] = (behind + max(0, distance), ahead + (distance < 0))
    return [Follower(name, *counts) for name, counts in sorted(found.items())]
