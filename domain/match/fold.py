"""Folding: a log, or a piece of it, into a position."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from typing import Final

import msgspec

from domain.chain import follow_chain, genesis
from domain.entries import StoredEntry, decode_envelope, decode_openings
from domain.errors import BrokenLog
from domain.instants import EARLIEST, Instant
from domain.match.codec import Codec, UnknownEventType, codec_of, creation_codec
from domain.match.evolve import Happened, evolve
from domain.match.state import EMPTY, Match, Terms
from domain.match.upcasting import NEWER, NewerRelease

UNFOLDABLE: Final = (msgspec.DecodeError, LookupError, TypeError, ValueError, AttributeError)
"""What folding raises on a log that none of our releases wrote."""


class Position(msgspec.Struct, frozen=True):
    """A match at a version.

    Attributes:
        match: The match's id.
        version: The number of events folded in.
        head: The chain hash at that version.
        at: When the last of them was accepted.
        state: Their sum.
        door: The door that the last of them came through.
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
    return _read(stored, _codec(state.terms))


def _codec(terms: Terms | None) -> Codec | None:
    """Return what reads the events that follow terms; None before the first event, which says so itself."""
    return None if terms is None else codec_of(terms.game, terms.rules, terms.format)


def _read(stored: StoredEntry, codec: Codec | None) -> Happened:
    envelope = decode_envelope(stored.e)
    openings = decode_openings(stored.s) if stored.s else ()
    return Happened(
        (codec or creation_codec(envelope)).event(envelope, openings),
        envelope.v,
        envelope.v == envelope.command.last,
        envelope.seat,
        envelope.at,
        envelope.deadlines,
        envelope.door,
        envelope.trace,
    )


def positions(position: Position, entries: Iterable[StoredEntry]) -> Iterator[Position]:
    """Yield the position after each entry. The entries are complete and follow the given position."""
    state, terms, match = position.state, position.state.terms, position.match
    codec = _codec(terms)
    for stored in entries:
        step = _read(stored, codec)
        state = evolve(state, step)
        if state.terms is not terms:
            terms = state.terms
            codec = _codec(terms)
        yield Position(match, stored.version, stored.h, step.at, state, step.door, step.trace)


def fold(position: Position, entries: Iterable[StoredEntry]) -> Position:
    """Return the position after all entries."""
    state, last, terms = position.state, None, position.state.terms
    # Terms never change after the first event: their codec is looked up once, as this is the hottest loop.
    codec = _codec(terms)
    for stored in entries:
        step = _read(stored, codec)
        state = evolve(state, step)
        last = stored, step
        if state.terms is not terms:
            terms = state.terms
            codec = _codec(terms)
    if last is None:
        return position
    stored, step = last
    return Position(position.match, stored.version, stored.h, step.at, state, step.door, step.trace)


def follow(position: Position, entries: Sequence[StoredEntry]) -> Position:
    """Return the position after all entries, as :func:`fold` does, having checked their chain.

    Costs a twentieth more than folding alone.

    Raises:
        BrokenLog: An event was altered, left out or inserted, or cannot be folded; names it.
    """
    follow_chain(position.head, entries, position.version)
    return fold_named(position, entries)


def fold_named(position: Position, entries: Sequence[StoredEntry]) -> Position:
    """Return the position after all entries, as :func:`fold` does.

    Raises:
        BrokenLog: An event cannot be folded; names it.
    """
    try:
        return fold(position, entries)
    except UNFOLDABLE as error:
        version = position.version
        with suppress(*UNFOLDABLE):
            for step in positions(position, entries):
                version = step.version
        raise unfoldable(version + 1, error) from error


def unfoldable(version: int, error: Exception) -> BrokenLog:
    """Return what is said of an event that cannot be folded: what a newer release wrote is no damage.

    Other errors are named by their type alone: their text is for programmers, and might hold a card still sealed.
    """
    code = "log.cannot_be_folded"
    if isinstance(error, NewerRelease):
        code, why = NEWER, f"this release does not know {error}: a newer release wrote it"
    elif isinstance(error, msgspec.MsgspecError):
        why = f"its data is not that of such an event: {error}"
    elif isinstance(error, UnknownEventType):
        why = f"this game has no such event: {error}"
    else:
        why = f"it cannot have happened after the events before it ({type(error).__name__})"
    return BrokenLog(code, version, why)
