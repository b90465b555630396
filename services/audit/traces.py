"""Finding what a correlation id led to: a request's events, those that bots and clock added, what was refused."""

import re
from collections.abc import Sequence
from typing import Final

import msgspec

from domain.entries import decode_envelope
from domain.errors import BrokenLog
from domain.instants import Instant
from services.audit.refused_commands import RefusedCommand, refused_commands
from services.log.event_store.contract import EventStore

TRACE: Final = re.compile(r"[A-Za-z0-9_-]{1,64}").fullmatch
"""What can be a correlation id."""


class TracedEvent(msgspec.Struct, frozen=True):
    """An event that a correlation id led to. What it says is left out: it may be of no business here."""

    match: str
    version: int
    at: Instant
    type: str
    actor: str
    door: str
    command: str


class TracedMatch(msgspec.Struct, frozen=True):
    """What a correlation id led to in one match."""

    events: tuple[TracedEvent, ...] = ()
    refused: tuple[RefusedCommand, ...] = ()


async def traced_in(log: EventStore, match: str, trace: str) -> TracedMatch:
    """Look for a correlation id in a match; what cannot be read of it is left out.

    Raises:
        StoreUnavailable: The store did not answer.
    """
    try:
        entries = await log.read(match)
    except BrokenLog:
        entries = []
    wanted = trace.encode()
    # Most events are not it: only those that hold these letters anywhere are read.
    found = [_event(match, entry.version, entry.e, trace) for entry in entries if wanted in entry.e]
    refused = refused_commands(await log.refusals(match))
    return TracedMatch(
        tuple(event for event in found if event is not None),
        tuple(one for one in refused if one.trace == trace),
    )


def in_order(matches: Sequence[TracedMatch]) -> list[TracedEvent]:
    """Return the events of several matches as they happened."""
    events = [event for match in matches for event in match.events]
    return sorted(events, key=lambda event: (event.at, event.match, event.version))


def _event(match: str, version: int, stored: bytes, trace: str) -> TracedEvent | None:
    try:
        envelope = decode_envelope(stored)
    except (msgspec.MsgspecError, ValueError):
        return None
    if envelope.trace != trace:
        return None
    return TracedEvent(
        match, version, envelope.at, envelope.type, envelope.actor, envelope.door, envelope.command.id
    )
