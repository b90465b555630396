"""Logs written by hand: events made into entries as the match service does, without deciding them."""

from collections.abc import Iterable, Mapping

import msgspec

from domain.chain import link
from domain.entries import (
    CommandMark,
    Envelope,
    StoredEntry,
    decode_envelope,
    decode_openings,
    encode_envelope,
)
from domain.entries import encode_openings as encoded
from domain.instants import Instant
from domain.match.codec import CREATION_CODEC, codec_of
from domain.match.command_handler import CommandMetadata
from domain.match.evolve import evolve
from domain.match.fold import Position, beginning, happened
from domain.match.state import Match
from domain.sealing import Event, redact, seal
from domain.viewers import Viewer

NO_DEADLINES: Mapping[int, Instant] = {}


def written(
    position: Position,
    events: Iterable[Event],
    metadata: CommandMetadata,
    now: Instant,
    *,
    seed: str,
    seat: int | None = None,
    deadlines: Mapping[int, Instant] = NO_DEADLINES,
) -> tuple[tuple[StoredEntry, ...], Position]:
    """Write one command's events after a position; return their entries and the position after them.

    Args:
        position: The match so far.
        events: What happened, whether or not anything would decide it so.
        metadata: Who caused it.
        now: When.
        seed: The source of the salts.
        seat: The seat that the command was made for, if any.
        deadlines: The deadlines of newly asked seats, for the last event's envelope.
    """
    happening = tuple(events)
    mark = CommandMark(metadata.command_id, position.version + 1, position.version + len(happening))
    state, head, entries = position.state, position.head, []
    for version, event in enumerate(happening, mark.first):
        data, openings = seal(event, version, seed)
        envelope = Envelope(
            v=version,
            type=type(event).__name__,
            at=now,
            actor=metadata.actor,
            door=metadata.door,
            command=mark,
            data=msgspec.Raw(msgspec.json.encode(data)),
            seat=seat,
            trace=metadata.trace,
            deadlines=dict(deadlines) if version == mark.last else {},
            note=metadata.note,
        )
        stored = encode_envelope(envelope)
        head = link(head, stored)
        entry = StoredEntry(version, stored, encoded(openings), head)
        state = evolve(state, happened(state, entry))
        entries.append(entry)
    after = Position(position.match, mark.last, head, now, state, metadata.door, metadata.trace)
    return tuple(entries), after


def event_of(state: Match, entry: StoredEntry) -> Event:
    """Return the event of an entry that follows a state."""
    codec = CREATION_CODEC if state.terms is None else codec_of(state.terms.game, state.terms.rules)
    return codec.event(decode_envelope(entry.e), decode_openings(entry.s))


def events_of(match: str, entries: Iterable[StoredEntry]) -> tuple[Event, ...]:
    """Return all events of a log."""
    state, events = beginning(match).state, []
    for entry in entries:
        events.append(event_of(state, entry))
        state = evolve(state, happened(state, entry))
    return tuple(events)


def rechained(match: str, entries: Iterable[StoredEntry]) -> list[StoredEntry]:
    """Return the entries with hashes that match their envelopes, as somebody with the store could write them."""
    head, chained = beginning(match).head, []
    for entry in entries:
        head = link(head, entry.e)
        chained.append(msgspec.structs.replace(entry, h=head))
    return chained


def redacted(entry: StoredEntry, viewer: Viewer) -> StoredEntry:
    """Return an entry as a viewer may have it."""
    return msgspec.structs.replace(entry, s=encoded(redact(decode_openings(entry.s), viewer)))
