"""Events of the log as server-sent events."""

from typing import Final, NamedTuple

import msgspec

from domain.entries import StoredEntry, decode_envelope, decode_openings
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
    return _line(entry, redact(decode_openings(entry.s), viewer))


def _line(entry: StoredEntry, openings: tuple[Opening, ...]) -> EventLine:
    return EventLine(entry.version, entry.e.decode(), openings, entry.h.hex())


class Messages:
    """Consecutive entries, at least one, on their way to several readers.

    Each event is written once for all who may have the same openings of it.
    """

    def __init__(self, entries: list[StoredEntry]) -> None:
        """Read the entries.

        Raises:
            msgspec.DecodeError: One of them cannot be read.
        """
        self._entries: Final = entries
        self._envelopes: Final = [decode_envelope(entry.e) for entry in entries]
        self._openings: Final = [decode_openings(entry.s) for entry in entries]
        self._written: Final[dict[tuple[int, tuple[str, ...]], bytes]] = {}

    def news(self, eyes: Eyes) -> News:
        """Return the entries as a reader gets them."""
        over = any(envelope.type in MATCH_ENDS for envelope in self._envelopes)
        viewer = Viewer(eyes.seat, everything=over and not eyes.guest)
        messages: list[bytes] = []
        for number, envelope in enumerate(self._envelopes):
            if eyes.guest and envelope.type in _ENDS_OF_GATHERING:
                over = True
                break
            messages.append(self._message(number, viewer))
            if (
                envelope.type in _CHANGES_HOLDER
                and msgspec.json.decode(envelope.data, type=_Seated).seat == eyes.seat
            ):
                # The next person on this seat will have cards that this viewer must not see.
                over = True
                break
        first = self._entries[0].version
        return News(first, first + len(messages) - 1, b"".join(messages), over)

    def _message(self, number: int, viewer: Viewer) -> bytes:
        openings = redact(self._openings[number], viewer)
        # Who shares a message is told by what is in it, never by who they are.
        key = number, tuple([opening.field for opening in openings])
        message = self._written.get(key)
        if message is None:
            line = _line(self._entries[number], openings)
            message = b"id: %d\ndata: %b\n\n" % (line.version, _ENCODER.encode(line))
            self._written[key] = message
        return message
