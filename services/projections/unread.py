"""What a consumer of the feed has not read: the first of it, and since when it is there."""

from typing import NamedTuple

import msgspec

from domain.entries import decode_envelope
from domain.errors import BrokenLog
from domain.instants import Instant, milliseconds_of
from services.log.event_store.contract import EventStore
from services.log.event_store.errors import FeedGap


class Unread(NamedTuple):
    """The first thing behind a checkpoint.

    Attributes:
        match: The match of the first pointer; empty if there is none.
        since: When the command was accepted to which it points; None if that cannot be told.
        gap: Which pointers are missing instead; empty for none.
    """

    match: str = ""
    since: Instant | None = None
    gap: str = ""


async def first_unread(store: EventStore, shard: int, checkpoint: int) -> Unread:
    """Return the first thing that somebody has not read who has read a shard's feed up to a checkpoint.

    An entry that cannot be read has no instant: whoever looks at how far others are must not fail of it.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    try:
        pointers = await store.feed({shard: checkpoint}, 1, 0)
    except FeedGap as error:
        return Unread(gap=str(error))
    if not pointers:
        return Unread()
    pointer = pointers[0]
    return Unread(pointer.match, await _accepted_at(store, pointer.match, pointer.first))


async def _accepted_at(store: EventStore, match: str, version: int) -> Instant | None:
    try:
        found = await store.read(match, after=version - 1, last=version)
        if not found:
            return None
        at = decode_envelope(found[0].e).at
        milliseconds_of(at)  # an envelope may say anything there
    except (BrokenLog, msgspec.MsgspecError, ValueError):
        return None
    return at
