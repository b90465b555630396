"""Entries of a match's log: the public envelope ``e``, the openings ``s`` and the chain hash ``h``.

The stored bytes of ``e`` are what the chain hashes; every export and answer carries them unaltered.
"""

from typing import Final

import msgspec

from domain.instants import Instant
from domain.sealing import Opening

FORMAT: Final = 1
"""The number of the envelope format that new matches use (``MatchCreated.format``)."""


class CommandMark(msgspec.Struct, frozen=True, rename={"first": "from", "last": "to"}):
    """The command that caused an event.

    Attributes:
        id: The command id; unique per actor.
        first: Version of the command's first event.
        last: Version of its last event, which ends the command.
    """

    id: str
    first: int
    last: int


class Envelope(msgspec.Struct, frozen=True, omit_defaults=True):
    """The public part of an event.

    Attributes:
        v: The event's version, dense from 1.
        type: The event class's name.
        at: When it was accepted; never earlier than the previous event.
        actor: Who acted: an opaque player id, ``bot-<seat>``, ``clock``, or an operator's id.
        door: How they reached the match: ``page``, ``api``, ``bot``, ``clock`` or ``operator``.
        command: The command that caused it.
        data: The event's public fields; sealed ones are replaced by their commitments.
        seat: The seat that the actor acted for, if any.
        trace: Correlation id shared by request, events and jobs.
        deadlines: On a command's last event: by newly asked seat, when its time ends.
        note: Why the event is not the actor's own choice, for example ``fallback``.
    """

    v: int
    type: str
    at: Instant
    actor: str
    door: str
    command: CommandMark
    data: msgspec.Raw
    seat: int | None = None
    trace: str = ""
    deadlines: dict[int, Instant] = {}
    note: str = ""


class StoredEntry(msgspec.Struct, frozen=True):
    """An entry as the store holds it.

    Attributes:
        version: The event's version.
        e: The envelope's bytes, JSON.
        s: The openings' bytes, a JSON list; empty when nothing is sealed.
        h: The chain hash after this entry, 32 bytes.
    """

    version: int
    e: bytes
    s: bytes
    h: bytes


_ENVELOPE_DECODER = msgspec.json.Decoder(Envelope)
_OPENINGS_DECODER = msgspec.json.Decoder(tuple[Opening, ...])
_ENCODER = msgspec.json.Encoder()


def encode_envelope(envelope: Envelope) -> bytes:
    """Return the bytes of an envelope as they will be stored and hashed."""
    return _ENCODER.encode(envelope)


def decode_envelope(stored: bytes) -> Envelope:
    """Read stored envelope bytes.

    Raises:
        msgspec.DecodeError: If they are not an envelope.
    """
    return _ENVELOPE_DECODER.decode(stored)


def encode_openings(openings: tuple[Opening, ...]) -> bytes:
    """Return the bytes of an entry's openings; empty for none."""
    return _ENCODER.encode(openings) if openings else b""


def decode_openings(stored: bytes) -> tuple[Opening, ...]:
    """Read stored openings.

    Raises:
        msgspec.DecodeError: If they are not openings.
    """
    return _OPENINGS_DECODER.decode(stored) if stored else ()
