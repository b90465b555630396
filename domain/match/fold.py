"""Folding: a log, or a piece of it, into a position."""

from collections.abc import Iterable, Iterator

import msgspec

from domain.chain import genesis
from domain.entries import StoredEntry, decode_envelope, decode_openings
from domain.instants import EARLIEST, Instant
from domain.match.codec import codec_of, creation_codec
from domain.match.evolve import Happened, evolve
from domain.match.state import EMPTY, Match


class Position(msgspec.Struct, frozen=True):
    """A match at a version.

    Attributes:
        match: The match's id.
        version: The number of events that are folded in.
        head: The chain hash at that version.
        at: When the last of them was accepted.
        state: What they add up to.
        door: Through which door the last of them came.
        trace: Its correlation id.
    """

    match: str
    version: int
    head: bytes
    at: Instant
    state: Match
    door: str = ""
    trace: str = ""


def beginning(match: str) -> Position:
    """Return a match's position before its first event."""
    return Position(match, 0, genesis(match), EARLIEST, EMPTY)


def happened(state: Match, stored: StoredEntry) -> Happened:
    """Read a stored entry that follows a state.

    Raises:
        msgspec.DecodeError: It cannot be read, or an opening is missing.
        UnknownEventType: Its type is unknown.
    """
    envelope = decode_envelope(stored.e)
    terms = state.terms
    codec = creation_codec(envelope) if terms is None else codec_of(terms.game, terms.rules, terms.format)
    event = codec.event(envelope, decode_openings(stored.s))
    ends = envelope.v == envelope.command.last
    return Happened(
        event,
        envelope.v,
        ends,
        envelope.seat,
        envelope.at,
        envelope.deadlines,
        envelope.door,
        envelope.trace,
    )


def positions(position: Position, entries: Iterable[StoredEntry]) -> Iterator[Position]:
    """Yield the position after each entry. The entries are complete and follow the given position."""
    state = position.state
    for stored in entries:
        step = happened(state, stored)
        state = evolve(state, step)
        yield Position(position.match, stored.version, stored.h, step.at, state, step.door, step.trace)


def fold(position: Position, entries: Iterable[StoredEntry]) -> Position:
    """Return the position after all entries."""
    state, last = position.state, None
    for stored in entries:
        step = happened(state, stored)
        state = evolve(state, step)
        last = stored, step
    if last is None:
        return position
    stored, step = last
    return Position(position.match, stored.version, stored.h, step.at, state, step.door, step.trace)
