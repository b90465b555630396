"""Events of the log as server-sent events."""

from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec

from domain.entries import Envelope, StoredEntry, decode_envelope, decode_openings
from domain.match.events import MATCH_ENDS
from domain.sealing import Opening, redact
from domain.viewers import Viewer

_ENCODER: Final = msgspec.json.Encoder()
_CHANGES_HOLDER: Final = frozenset({"SeatLeft", "SeatGiven"})
_ENDS_OF_GATHERING: Final = MATCH_ENDS | {"MatchStarted"}

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


class Eyes(NamedTuple):
    """Who reads a stream.

    Attributes:
        seat: The seat that they hold; None for a spectator.
        guest: Whether they may look on only until the match starts: at a private table that gathers.
    """

    seat: int | None = None
    guest: bool = False


class News(msgspec.Struct, frozen=True):
    """Consecutive events as one kind of viewer gets them.

    Attributes:
        first: Version of the first one.
        last: Version of the last one.
        data: The messages.
        over: Whether nothing follows: the match has ended, or the viewer has lost the seat or may look on no longer.
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


def news_of(entries: list[StoredEntry], envelopes: tuple[Envelope, ...], eyes: Eyes) -> News:
    """Return entries as a reader gets them."""
    over = any(envelope.type in MATCH_ENDS for envelope in envelopes)
    viewer = Viewer(eyes.seat, everything=over and not eyes.guest)
    written: list[bytes] = []
    for entry, envelope in zip(entries, envelopes, strict=True):
        if eyes.guest and envelope.type in _ENDS_OF_GATHERING:
            over = True
            break
        written.append(b"id: %d\ndata: %b\n\n" % (entry.version, _ENCODER.encode(line_of(entry, viewer))))
        if (
            envelope.type in _CHANGES_HOLDER
            and msgspec.json.decode(envelope.data, type=_Seated).seat == eyes.seat
        ):
            # The next person on this seat will have cards that this viewer must not see.
            over = True
            break
    first = entries[0].version
    return News(first, first + len(written) - 1, b"".join(written), over)
