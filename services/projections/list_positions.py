"""Positions in a list of matches, newest change first, and the marks that point to a page."""

import re
from collections.abc import Sequence
from typing import Final, NamedTuple

from domain.errors import Malformed

_BEFORE_ALL: Final = "~"
"""Comes before all matches of an instant: the list is descending, and this sorts after every character of an id."""

_MARK: Final = re.compile(r"([0-9]{1,15})\.([A-Za-z0-9_-]{1,64}|~)").fullmatch


class ListPosition(NamedTuple):
    """A match's position in the list.

    Attributes:
        changed_at: The instant of the match's last event, in milliseconds.
        match: The match's id; it orders matches of the same instant.
    """

    changed_at: int
    match: str


Scored = Sequence[tuple[bytes, float]]
"""Members of a sorted set with their scores, highest first."""


def mark_of(position: ListPosition) -> str:
    """Return the mark of the page that begins after a position."""
    return f"{position.changed_at}.{position.match}"


def mark_within(instant: int) -> str:
    """Return the mark of the page that begins with an instant, none of whose matches were shown.

    It names no match, because anybody who knows the id of a private table may sit down there before the start.
    """
    return f"{instant}.{_BEFORE_ALL}"


def position_of_mark(mark: str) -> ListPosition:
    """Read a mark.

    Raises:
        Malformed: It is not a mark.
    """
    read = _MARK(mark)
    if read is None:
        raise Malformed("list.after_malformed", "`after` is the `next` of a page that was given out before.")
    return ListPosition(int(read[1]), read[2])


def merged(
    newest: Sequence[Scored], same_instant: Sequence[Sequence[bytes]], after: ListPosition | None, each: int
) -> tuple[list[ListPosition], bool]:
    """Merge what the shards, each asked for so many, have after a position: of other instants, and of its very own.

    A shard that returned as many as were asked for may have more; nothing after its last one is returned yet.

    Returns:
        The next positions in order, and whether these are all.
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
