"""Positions in a list of matches, newest change first, and the marks that lead from page to page."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from domain.errors import Malformed

_BEFORE_ALL: Final = "~"
"""Comes before all matches of an instant: it sorts behind every letter of an id, and the list goes downwards."""

_MARK: Final = re.compile(r"([0-9]{1,15})\.([A-Za-z0-9_-]{1,64}|~)").fullmatch


class ListPosition(NamedTuple):
    """A position in the list.

    Attributes:
        changed_at: The instant of the match's last event, in milliseconds.
        match: The match's id; among those of the same instant it decides.
    """

    changed_at: int
    match: str


Scored = Sequence[tuple[bytes, float]]
"""Matches of a sorted set, from high to low."""


def mark_of(position: ListPosition) -> str:
    """Return the mark of the page that begins behind a position."""
    return f"{position.changed_at}.{position.match}"


def mark_within(instant: int) -> str:
    """Return the mark of the page that begins with an instant, of which no match was shown.

    It names no match: whoever knows the id of a private table that gathers may sit down at it.
    """
    return f"{instant}.{_BEFORE_ALL}"


def position_of_mark(mark: str) -> ListPosition:
    """Read a mark.

    Raises:
        Malformed: It is none.
    """
    read = _MARK(mark)
    if read is None:
        raise Malformed("list.after_malformed", "`after` is the `next` of a page that was given out before.")
    return ListPosition(int(read[1]), read[2])


def merged(
    newest: Sequence[Scored], same_instant: Sequence[Sequence[bytes]], after: ListPosition | None, each: int
) -> tuple[list[ListPosition], bool]:
    """Merge what the shards have behind a position.

    Where a shard has given all that was asked of it, it may have more: what lies behind its last one waits.

    Args:
        newest: By shard, what lies behind the position's instant.
        same_instant: By shard, all of the position's very instant.
        after: The position.
        each: How many were asked of each shard.

    Returns:
        The next positions in their order, and whether that is all.
    """
    by_shard = [[ListPosition(int(score), match.decode()) for match, score in some] for some in newest]
    horizon = max((some[-1] for some in by_shard if len(some) == each), default=None)
    positions = [position for some in by_shard for position in some if horizon is None or position >= horizon]
    if after is not None:
        positions += (
            ListPosition(after.changed_at, match.decode()) for some in same_instant for match in some
        )
        positions = [position for position in positions if position < after]
    return sorted(positions, reverse=True), horizon is None
