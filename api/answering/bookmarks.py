"""Bookmarks as their person gets them."""

import msgspec

from domain.instants import Instant
from services.people.bookmarks import Bookmark


class BookmarkShown(msgspec.Struct, frozen=True):
    """A position that you keep.

    Attributes:
        match: The match's id.
        version: The version.
        since: When you kept it.
        note: What you wrote about it.
        address: Where the position is looked at, below this service's address.
        shared: Where anybody who has this address reads your note and your name; empty if you do not share it.
    """

    match: str
    version: int
    since: Instant
    note: str
    address: str
    shared: str


def shown_bookmark(one: Bookmark) -> BookmarkShown:
    """Return a bookmark as its person gets it."""
    shared = f"/b/{one.share}" if one.share else ""
    address = f"/m/{one.match}/replay?at={one.version}"
    return BookmarkShown(one.match, one.version, one.since, one.note, address, shared)
