"""How far the loops are: the clock, and those who follow the log."""

from collections.abc import Mapping
from typing import Final

import msgspec

from domain.instants import Instant, milliseconds_of
from services.bootstrap.parts import Application
from services.projections.followers import Follower, followers, patience_with
from services.projections.generations import Standing
from services.projections.matches import LAYOUT, NAME
from services.projections.standing import consumers, projections

LATE_SECONDS: Final = 5.0
"""How late the clock may come before a page says so."""


class FollowerRow(msgspec.Struct, frozen=True):
    """Somebody who follows the log.

    Attributes:
        seen: How far he is.
        seconds: For how long he is behind; 0 if he is not.
        is_stuck: Whether that is too long, or he can go no further.
    """

    seen: Follower
    seconds: float
    is_stuck: bool


class Loops(msgspec.Struct, frozen=True):
    """How far the loops are.

    Attributes:
        followers: Those who follow the log.
        due: The earliest instant at which a match needs somebody, in milliseconds; None if no match does.
        late: For how many seconds it has passed; below zero if it is still to come.
        is_late: Whether the clock should have come long ago.
        projections: How the projections stand, by name.
    """

    followers: tuple[FollowerRow, ...]
    due: int | None
    late: float
    is_late: bool
    projections: Mapping[str, Standing]

    @property
    def stuck(self) -> tuple[FollowerRow, ...]:
        """Those who do not go on."""
        return tuple(row for row in self.followers if row.is_stuck)

    @property
    def is_list_old(self) -> bool:
        """Whether who keeps the list of matches does not go on."""
        return any(row.seen.name.startswith(f"{NAME}.") for row in self.stuck)


async def loops_of(parts: Application, now: Instant) -> Loops:
    """Return how far the loops are.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    due = await parts.store.next_due()
    late = 0.0 if due is None else (milliseconds_of(now) - due) / 1000
    lags = await consumers(parts.log_client, parts.store.shards)
    standing = await projections(parts.log_client, parts.store.shards)
    filling = _filling(standing)
    rows = tuple(_row(one, now, filling) for one in await followers(parts.store, lags))
    return Loops(rows, due, late, late > LATE_SECONDS, standing)


def _filling(standing: Mapping[str, Standing]) -> frozenset[str]:
    """Return who has registered and reads old matches first: a projection that is being rebuilt."""
    return frozenset(
        f"{name}.{LAYOUT}-{one.building.generation}"
        for name, one in standing.items()
        if one.building is not None
    )


def _row(one: Follower, now: Instant, filling: frozenset[str]) -> FollowerRow:
    seconds = 0.0 if one.since is None else (milliseconds_of(now) - milliseconds_of(one.since)) / 1000
    is_stuck = (
        (seconds > patience_with(one.name) and one.name not in filling) or bool(one.ahead) or one.has_gap
    )
    return FollowerRow(one, seconds, is_stuck)
