"""The events of a match as rows of a table, also those that nobody can read any more."""

from collections.abc import Iterable, Iterator

import msgspec

from domain.entries import StoredEntry, decode_envelope
from domain.instants import Instant, milliseconds_of


class EventRow(msgspec.Struct, frozen=True):
    """What is public of one event, without its data.

    Attributes:
        size: The bytes of its envelope. Those of its openings are not told: they depend on the cards.
        hash: The chain hash after it, 64 hexadecimal digits.
        type: Its type; empty when the envelope cannot be read, and then all that follows is empty as well.
        since_last: Milliseconds since the event in front of it; None if there is none, or one of both cannot be read.
        seat: For which seat, if for one.
        first: Version of that command's first event.
        trace: The correlation id of request, events and jobs.
        note: Why it was not the actor's own choice.
    """

    version: int
    size: int
    hash: str
    type: str = ""
    at: Instant = Instant("")
    since_last: int | None = None
    actor: str = ""
    door: str = ""
    seat: int | None = None
    command: str = ""
    first: int = 0
    last: int = 0
    trace: str = ""
    note: str = ""


def rows_of(entries: Iterable[StoredEntry], before: StoredEntry | None = None) -> Iterator[EventRow]:
    """Yield the rows of entries; the time since the entry before them is in the first one."""
    last = "" if before is None else row_of(before).at
    for entry in entries:
        row = row_of(entry, last)
        last = row.at
        yield row


def row_of(entry: StoredEntry, last: str = "") -> EventRow:
    """Return the row of an entry."""
    size, chain_hash = len(entry.e), entry.h.hex()
    try:
        envelope = decode_envelope(entry.e)
    except msgspec.DecodeError:
        return EventRow(entry.version, size, chain_hash)
    mark = envelope.command
    return EventRow(
        entry.version,
        size,
        chain_hash,
        envelope.type,
        envelope.at,
        milliseconds_between(last, envelope.at),
        envelope.actor,
        envelope.door,
        envelope.seat,
        mark.id,
        mark.first,
        mark.last,
        envelope.trace,
        envelope.note,
    )


def milliseconds_between(earlier: str, later: str) -> int | None:
    """Return how long it is from one instant to another; None when one of the texts is no instant."""
    try:
        return milliseconds_of(Instant(later)) - milliseconds_of(Instant(earlier))
    except (ValueError, TypeError):
        return None
