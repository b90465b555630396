"""Events of the log as server-sent events."""

from collections.abc import Iterable
from typing import Final

import msgspec

from domain.entries import Envelope, StoredEntry, decode_envelope, decode_openings
from domain.match.events import MATCH_ENDS
from domain.sealing import Opening, redact
from domain.viewers import Viewer

_ENCODER: Final = msgspec.json.Encoder()

OPENING: Final = b"retry: 2000\n\n"
"""The first bytes of a stream: how soon a browser should reconnect."""

KEEP_ALIVE: Final = b"event: keep-alive\ndata: {}\n\n"
"""Has its own name, which a page may ignore, and no id."""

OVER: Final = b"event: over\ndata: {}\n\n"
"""Says that nothing will follow."""


class EventLine(msgspec.Struct, frozen=True):
    """One event of the log.

    Attributes:
        version: Its version.
        e: The stored bytes of its public envelope, unaltered. Hash these, then decode them.
        openings: The openings of its sealed fields that you may have.
        h: The chain hash after it, 64 hexadecimal digits.
    """

    version: int
    e: str
    openings: tuple[Opening, ...]
    h: str


class _Seated(msgspec.Struct):
    seat: int


class News(msgspec.Struct, frozen=True):
    """Consecutive events as one kind of viewer gets them.

    Attributes:
        first: Version of the first one.
        last: Version of the last one.
        data: The messages.
        over: Whether nothing follows: the match has ended, or the viewer has lost the seat.
    """

    first: int
    last: int
    data: bytes
    over: bool


def line_of(entry: StoredEntry, viewer: Viewer) -> EventLine:
    """Return a stored entry as a viewer may have it."""
    return EventLine(entry.version, entry.e.decode(), redact(decode_openings(entry.s), viewer), entry.h.hex())


def envelopes_of(entries: Iterable[StoredEntry]) -> tuple[Envelope, ...]:
    """Return the envelopes of entries."""
    return tuple(decode_envelope(entry.e) for entry in entries)


def news_of(entries: list[StoredEntry], envelopes: tuple[Envelope, ...], seat: int | None) -> News:
    """Return entries as the viewer on a seat (None: a spectator) gets them."""
    over = any(envelope.type in MATCH_ENDS for envelope in envelopes)
    viewer = Viewer(seat, everything=over)
    written = []
    for entry, envelope in zip(entries, envelopes, strict=True):
        written.append(b"id: %d\ndata: %b\n\n" % (entry.version, _ENCODER.encode(line_of(entry, viewer))))
        if envelope.type == "SeatLeft" and msgspec.json.decode(envelope.data, type=_Seated).seat == seat:
            # The next person on this seat will have cards that this viewer must not see.
            over = True
            break
    return News(entries[0].version, entries[len(written) - 1].version, b"".join(written), over)
